"""Exact Bayes as a detector: vectors, the random draw, reading online."""

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
    ParameterError,
    TooShort,
    as_json,
    as_series,
)
from detectors.methods.exact_bayes import ExactBayes
from detectors.simulated.synthetic import simulate
from tests.detectors.kernels.test_exact_bayes import FALLING, STEP


@pytest.mark.parametrize(
    ("y", "parameters", "after_each_batch"),
    [
        (FALLING, {"s_0": 0.003, "batch": 6}, [-1, -1, -1]),
        (FALLING, {"s_0": 0.05, "batch": 6}, [-1, 10, 10]),
        (FALLING, {"s_0": 0.02, "alpha": 0.5, "batch": 6}, [-1, -1, 13]),
        (FALLING, {"s_0": 1e-8, "batch": 6}, [-1, -1, -1]),
        (STEP, {"s_0": 0.1, "batch": 4}, [2, 2, 2]),
    ],
)
def test_answers_after_each_batch(
    y: list[float], parameters: dict[str, float], after_each_batch: list[int]
) -> None:
    detector = ExactBayes(m=1000, **parameters)
    state, batch, values = detector.start(Context()), detector.params.batch, as_series(y)

    decisions = [
        detector.update(state, values[index : index + batch])
        for index in range(0, values.size, batch)
    ]

    starts = [
        decision.detection.steady_start if decision.detection else NEVER for decision in decisions
    ]
    assert starts == after_each_batch
    final_detection = detector.finish(state).detection
    assert final_detection is not None
    assert final_detection.steady_start == after_each_batch[-1]


def test_says_when_it_was_known() -> None:
    assert ExactBayes(s_0=0.05, batch=6).answer(FALLING) == Detection(10, 10, 11)
    assert ExactBayes(s_0=0.05).answer(FALLING[:13]) == Detection(10, 10, 12)


def test_the_seed_decides_which_beginnings_stay() -> None:
    values = simulate("two-steps", n=600).values * 1e3
    curves = [
        ExactBayes(s_0=0.003, m=4, seed=seed).evidence(values, Context())[0] for seed in (1, 1, 2)
    ]

    curve, same_curve, other_curve = (curve.y for curve in curves if isinstance(curve, Curve))
    assert curve.tolist() == same_curve.tolist()
    assert curve.tolist() != other_curve.tolist()


def test_few_beginnings_are_enough() -> None:
    """Of 600 possible beginnings 20 alive give nearly the probabilities of all."""
    values = simulate("step", n=300).values * 1e3
    few_curve, full_curve = (
        ExactBayes(s_0=0.01, m=m).evidence(values, Context())[0] for m in (20, 400)
    )

    assert isinstance(few_curve, Curve)
    assert isinstance(full_curve, Curve)
    assert np.median(np.abs(few_curve.y - full_curve.y)) < 0.01


@pytest.mark.parametrize("n", [0, 1])
def test_too_short_says_how_long(n: int) -> None:
    with pytest.raises(TooShort, match=f"at least 2 values; got {n}"):
        ExactBayes().answer(np.ones(n))


def test_exactly_long_enough_is_answered() -> None:
    assert ExactBayes(s_0=1000.0).answer([1.0, 1.0]) == Detection(1, 1, 1)


@pytest.mark.parametrize(
    "wrong_params", [{"m": 1}, {"p": 0.0}, {"p": 1.0}, {"alpha": 1.0}, {"s_0": 0.0}]
)
def test_bounds(wrong_params: dict[str, float]) -> None:
    with pytest.raises(ParameterError):
        ExactBayes(**wrong_params)


@pytest.mark.parametrize("scale", [1e300, -1e300, 1e150, 1e-300])
def test_any_scale_has_an_answer(scale: float) -> None:
    detection = ExactBayes().answer(scale * np.array(FALLING))

    assert detection.steady_start >= NEVER


def test_evidence_shows_the_probability_and_the_first_that_passes() -> None:
    curve, event = ExactBayes(s_0=0.05).evidence(as_series(FALLING), Context())

    assert isinstance(curve, Curve)
    assert curve.threshold == 0.9
    assert curve.y.size == len(FALLING)
    assert curve.y[[9, 10, 17]].tolist() == pytest.approx([0.102674, 0.999142, 0.999875], rel=1e-5)
    assert event == Events((10,), label="first that passes")
    json.dumps([as_json(curve), as_json(event)], allow_nan=False)
