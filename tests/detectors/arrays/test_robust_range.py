"""The rule of the y-range: sample vectors shared with the browser, and a plain oracle."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from hypothesis import given, strategies as st

from detectors.arrays.robust_range import RULE, plateau_band, robust_range, running_median

SHARED = json.loads((Path(__file__).parents[2] / "range_vectors.json").read_text())
levels = st.lists(st.integers(-50, 50).map(float) | st.just(1e6), min_size=1, max_size=80)


def unfolded(parts: list[tuple[list[float], int]]) -> np.ndarray:
    """Values of a vector: lists, each of them so many times."""
    return np.array([value for values, times in parts for value in values * times], dtype=float)


@pytest.mark.parametrize("vector", SHARED["vectors"], ids=lambda vector: vector["name"])
def test_agrees_with_the_vectors_that_the_browser_is_held_to(vector: dict) -> None:
    values = unfolded(vector["parts"])

    low, high = robust_range(values)

    assert (low, high) == pytest.approx(vector["range"], rel=1e-9)
    assert plateau_band(values) == tuple(vector["band"])
    assert int(((values < low) | (values > high)).sum()) == vector["cut"]


def test_the_vectors_are_of_the_rule_of_today() -> None:
    assert SHARED["rule"] == RULE


@given(levels)
def test_agrees_with_a_plain_oracle(values: list[float]) -> None:
    bounds = robust_range(np.array(values))

    assert bounds == pytest.approx(defined_range(values), rel=1e-9, abs=1e-9)


def defined_range(values: list[float]) -> tuple[float, float]:
    """Sorted lists and loops, as the rule is told."""
    n = len(values)
    if n < 15:
        low, high = min(values), max(values)
    else:
        medians = sorted(median(values[max(0, index - 7) : index + 8]) for index in range(n))
        half = sorted(values[n // 2 :])
        inner_index = int(0.95 * (len(half) - 1) + 1e-9)
        bottom, top = half[len(half) - 1 - inner_index], half[inner_index]
        quarter = (top - bottom) / 4
        low = min(interpolate(medians, 0.002), bottom - quarter)
        high = max(interpolate(medians, 0.998), top + quarter)
    pad = 0.05 * (high - low) or 0.05 * abs(high) or 1
    return low - pad, high + pad


def interpolate(sorted_values: list[float], share: float) -> float:
    position = share * (len(sorted_values) - 1)
    index_below = int(position)
    index_above = min(index_below + 1, len(sorted_values) - 1)
    return sorted_values[index_below] + (position - index_below) * (
        sorted_values[index_above] - sorted_values[index_below]
    )


@pytest.mark.parametrize("place", [0, 1, 20, 38, 39])
def test_one_spike_never_counts_and_a_level_of_a_fifth_always_does(place: int) -> None:
    flat_values = np.tile([8.0, 9.0], 20)
    spike, level = flat_values.copy(), flat_values.copy()
    spike[place] = 1e6
    level[8 * (place // 8) : 8 * (place // 8) + 8] = 1e6

    assert robust_range(spike)[1] < 10
    assert robust_range(level)[1] > 1e6


def test_a_running_median_is_of_as_many_values_as_there_are_at_the_ends() -> None:
    values = np.arange(20.0) ** 2

    medians = running_median(values)

    assert medians[[0, 1, 10, 18, 19]].tolist() == [12.5, 16.0, 100.0, 225.0, 240.5]
