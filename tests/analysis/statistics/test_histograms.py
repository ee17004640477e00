"""Histograms: round edges, nothing lost, two standard deviations around the mean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from analysis.statistics.histograms import histogram, normal_counts, round_step


def test_bins_are_half_open_and_zero_is_an_edge() -> None:
    bins = histogram(np.array([-10.0, -1.0, 0.0, 0.0, 4.5, 5.0, np.nan]), wanted_bins=3)

    assert bins.edges == (-10, -5, 0, 5, 10)
    assert bins.counts == (1, 1, 3, 1)
    assert bins.n == 6


def test_two_standard_deviations_stand_around_the_mean() -> None:
    assert histogram(np.array([1.0, 3.0])).two_sd == (0, 4)
    assert histogram(np.array([np.nan])).two_sd is None


@given(st.lists(st.integers(-1_000_000, 1_000_000), min_size=1, max_size=50), st.integers(2, 60))
def test_every_value_is_in_one_bin(values: list[int], about: int) -> None:
    bins = histogram(np.array(values, np.float64), about)

    expected, _ = np.histogram(values, bins=[*bins.edges[:-1], bins.edges[-1] - 0.5])
    assert list(bins.counts) == expected.tolist()
    assert sum(bins.counts) == bins.n == len(values)
    assert len(bins.counts) <= 2 * about + 2


def test_steps_are_round() -> None:
    assert [round_step(reach, 10) for reach in (0, 3, 11, 20, 51, 3000)] == [1, 1, 2, 2, 10, 500]


def test_the_normal_curve_counts_what_its_distribution_would() -> None:
    values = np.random.default_rng(2).normal(100, 40, 500)
    bins = histogram(values)

    middles = (np.array(bins.edges[1:]) + np.array(bins.edges[:-1])) / 2
    heights = normal_counts(bins, middles)

    width = bins.edges[1] - bins.edges[0]
    expected = stats.norm.pdf(middles, values.mean(), values.std()) * width * 500
    assert heights == pytest.approx(expected)
    assert heights.sum() == pytest.approx(500, rel=0.02)


@pytest.mark.parametrize("values", [[], [7.0], [7.0, 7.0]])
def test_without_a_deviation_there_is_no_normal_curve(values: list[float]) -> None:
    assert normal_counts(histogram(np.array(values)), np.arange(3.0)).size == 0
