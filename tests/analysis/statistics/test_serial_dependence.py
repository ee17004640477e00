"""Autocorrelation and its bands against the definition, written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from analysis.statistics.serial_dependence import (
    Values,
    autocorrelation,
    lag_pairs,
    most_lags,
    shuffle_values,
)
from tests.published_data import replication_folder


def by_definition(x: Values, lag: int) -> float:
    deviations = x - x.mean()
    return float((deviations[: x.size - lag] * deviations[lag:]).sum() / (deviations**2).sum())


@pytest.mark.parametrize(
    ("values", "correlations"),
    [
        ([1, 2, 3, 4, 5], [1, 0.4, -0.1, -0.4, -0.4]),
        ([1, -1, 1, -1, 1, -1], [1, -5 / 6, 4 / 6, -3 / 6]),
    ],
)
def test_small_series_have_the_correlations_of_the_definition(
    values: list[float], correlations: list[float]
) -> None:
    correlation = autocorrelation(np.array(values, float), len(correlations) - 1)

    assert correlation is not None
    assert correlation.r == pytest.approx(correlations)


@given(
    arrays(np.float64, st.integers(2, 60), elements=st.floats(-1e3, 1e3, width=16)),
    st.integers(1, 59),
)
def test_every_lag_equals_the_sum_written_out(values: Values, lag: int) -> None:
    lag = min(lag, values.size - 1)
    correlation = autocorrelation(values, lag)

    if values.min() == values.max():
        assert correlation is None
        return
    assert correlation is not None
    assert correlation.r[lag] == pytest.approx(by_definition(values, lag), abs=1e-9)
    assert np.abs(correlation.r).max() <= 1


@given(st.integers(1, 50), st.sampled_from([1e-300, 1e-9, 1.0, 1e300]))
def test_units_and_offsets_change_nothing(seed: int, unit: float) -> None:
    noise = np.random.default_rng(seed).normal(5, 1, 64)
    plain_correlation, scaled_correlation = autocorrelation(noise), autocorrelation(noise * unit)

    assert plain_correlation is not None
    assert scaled_correlation is not None
    assert scaled_correlation.r == pytest.approx(plain_correlation.r, abs=1e-9)


def test_bands_and_test_are_those_of_white_noise() -> None:
    noise = np.random.default_rng(7).normal(size=400)
    correlation = autocorrelation(noise)

    assert correlation is not None
    assert correlation.lags == most_lags(400) == 26
    assert correlation.band == pytest.approx(1.96 / math.sqrt(400))
    assert correlation.bartlett[1] == pytest.approx(correlation.band)
    earlier_sum = 1 + 2 * (correlation.r[1:5] ** 2).sum()
    assert correlation.bartlett[5] == pytest.approx(correlation.band * math.sqrt(earlier_sum))
    q = 400 * 402 * sum(correlation.r[h] ** 2 / (400 - h) for h in range(1, 27))
    assert correlation.q == pytest.approx(q)
    assert 0 <= correlation.p <= 1


def test_the_rest_of_a_published_series_is_like_noise() -> None:
    x = np.load(replication_folder() / "series.npz")["fork0"][10][2500:3000]
    correlation = autocorrelation(x)

    assert correlation is not None
    assert (correlation.n, correlation.lags, correlation.outside) == (500, 26, 1)
    assert correlation.band == pytest.approx(0.0876539, abs=1e-7)
    assert correlation.r[1:3] == pytest.approx([-0.0104296, -0.0113477], abs=1e-7)
    assert (correlation.q, correlation.p) == (pytest.approx(11.0571794), pytest.approx(0.9953590))


def test_pairs_are_a_lag_apart() -> None:
    earlier_values, later_values = lag_pairs(np.array([1.0, 2.0, 4.0]), 1)

    assert list(zip(earlier_values, later_values, strict=True)) == [(1, 2), (2, 4)]
    with pytest.raises(ValueError, match="lag must be 1 to 2 for 3 values; got 3"):
        lag_pairs(np.ones(3), 3)


@pytest.mark.parametrize(("n", "most"), [(0, 0), (1, 0), (2, 1), (10, 9), (500, 26), (3000, 34)])
def test_lags_drawn_grow_slowly_and_stay_below_the_length(n: int, most: int) -> None:
    assert most_lags(n) == most


def test_shuffling_keeps_the_values_and_repeats_itself() -> None:
    values = np.arange(100.0)
    shuffled_values = shuffle_values(values, 3)

    assert sorted(shuffled_values) == list(values)
    assert list(shuffled_values) == list(shuffle_values(values, 3))
    assert list(shuffled_values) != list(shuffle_values(values, 4))
