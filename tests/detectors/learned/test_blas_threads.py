"""Networks multiply small matrices: on one thread of BLAS, whatever the environment says."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from detectors.learned import networks
from detectors.learned.networks import ConvolutionLayer
from detectors.learned.windows import Singles
from detectors.registry import get


def threads() -> set[int]:
    return {
        library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"
    }


def test_a_network_takes_one_thread_and_leaves_the_others_to_the_caller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thread_counts: list[set[int]] = []
    product = ConvolutionLayer.__call__

    def watch_threads(layer: ConvolutionLayer, x: Singles) -> Singles:
        thread_counts.append(threads())
        return product(layer, x)

    monkeypatch.setattr(ConvolutionLayer, "__call__", watch_threads)
    networks._stability.cache_clear()
    with threadpool_limits(2, user_api="blas"):
        get("fcn")().answer(np.sin(np.arange(101.0)))
        threads_after = threads()

    assert thread_counts
    assert all(counts == {1} for counts in thread_counts)
    assert threads_after == {2}
