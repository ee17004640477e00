"""Seconds of a series: whole operations, values, configured lengths, or nothing."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.references.iteration_seconds import seconds_until
from formats.iterations import IterationLength

TINY = np.array([3e-5, 2e-5, 1e-5])


def test_many_operations_fill_an_iteration() -> None:
    total = seconds_until(TINY, "s/op", IterationLength(0.1))

    assert total is not None
    assert total == pytest.approx([0, 0.1, 0.2, 0.3], rel=1e-3)  # not the 6e-5 of three operations


def test_one_operation_lasts_as_long_as_it_says() -> None:
    total = seconds_until(TINY, "s/op", IterationLength(None))

    assert total is not None
    assert total == pytest.approx([0, 3e-5, 5e-5, 6e-5])


def test_a_measured_length_is_not_filled_once_more() -> None:
    total = seconds_until(np.array([0.03, 0.04]), "s/op", IterationLength(0.11, measured=True))

    assert total is not None
    assert total.tolist() == [0.0, 0.11, 0.22]


def test_rates_have_the_configured_length() -> None:
    total = seconds_until(np.array([7.0, 8.0]), "ops/s", IterationLength(10.0))

    assert total is not None
    assert total.tolist() == [0, 10, 20]


def test_warm_up_iterations_may_have_a_length_of_their_own() -> None:
    total = seconds_until(TINY, "s/op", IterationLength(1.0, 2, 10.0))

    assert total is not None
    assert total == pytest.approx([0, 10, 20, 21], rel=1e-3)


@pytest.mark.parametrize(
    ("length", "before"),
    [
        (IterationLength(0.1, unrecorded=5, unrecorded_seconds=10.0), 50.0),
        (IterationLength(0.1, unrecorded=5), 0.5),  # as long as the first recorded one
        (IterationLength(None, unrecorded=5), 15e-5),
    ],
)
def test_seconds_count_from_the_start_of_the_process(
    length: IterationLength, before: float
) -> None:
    total = seconds_until(TINY, "s/op", length)

    assert total is not None
    assert total[0] == pytest.approx(before, rel=1e-3)
    assert total - total[0] == pytest.approx(
        seconds_until(TINY, "s/op", IterationLength(length.seconds))
    )


def test_nothing_known_is_nothing_told() -> None:
    assert seconds_until(TINY, "s/op", None) is None


@pytest.mark.parametrize(
    ("unit", "length"),
    [
        ("s/op", IterationLength(0.1, unrecorded=5)),
        ("s/op", IterationLength(None, unrecorded=2)),
        ("ops/s", IterationLength(0.01, 5, 1.0)),
    ],
)
def test_series_of_one_length_have_the_seconds_of_each(unit: str, length: IterationLength) -> None:
    many_values = np.abs(np.random.default_rng(1).normal(1e-5, 1e-6, (3, 50)))

    joint_seconds = seconds_until(many_values, unit, length)

    assert joint_seconds is not None
    assert joint_seconds.tolist() == [
        seconds_until(values, unit, length).tolist()  # type: ignore[union-attr]
        for values in many_values
    ]
