"""The bootstrap of a median against resampling said outright."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from analysis.statistics.bootstrap import BootstrapSettings, _draw_ranks, median_interval


@pytest.mark.parametrize("n", [1, 2, 3, 4, 9, 10, 101])
def test_drawn_ranks_have_the_distribution_of_resamples(n: int) -> None:
    """A rank is at most r if at least `middle` of n uniform draws are: a binomial tail."""
    lower_ranks, upper_ranks = _draw_ranks(n, 200_000, 0)

    for ranks, middle in ((lower_ranks, (n + 1) // 2), (upper_ranks, n // 2 + 1)):
        at_most = np.cumsum(np.bincount(ranks, minlength=n)) / ranks.size
        expected = stats.binom.sf(middle - 1, n, np.arange(1, n + 1) / n)
        # Four standard errors of a share of 200,000 draws.
        assert np.abs(at_most - expected).max() < 4 * 0.5 / np.sqrt(ranks.size)


@pytest.mark.parametrize("n", [2, 4, 10])
def test_both_middles_are_drawn_together(n: int) -> None:
    """For even n the sum of the middle ranks, against resampling each value."""
    lower_ranks, upper_ranks = _draw_ranks(n, 200_000, 0)
    resamples = np.sort(np.random.default_rng(1).integers(0, n, size=(200_000, n)), axis=1)
    middles = resamples[:, n // 2 - 1] + resamples[:, n // 2]

    shares = np.bincount(lower_ranks + upper_ranks, minlength=2 * n) / lower_ranks.size
    expected = np.bincount(middles, minlength=2 * n) / middles.size
    # Two samples of 200,000, so twice the variance of one share.
    assert np.abs(shares - expected).max() < 4 * 0.5 * np.sqrt(2 / lower_ranks.size)


def test_the_interval_is_repeated_by_its_seed_and_holds_the_median() -> None:
    values = np.random.default_rng(3).exponential(100, 200)

    low, high = median_interval(values, BootstrapSettings()) or (0, 0)

    assert (low, high) == median_interval(values[::-1], BootstrapSettings())
    assert low < np.median(values) < high
    few_settings = BootstrapSettings(repeats=40)
    assert median_interval(values, few_settings) != median_interval(
        values, replace(few_settings, seed=1)
    )
    narrow_interval = median_interval(values, BootstrapSettings(level=0.5)) or (0, 0)
    assert low < narrow_interval[0] < narrow_interval[1] < high


@pytest.mark.parametrize("n", [1, 2, 3, 10, 101, 400])
@pytest.mark.parametrize("repeats", [1, 2, 40, 10_000])
def test_the_interval_is_that_of_all_resamples(n: int, repeats: int) -> None:
    values = np.round(np.random.default_rng(n).exponential(100, n))
    bootstrap = BootstrapSettings(repeats=repeats)

    lower_ranks, upper_ranks = _draw_ranks(n, repeats, 0)
    sorted_values = np.sort(values)

    assert median_interval(values, bootstrap) == bootstrap.bounds(
        (sorted_values[lower_ranks] + sorted_values[upper_ranks]) / 2
    )


def test_one_value_and_none() -> None:
    assert median_interval(np.array([7.0]), BootstrapSettings()) == (7.0, 7.0)
    assert median_interval(np.array([]), BootstrapSettings()) is None
