"""Steps before a method: each by its definition, one value at a time."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import Values, as_series
from detectors.preparation.steps import STEPS, Step
from detectors.shapes.series_shape import shape_of

RANDOM = np.random.default_rng(3)


def mirrored_value(values: Values, index: int) -> float:
    """The value at an index that may lie beyond either end."""
    last = values.size - 1
    return float(values[last - abs(last - abs(index))])


def values_around(values: Values, i: int, width: int) -> list[float]:
    return [mirrored_value(values, i + k) for k in range(-(width // 2), width // 2 + 1)]


def values_after(step: Step, values: Values) -> Values:
    return STEPS[step](values, shape_of(values))


def noisy_values(n: int = 120) -> Values:
    values = 1 + 0.01 * RANDOM.standard_normal(n)
    values[[0, 30, 77, n - 1]] = 9.0
    return as_series(values)


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e250])
def test_a_median_of_five(scale: float) -> None:
    values = as_series(scale * noisy_values())
    expected = [sorted(values_around(values, i, 5))[2] for i in range(values.size)]

    np.testing.assert_array_equal(values_after("median", values), expected)


@pytest.mark.parametrize("scale", [1.0, 1e250])
def test_outliers_become_the_median_around_them_and_others_stay(scale: float) -> None:
    values = as_series(scale * noisy_values())
    expected = []
    for i, value in enumerate(values.tolist()):
        window = np.array(values_around(values, i, 25)) / scale
        middle = np.median(window)
        deviation = 1.4826 * np.median(np.abs(window - middle))
        is_outlier = abs(value / scale - middle) > 3.5 * deviation
        expected.append(scale * middle if is_outlier else value)

    prepared_values = values_after("outliers", values)

    np.testing.assert_allclose(prepared_values, expected, rtol=1e-12)
    assert (prepared_values[[30, 77]] < 2 * scale).all()
    assert (prepared_values == values).sum() > 90


def test_cycles_go_and_a_step_stays() -> None:
    t = np.arange(600)
    level = np.where(t < 200, 2.0, 1.0)
    values = as_series(
        level + 0.3 * np.sin(2 * np.pi * t / 12) + 0.01 * RANDOM.standard_normal(600)
    )

    prepared_values = values_after("cycles", values)

    assert np.abs(prepared_values - level)[np.abs(t - 200) > 12].max() < 0.1
    assert prepared_values[150:190].mean() - prepared_values[210:250].mean() == pytest.approx(
        1, abs=0.02
    )


def test_without_a_cycle_nothing_changes() -> None:
    values = as_series(1 + 0.01 * RANDOM.standard_normal(300))

    assert values_after("cycles", values) is values
