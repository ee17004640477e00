"""Recorded noise: the last calls beside the median around them, drawn in blocks."""

from __future__ import annotations

import numpy as np
import pytest

from corpus.noise import AROUND, BLOCK, KEPT, noise_of_fork, recorded_noise
from demo.catalogue import CATALOGUE

CALLS = KEPT + AROUND - 1


def test_a_ratio_is_a_call_by_the_median_of_the_calls_around_it() -> None:
    calls = [200] * 50 + [100, 110, 90] * ((CALLS - 50) // 3 + 1)
    found = noise_of_fork("w", "Runtime", 3, [7, *calls[:CALLS]])

    assert (found.workload, found.system, found.fork) == ("w", "Runtime", 3)
    assert found.level == 100
    assert found.ratios.shape == (KEPT,)
    assert found.ratios[0] == calls[50] / np.median(calls[:AROUND])
    assert found.ratios[-1] == calls[CALLS - 51] / 100
    assert found.spread == pytest.approx(1.4826 * 0.1)


def test_slow_changes_are_no_noise() -> None:
    growing = noise_of_fork("w", "Runtime", 0, list(range(10_000, 10_000 + CALLS)))

    assert (growing.ratios == 1).all()


def test_noise_is_one_nanosecond_at_least() -> None:
    assert noise_of_fork("w", "Runtime", 0, [500] * CALLS).spread == 1 / 500


def test_too_short_a_fork_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^w, fork 2: found 1099 calls, expected 1100$"):
        noise_of_fork("w", "Runtime", 2, [500] * (CALLS - 1))


def test_blocks_keep_neighbours_together() -> None:
    fork = noise_of_fork("w", "Runtime", 0, np.random.default_rng(1).integers(90, 111, CALLS))  # type: ignore[arg-type]
    drawn = fork.resampled(np.random.default_rng(2), 2 * BLOCK + 7)

    assert drawn.size == 2 * BLOCK + 7
    recorded = np.lib.stride_tricks.sliding_window_view(fork.ratios, BLOCK)
    for first in (0, BLOCK):
        assert (recorded == drawn[first : first + BLOCK]).all(axis=1).any()


def test_every_fork_of_every_workload_has_noise() -> None:
    found = recorded_noise()

    assert list(found) == [each.name for each in CATALOGUE]
    assert {len(forks) for forks in found.values()} == {5}
