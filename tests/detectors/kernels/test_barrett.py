"""Outliers by a centred window against sorting each window."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import Values, as_series
from detectors.kernels.barrett import outliers, percentile_of
from detectors.kernels.windows import insert, middle_of, remove_from_window, slide
from tests.published_data import carried


def percentile(ordered: list[float], percent: float) -> float:
    place = (len(ordered) - 1) * (percent / 100)
    low, high = math.floor(place), math.ceil(place)
    if low == high:
        return ordered[low]
    return ordered[low] * (high - place) + ordered[high] * (place - low)


def by_sorting(x: list[float], size: int) -> list[int]:
    n, half, found = len(x), size // 2, []
    for i in range(n):
        left, right = max(0, i - half), min(n, i + half)
        if left == 0 and right < size:
            continue
        ordered = sorted(x[left:right])
        m = len(ordered)
        middle = (ordered[(m - 1) // 2] + ordered[m // 2]) / 2 if m % 2 == 0 else ordered[m // 2]
        reach = 3.0 * (percentile(ordered, 90) - percentile(ordered, 10))
        if x[i] > middle + reach or x[i] < middle - reach:
            found.append(i)
    return found


@given(
    x=arrays(
        np.float64,
        st.integers(0, 80),
        elements=st.one_of(st.floats(-1e100, 1e100), st.sampled_from([1.0, 1.1, 1.2, 5.0])),
    ),
    size=st.integers(2, 50),
)
@example(x=np.r_[np.sin(np.arange(40.0)), 1e9], size=20)
@example(x=np.full(30, 0.1), size=7)
@example(x=1e-12 * np.r_[np.cos(np.arange(30.0)), 50.0], size=10)
@example(x=np.array([1.0]), size=2)
@example(x=np.r_[np.sin(np.arange(10.0)), 1e9, np.sin(np.arange(19.0))], size=20)  # first judged
def test_outliers_are_those_of_the_sorted_windows(x: Values, size: int) -> None:
    found = outliers(as_series(x), size, 10.0, 90.0, 3.0)

    assert np.flatnonzero(found).tolist() == by_sorting(x.tolist(), size)


def test_percentiles_are_rounded_as_published() -> None:
    vectors = carried("barrett")

    for values, percent, expected in vectors["percentile"]:
        window = np.array(values, dtype=np.float64)
        assert percentile_of(window, window.size, percent) == expected
    for values, expected in vectors["median"]:
        window = np.array(values, dtype=np.float64)
        assert middle_of(window, window.size) == expected


@pytest.mark.parametrize("new", [0.0, 1.5, 3.0, 9.0])
@pytest.mark.parametrize("old", [1.0, 2.0, 3.0])
def test_a_sorted_window_stays_sorted(old: float, new: float) -> None:
    window = np.array([1.0, 2.0, 2.0, 3.0, 0.0])

    slide(window[:4], old, new)
    expected = [1.0, 2.0, 2.0, 3.0, new]
    expected.remove(old)
    assert window[:4].tolist() == sorted(expected)
    insert(window, 4, old)
    assert window.tolist() == sorted([*expected, old])
    remove_from_window(window, 5, new)
    assert window[:4].tolist() == [1.0, 2.0, 2.0, 3.0]
