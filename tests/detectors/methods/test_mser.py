"""MSER-5 as a detector: worked by hand, when it says never, evidence."""

from __future__ import annotations

import json

import numpy as np
import pytest

from detectors.contract import (
    NEVER,
    Context,
    Curve,
    Detection,
    Events,
    TooShort,
    as_json,
    as_series,
)
from detectors.methods.mser import Mser
from detectors.simulated.synthetic import simulate

FALLS_AT_10 = np.r_[np.full(10, 9.0), np.tile([1.0, 2.0, 1.0, 2.0, 1.5], 8)]


def test_cuts_off_what_makes_the_mean_worse() -> None:
    assert Mser().answer(FALLS_AT_10) == Detection(10, published_index=10)
    assert Mser(batch=1).answer(FALLS_AT_10).steady_start == 10


def test_batches_give_multiples_of_their_length() -> None:
    assert Mser().answer(np.r_[9.0, 9.0, FALLS_AT_10]).steady_start == 15
    assert Mser(batch=4, least=2).answer(FALLS_AT_10).steady_start == 12


def test_a_cut_in_the_second_half_says_never() -> None:
    late_values = np.r_[np.full(50, 9.0), FALLS_AT_10]

    assert Mser().answer(late_values) == Detection(NEVER, NEVER)
    assert Mser(latest=1.0).answer(late_values) == Detection(60, 60)


def test_the_share_is_inclusive() -> None:
    values = np.r_[np.full(30, 9.0), np.tile([1.0, 2.0, 1.0, 2.0, 1.5], 6)]

    assert Mser().answer(values).steady_start == 30
    assert Mser(latest=0.49).answer(values).steady_start == NEVER


def test_a_constant_is_steady_from_the_start() -> None:
    assert Mser().answer(np.full(100, 0.1)) == Detection(0, 0)


def test_values_that_fill_no_batch_do_not_matter() -> None:
    assert Mser().answer(np.r_[FALLS_AT_10, [99.0] * 4]) == Mser().answer(FALLS_AT_10)


@pytest.mark.parametrize(
    ("parameters", "least_length"), [({}, 30), ({"batch": 1}, 6), ({"batch": 4, "least": 2}, 12)]
)
def test_too_short_says_how_long(parameters: dict[str, int], least_length: int) -> None:
    values = np.arange(least_length) % 3.0

    assert Mser(**parameters).answer(values).steady_start >= NEVER
    with pytest.raises(TooShort, match=f"at least {least_length} values; got {least_length - 1}"):
        Mser(**parameters).answer(values[1:])


@pytest.mark.parametrize(("times", "plus"), [(1e-9, 0.0), (1e3, 5.0), (2.0**900, 0.0)])
def test_unit_and_offset_do_not_matter(times: float, plus: float) -> None:
    values = simulate("step").values

    assert Mser().answer(times * values + plus) == Mser().answer(values)


def test_evidence_shows_the_errors_and_the_smallest() -> None:
    curve, event = Mser().evidence(as_series(FALLS_AT_10), Context())

    assert isinstance(curve, Curve)
    assert curve.x is not None
    assert curve.x.tolist() == [0, 5, 10, 15, 20, 25]
    assert curve.y.max() == 1
    assert event == Events((10,), label="smallest")
    json.dumps([as_json(curve), as_json(event)], allow_nan=False)
