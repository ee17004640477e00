"""The filtered variances against weights written out, and values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import NEVER, Values, as_series
from detectors.kernels.variance_ratio import START, STATE, all_ratios, first_small_ratio
from evidence.oracles.ratio_oracle import ratios_by_definition

weights = st.floats(0.01, 1.0)


@given(
    x=arrays(np.float64, st.integers(10, 120), elements=st.floats(0.5, 50).map(np.float32)),
    level=weights,
    spread=weights,
    change=st.floats(0.01, 0.9),
)
def test_ratios_are_those_of_the_definition(
    x: Values, level: float, spread: float, change: float
) -> None:
    expected = ratios_by_definition(x, level, spread, change)

    ratios = all_ratios(as_series(x), level, spread, change)

    if np.ptp(x) > 1e-3 and x[:START].var() > 1e-6:
        np.testing.assert_allclose(ratios, expected, rtol=1e-6)


def ripple(n: int) -> Values:
    i = np.arange(n)
    return ((7 * i * i + 3 * i) % 11) / 10


I90 = np.arange(90)
FALLING = np.where(I90 < 40, 10 - 0.2 * I90, 2) + ripple(90)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (
            FALLING,
            {10: 1.04851114, 11: 1.32875258, 12: 1.35467687, 20: 5.20492099, 40: 37.98478598}
            | {51: 49.24937392, 89: 17.63225339},
        ),
        (5 + ripple(90), {10: 0.985, 50: 0.60867634, 51: 0.6126508, 89: 0.61444236}),
        (20 - 0.2 * I90 + ripple(90), {51: 64.55797921}),
    ],
)
def test_ratios_worked_out(x: Values, expected: dict[int, float]) -> None:
    ratios = all_ratios(as_series(x), 0.03, 0.05, 0.05)

    assert np.isnan(ratios[:START]).all()
    assert {i: ratios[i] for i in expected} == {
        i: pytest.approx(record, abs=1e-8) for i, record in expected.items()
    }


def test_the_first_ten_values_count_as_their_mean() -> None:
    state = np.zeros(STATE)

    first_small_ratio(as_series(FALLING[:11]), 0, state, 0.03, 0.05, 0.05, 1.2)

    assert state[:4] == pytest.approx([9.467, 0.4994, 0.9383, 8.4])


@pytest.mark.parametrize("exponent", [-1060, -900, -400, 400, 1000, 1018])
def test_powers_of_two_change_nothing(exponent: int) -> None:
    expected = all_ratios(as_series(FALLING), 0.03, 0.05, 0.05)

    ratios = all_ratios(as_series(np.ldexp(FALLING, exponent)), 0.03, 0.05, 0.05)

    np.testing.assert_allclose(ratios, expected, rtol=1e-12 if exponent > -1000 else 1e-2)


def test_values_may_outgrow_the_first_ten_by_any_factor() -> None:
    x = np.r_[1e-300 * (1 + ripple(60)), 1e300 * (1 + ripple(500))]

    ratios = all_ratios(as_series(x), 0.03, 0.05, 0.05)

    assert np.isfinite(ratios[START:]).all()
    assert ratios[-1] == pytest.approx(0.61, abs=0.05)


@pytest.mark.parametrize("x", [np.full(70, 2.0), np.full(70, 0.1), np.zeros(70)])
def test_a_constant_has_no_ratio(x: Values) -> None:
    assert np.isnan(all_ratios(as_series(x), 0.03, 0.05, 0.05)).all()


def test_a_change_that_only_one_filter_has_seen_is_infinite() -> None:
    ratios = all_ratios(as_series([1.0] * 10 + [2.0, 2.0]), 0.5, 0.5, 1.0)

    assert ratios[-1] == math.inf


def test_reading_on_is_reading_at_once() -> None:
    x, state = as_series(5 + ripple(90)), np.zeros(STATE)

    assert first_small_ratio(x[:45], 0, state, 0.03, 0.05, 0.05, 1.2)[0] == NEVER
    assert first_small_ratio(x, 45, state, 0.03, 0.05, 0.05, 1.2)[0] == 51
