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
from tests.published_data import carried_vectors


def percentile(sorted_values: list[float], percent: float) -> float:
    rank = (len(sorted_values) - 1) * (percent / 100)
    low, high = math.floor(rank), math.ceil(rank)
    if low == high:
        return sorted_values[low]
    return sorted_values[low] * (high - rank) + sorted_values[high] * (rank - low)


def outlier_indices(x: list[float], size: int) -> list[int]:
    n, half, indices = len(x), size // 2, []
    for i in range(n):
        left, stop = max(0, i - half), min(n, i + half)
        if left == 0 and stop < size:
            continue
        window = sorted(x[left:stop])
        m = len(window)
        middle = (window[(m - 1) // 2] + window[m // 2]) / 2 if m % 2 == 0 else window[m // 2]
        reach = 3.0 * (percentile(window, 90) - percentile(window, 10))
        if x[i] > middle + reach or x[i] < middle - reach:
            indices.append(i)
    return indices


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
    is_outlier = outliers(as_series(x), size, 10.0, 90.0, 3.0)

    assert np.flatnonzero(is_outlier).tolist() == outlier_indices(x.tolist(), size)


def test_percentiles_are_rounded_as_published() -> None:
    vectors = carried_vectors("barrett")

    for values, percent, expected in vectors["percentile"]:
        window = np.array(values, dtype=np.float64)
        assert percentile_of(window, window.size, percent) == expected
    for values, expected in vectors["median"]:
        window = np.array(values, dtype=np.float64)
        assert middle_of(window, window.size) == expected


@pytest.mark.parametrize("new_value", [0.0, 1.5, 3.0, 9.0])
@pytest.mark.parametrize("old_value", [1.0, 2.0, 3.0])
def test_a_sorted_window_stays_sorted(old_value: float, new_value: float) -> None:
    window = np.array([1.0, 2.0, 2.0, 3.0, 0.0])

    slide(window[:4], old_value, new_value)
    expected = [1.0, 2.0, 2.0, 3.0, new_value]
    expected.remove(old_value)
    assert window[:4].tolist() == sorted(expected)
    insert(window, 4, old_value)
    assert window.tolist() == sorted([*expected, old_value])
    remove_from_window(window, 5, new_value)
    assert window[:4].tolist() == [1.0, 2.0, 2.0, 3.0]
