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
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


def test_a_network_takes_one_thread_and_leaves_the_others_to_the_caller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    within: list[set[int]] = []
    product = ConvolutionLayer.__call__

    def watched(layer: ConvolutionLayer, x: Singles) -> Singles:
        within.append(threads())
        return product(layer, x)

    monkeypatch.setattr(ConvolutionLayer, "__call__", watched)
    networks._judged.cache_clear()
    with threadpool_limits(2, user_api="blas"):
        get("fcn")().answer(np.sin(np.arange(101.0)))
        after = threads()

    assert within
    assert all(each == {1} for each in within)
    assert after == {2}
