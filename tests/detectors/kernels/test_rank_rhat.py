"""Ranks of R-hat: sorted by shares or, where that would take long, not at all."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import Values, as_series
from detectors.kernels.rank_rhat import distances, sort_with_places

NOISE = np.random.default_rng(3).standard_normal(1000)
QUICK = {
    "noise": NOISE,
    "walk": np.cumsum(NOISE),
    "few giants": np.r_[1e100, NOISE, -1e100],
    "ties": np.round(NOISE, 1),
    "four": np.array([3.0, 1.0, 2.0, 1.0]),
    "tiny": NOISE * 1e-300,
}
LONG = {
    "constant": np.full(200, 0.1),
    "levels far apart": np.r_[NOISE, NOISE + 1e9],
    "many scales": np.exp(40 * NOISE),
}


@pytest.mark.parametrize("values", QUICK.values(), ids=QUICK)
def test_values_are_sorted_with_their_places(values: Values) -> None:
    sorted_values, sorted_indices = sort_with_places(as_series(values))

    assert sorted_values.tolist() == np.sort(values).tolist()
    assert np.sort(sorted_indices).tolist() == list(range(values.size))
    assert values[sorted_indices].tolist() == sorted_values.tolist()


@pytest.mark.parametrize("values", LONG.values(), ids=LONG)
def test_what_would_take_long_is_left(values: Values) -> None:
    sorted_values, sorted_indices = sort_with_places(as_series(values))

    assert sorted_values.size == sorted_indices.size == 0


@pytest.mark.parametrize("name", ["noise", "walk", "few giants", "ties", "four"])
def test_distances_from_the_median_are_merged_in_order(name: str) -> None:
    sorted_values = np.sort(QUICK[name])
    chains = np.arange(sorted_values.size)

    sorted_distances, chain_numbers = distances(sorted_values, chains)

    expected = np.abs(sorted_values - np.median(sorted_values))
    assert sorted_distances.tolist() == np.sort(expected).tolist()
    assert expected[chain_numbers].tolist() == sorted_distances.tolist()
