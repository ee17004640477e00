"""The statistics of batches against NumPy's own fit, mean and variance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import NEVER, Values, as_series
from detectors.kernels.batches import first_below, numpy_sum, statistic
from evidence.oracles.batches_oracle import WHICH, defined_statistics, kernel_statistics, variances

SERIES_A = [float(each) for each in "97654434333323333333233323333"]


@given(
    test=st.sampled_from(sorted(WHICH)),
    values=arrays(np.float64, st.integers(1, 120), elements=st.floats(-1e3, 1e3).map(np.float32)),
    batch=st.integers(2, 40),
)
@example(test="means", values=np.r_[1e6, np.full(19, 1.0)], batch=5)  # a giant
@example(test="variances", values=np.full(20, 0.1), batch=15)  # equal values, uneven in binary
@example(test="slope", values=1e-9 * np.arange(7.0), batch=3)  # tiny, and a last batch of one
def test_statistics_are_those_of_the_definition(test: str, values: Values, batch: int) -> None:
    expected = defined_statistics(test, values, batch)

    statistics = kernel_statistics(test, values, batch)

    # Where a batch is all but constant, the rounding of its variance is all there is.
    near_statistics = [
        pytest.approx(statistic, rel=1e-6, abs=1e-9, nan_ok=True) for statistic in expected
    ]
    assert statistics == near_statistics


@given(values=arrays(np.float64, st.integers(1, 700), elements=st.floats(-1e9, 1e9)))
def test_sums_round_as_numpys(values: Values) -> None:
    assert numpy_sum(values, 0, values.size) == values.sum()


@pytest.mark.parametrize("value", [2e-9, 0.1, 0.7937720320000001, 1.2100567, 14.948499456])
def test_a_constant_batch_has_the_variance_that_numpy_rounds(value: float) -> None:
    values = np.full(30, value)

    assert kernel_statistics("variances", values, 15) == [
        pytest.approx(variances(values[:15], values[15:]), nan_ok=True)
    ]


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("slope", [0.8760580506, 0.1973955598, 0, 0, 0, 0]),
        ("means", [3.5, 2.1213203436, 1.1180339887, 1.8257418584, 1.8257418584]),
        ("variances", [12.3333333333, 1.5, math.inf, math.inf, math.inf]),
    ],
)
def test_statistics_worked_out(test: str, expected: list[float]) -> None:
    statistics = kernel_statistics(test, as_series(SERIES_A), 5)

    assert statistics == [pytest.approx(statistic, abs=1e-10) for statistic in expected]


@given(
    test=st.sampled_from(["means", "variances"]),
    values=arrays(np.float64, 40, elements=st.floats(0.5, 2.0)),
    exponent=st.sampled_from([-1000, -500, -30, 30, 500, 1000]),
)
def test_powers_of_two_change_no_digit(test: str, values: Values, exponent: int) -> None:
    scaled_values = np.ldexp(values, exponent)

    assert kernel_statistics(test, scaled_values, 8) == [
        pytest.approx(statistic, rel=0, abs=0, nan_ok=True)
        for statistic in kernel_statistics(test, values, 8)
    ]


@given(
    test=st.sampled_from(sorted(WHICH)),
    values=arrays(np.float64, st.integers(20, 90), elements=st.floats(-9, 9).map(np.float32)),
    batch=st.integers(2, 9),
    critical=st.floats(0.01, 3.0),
)
def test_the_first_below_is_the_first_of_all(
    test: str, values: Values, batch: int, critical: float
) -> None:
    values = as_series(values)
    all_statistics = np.array(defined_statistics(test, values, batch))
    assume(not (np.abs(all_statistics - critical) < 1e-6).any())  # no tie that rounding may decide
    passing_indices = np.flatnonzero(all_statistics < critical)
    least_count = 1 if test == "slope" else batch + 1

    start, stop, last_statistic = first_below(values, 0, least_count, batch, WHICH[test], critical)

    if not passing_indices.size:
        assert (start, stop) == (NEVER, all_statistics.size * batch)
        return
    assert (start, stop) == (passing_indices[0] * batch, (passing_indices[0] + 1) * batch)
    assert last_statistic == statistic(values, start, batch, WHICH[test])


@pytest.mark.parametrize("test", sorted(WHICH))
def test_nothing_to_judge_is_no_answer(test: str) -> None:
    start, stop, last_statistic = first_below(as_series([]), 0, 1, 15, WHICH[test], 1.0)

    assert (start, stop) == (NEVER, 0)
    assert math.isnan(last_statistic)


def test_the_slope_of_values_whose_double_is_no_number_of_their_own() -> None:
    """From 2**53 on every other integer is missing: deviations are taken before any sum."""
    [angle] = kernel_statistics("slope", 2.0**52 + np.arange(10.0), 10)

    assert angle == pytest.approx(math.atan(1))


@pytest.mark.parametrize("count", [7, 8, 9, 127, 128, 129, 136, 255, 256, 257, 264, 1000])
def test_sums_of_piece_lengths_round_as_numpys(count: int) -> None:
    values = np.random.default_rng(count).normal(0, 1e6, (20, count)) ** 3

    assert [numpy_sum(row, 0, count) for row in values] == [row.sum() for row in values]
