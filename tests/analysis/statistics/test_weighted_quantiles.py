"""Quantiles and histograms of pairs are those of the values written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from analysis.statistics.weighted_quantiles import (
    PERCENTILES,
    pair_histogram,
    pair_mean,
    pair_quantiles,
)

PAIRS = st.lists(
    st.tuples(st.floats(-50, 50, width=16), st.integers(1, 40)), min_size=1, max_size=12
)


@settings(max_examples=60)
@given(PAIRS)
def test_they_are_those_of_all_values(pairs: list[tuple[float, int]]) -> None:
    values, counts = np.array([value for value, _ in pairs]), np.array([n for _, n in pairs])
    written_out = np.repeat(values, counts)

    quantiles = pair_quantiles(values, counts)
    edges, binned_counts, _ = pair_histogram(values, counts)

    # R's type 6, which JMH computes: place p (n + 1)
    expected = np.percentile(written_out, PERCENTILES, method="weibull")
    np.testing.assert_allclose(quantiles, expected, rtol=0, atol=1e-12)
    assert pair_mean(values, counts) == pytest.approx(written_out.mean(), abs=1e-12)
    if binned_counts.size > 1:
        np.testing.assert_array_equal(binned_counts, np.histogram(written_out, edges)[0])
    assert binned_counts.sum() == counts.sum()


def test_one_invocation_is_every_quantile() -> None:
    assert pair_quantiles(np.array([3.0]), np.array([1])) == [3.0] * len(PERCENTILES)
    assert pair_histogram(np.array([3.0]), np.array([7])).counts.tolist() == [7]


def test_counts_beyond_whole_numbers_are_summed() -> None:
    values, counts = np.arange(2000.0), np.full(2000, 2**53 - 1)

    assert pair_quantiles(values, counts, (0.0, 50.0, 100.0)) == [0.0, 999.0, 1999.0]
    assert pair_mean(values, counts) == pytest.approx(999.5)


def test_far_values_have_bins_in_equal_ratios() -> None:
    histogram = pair_histogram(np.array([1.0, 10.0, 1000.0]), np.array([5, 3, 1]), bins=3)

    np.testing.assert_allclose(histogram.edges, [1, 10, 100, 1000])
    assert (histogram.counts.tolist(), histogram.is_logarithmic) == ([5, 3, 1], True)
