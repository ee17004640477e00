"""The set M with its mean and interval, at its edges."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.intervals.measured_set import MeasuredSet, mean_and_interval


@pytest.mark.parametrize(
    ("values", "expected"),
    [((), (None, None, None)), ((2.0,), (2.0, None, None)), ((2.0, 2.0), (2.0, 2.0, 2.0))],
)
def test_of_no_value_of_one_and_of_equal_ones(
    values: tuple[float, ...], expected: tuple[float | None, ...]
) -> None:
    assert mean_and_interval(values) == expected


@pytest.mark.parametrize("scale", [1.0, 1e300, 1e-300])
def test_the_interval_is_that_of_the_mean(scale: float) -> None:
    values = scale * (1 + 0.1 * np.random.default_rng(1).standard_normal(400))

    mean, low, high = mean_and_interval(values.tolist())

    error = 1.96 * 0.1 / 20
    assert mean is not None
    assert mean / scale == pytest.approx((values / scale).mean())
    assert low == pytest.approx(mean - error * scale, rel=0.002)
    assert high == pytest.approx(mean + error * scale, rel=0.002)


def test_the_record_says_all_but_the_values() -> None:
    measured_set = MeasuredSet.from_values([1, 3], 7, at_cap=True)

    assert measured_set.as_record() == {
        "first": 7, "n": 2, "at_cap": True, "mean": 2.0, "low": 1.0, "high": 3.0,
    }  # fmt: skip
    assert measured_set.words == "measured 2 values from 7 (the cap): mean 2, 95 % from 1 to 3"
