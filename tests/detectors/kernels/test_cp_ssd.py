"""Outliers by sliding windows against sorted ones; resamples against the generator's definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import Values, as_series
from detectors.kernels.cp_ssd import outliers, resample_means, segment_spread

MASK = (1 << 64) - 1
some = arrays(
    np.float64,
    st.integers(2, 60),
    elements=st.one_of(st.floats(-1e100, 1e100), st.integers(0, 3).map(float)),
)


def window_outliers(x: Values, size: int, low: float, high: float, band: float) -> list[int]:
    """The definition: each window sorted by itself, and every value of it judged."""
    windows = np.lib.stride_tricks.sliding_window_view(x, size)
    middle = np.median(windows, axis=1)
    lows, highs = np.quantile(windows, [low, high], axis=1)
    indices = set()
    for begin, window in enumerate(windows):
        reach = band * (highs[begin] - lows[begin])
        is_beyond = (window > middle[begin] + reach) | (window < middle[begin] - reach)
        indices |= set((begin + np.flatnonzero(is_beyond)).tolist())
    return sorted(indices)


@given(x=some, share=st.floats(0, 1), low=st.floats(0, 0.5), band=st.sampled_from([0.0, 0.4, 3.0]))
@example(x=np.r_[1e9, np.sin(np.arange(40.0))], share=0.3, low=0.1, band=3.0)
@example(x=np.full(30, 0.1), share=0.5, low=0.01, band=3.0)
@example(x=1e-12 * np.r_[np.cos(np.arange(30.0)), 50.0], share=0.5, low=0.1, band=3.0)
def test_outliers_are_those_of_every_sorted_window(
    x: Values, share: float, low: float, band: float
) -> None:
    size = max(2, int(share * x.size))

    is_outlier = outliers(as_series(x), size, low, 1 - low, band)

    assert np.flatnonzero(is_outlier).tolist() == window_outliers(x, size, low, 1 - low, band)


@pytest.mark.parametrize(("distance", "expected"), [(150, [150, 300, 450]), (20, [])])
def test_many_spikes_protect_each_other(distance: int, expected: list[int]) -> None:
    i = np.arange(600)
    x = 1 + 0.01 * np.sin(i**2.0) + 8.0 * (i % distance == 0) * (i > 0)

    assert np.flatnonzero(outliers(as_series(x), 200, 0.01, 0.99, 3.0)).tolist() == expected


def splitmix(state: int) -> int:
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def mean_by_definition(x: Values, key: int, number: int) -> float:
    """The resample of that number: two places from each word of the stream."""
    half = (x.size + 1) // 2
    places: list[int] = []
    for pair in range(half):
        word = splitmix((key + (number * half + pair) * 0x9E3779B97F4A7C15) & MASK)
        places += [(word >> 32) * x.size >> 32, (word & 0xFFFFFFFF) * x.size >> 32]
    return float(sum(x[places[: x.size]].tolist()) / x.size)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 31])
def test_resamples_are_those_of_the_generator(n: int) -> None:
    x, key = 1 + np.arange(n) / 7, 0xFEDCBA9876543210

    with np.errstate(over="ignore"):
        means = resample_means(as_series(x), np.array([key], dtype=np.uint64), 5, 20)

    assert means.tolist() == [mean_by_definition(x, key, 5 + i) for i in range(20)]


def test_every_place_is_drawn_alike() -> None:
    x = (np.arange(7) == 3).astype(np.float64)

    with np.errstate(over="ignore"):
        means = resample_means(as_series(x), np.array([1], dtype=np.uint64), 0, 40_000)

    # Seven draws of a one in seven: binomial, four standard errors.
    assert means.mean() == pytest.approx(1 / 7, abs=4 * (6 / 49 / 7 / 40_000) ** 0.5)
    assert means.var() == pytest.approx(6 / 49 / 7, rel=0.05)


@given(x=some)
def test_spread_of_a_segment(x: Values) -> None:
    mean, minimum, maximum, variance = segment_spread(as_series(x))

    assert (minimum, maximum) == (x.min(), x.max())
    assert mean == pytest.approx(x.mean(), abs=1e-9 * np.abs(x).max())
    assert variance == pytest.approx(x.var(), rel=1e-6, abs=1e-15 * np.abs(x).max() ** 2)
