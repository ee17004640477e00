"""Quantiles beside those of SciPy, and what has a closed form."""

from __future__ import annotations

import math

import pytest
from scipy.special import chdtri, stdtrit

from detectors.intervals.quantiles import chi_squared_quantile, student_quantile


@pytest.mark.parametrize("freedom", [1, 1.5, 2, 4.7, 9, 29, 39.9, 40.1, 100, 12_345.6, 1e7])
@pytest.mark.parametrize("probability", [0.5, 0.6, 0.9, 0.975, 0.9995, 0.025, 0.001])
def test_student_as_scipy(probability: float, freedom: float) -> None:
    expected = float(stdtrit(freedom, probability))

    assert student_quantile(probability, freedom) == pytest.approx(expected, rel=2e-12, abs=1e-15)


@pytest.mark.parametrize("freedom", [0.5, 1, 2, 9, 29, 99, 9999, 10**6])
@pytest.mark.parametrize("tail", [0.01, 0.05, 0.5, 0.8, 0.95, 0.99])
def test_chi_squared_as_scipy(tail: float, freedom: float) -> None:
    expected = float(chdtri(freedom, tail))

    assert chi_squared_quantile(tail, freedom) == pytest.approx(expected, rel=1e-9)


def test_closed_forms() -> None:
    assert student_quantile(0.975, 1) == pytest.approx(math.tan(0.475 * math.pi), rel=1e-14)
    assert student_quantile(0.9, 2) == pytest.approx(0.8 / math.sqrt(2 * 0.9 * 0.1), rel=1e-14)
    assert chi_squared_quantile(0.3, 2) == pytest.approx(-2 * math.log(0.3), rel=1e-14)
