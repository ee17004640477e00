"""Levinson's recursion against every order solved by itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detectors.contract import Values
from detectors.intervals.autocorrelation import correlations
from detectors.kernels.spectrum import density_of_least_aic
from evidence.oracles.mcmc_oracle import spectrum0_ar

NOISE = np.random.default_rng(7).standard_normal(300)
SERIES = {
    "white": NOISE,
    "walk": np.cumsum(NOISE),
    "alternating": NOISE + 3 * (-1.0) ** np.arange(300),
    "giant": np.r_[1e9, NOISE[1:]],
    "tiny": NOISE * 1e-12,
    "shortest": np.array([0.0, 2.0, 1.0]),
}


@pytest.mark.parametrize("series", SERIES.values(), ids=SERIES)
def test_agrees_with_every_order_solved_by_itself(series: Values) -> None:
    n = series.size
    most_lags = min(n - 2, math.floor(10 * math.log10(n)))

    density = series.var() * density_of_least_aic(correlations(series, most_lags), n)

    assert density == pytest.approx(spectrum0_ar(series), rel=1e-9)


def test_a_unit_root_has_no_bounded_density() -> None:
    assert density_of_least_aic(np.ones(3), 100) == math.inf


def test_an_order_that_costs_more_than_it_explains_is_not_taken() -> None:
    """By Akaike's criterion order 1 has to explain more than 2 of n log(variance)."""
    n = 100
    small_coefficient, large_coefficient = (
        math.sqrt(1 - math.exp(-gain / n)) for gain in (1.5, 2.5)
    )

    assert density_of_least_aic(np.array([1.0, small_coefficient]), n) == pytest.approx(n / (n - 1))
    assert density_of_least_aic(np.array([1.0, large_coefficient]), n) > 1.1 * n / (n - 1)
