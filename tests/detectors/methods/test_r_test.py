"""The R-test as a detector: published answers, when it was known, reading online."""

from __future__ import annotations

import json
import os

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
    Values,
    as_json,
    as_series,
)
from detectors.methods.r_test import RTest
from tests.published_data import replication_folder

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
I90, I150 = np.arange(90), np.arange(150)


def ripple(n: int) -> Values:
    i = np.arange(n)
    return ((7 * i * i + 3 * i) % 11) / 10


def test_gives_the_published_index_on_every_published_series() -> None:
    folder = replication_folder()
    expected = json.loads((folder / "expected.json").read_text())
    with np.load(folder / "series.npz") as arrays:
        series = arrays["fork0"]
    stride = 1 if COMPILED else 20

    starts = [RTest().answer(x).published_index for x in series[::stride]]

    assert len(series) == 396
    assert starts == [row["r_test"] for row in expected[::stride]]


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (np.where(I90 < 40, 10 - 0.2 * I90, 2) + ripple(90), Detection(NEVER, NEVER)),
        (5 + ripple(90), Detection(51, 51, 59)),
        (np.where(I150 < 20, 10 - 0.2 * I150, 6) + ripple(150), Detection(120, 120, 134)),
        (20 - 0.2 * I90 + ripple(90), Detection(NEVER, NEVER)),
        (np.full(70, 2.0), Detection(NEVER, NEVER)),
        (np.full(70, 0.1), Detection(NEVER, NEVER)),
        ((5 + ripple(90))[:53], Detection(51, 51, 52)),
    ],
)
def test_worked_out(x: Values, expected: Detection) -> None:
    assert RTest().answer(x) == expected


def test_an_answer_is_known_at_the_end_of_its_batch() -> None:
    x = as_series(5 + ripple(90))
    state = RTest().start(Context())

    decisions = [RTest().update(state, x[start : start + 15]) for start in range(0, 90, 15)]

    starts_by_batch = [
        decision.detection.steady_start if decision.detection else -1 for decision in decisions
    ]
    assert starts_by_batch == [-1, -1, -1, 51, 51, 51]
    assert [decision.final for decision in decisions] == [False] * 3 + [True] * 3
    assert decisions[3].figures == {"ratio": pytest.approx(0.6126508)}


@pytest.mark.parametrize("n", [0, 9, 12, 51])
def test_too_short_says_how_long(n: int) -> None:
    with pytest.raises(TooShort, match=f"at least 52 values; got {n}"):
        RTest().answer(5 + ripple(n))


def test_exactly_long_enough_is_answered() -> None:
    assert RTest().answer(5 + ripple(52)) == Detection(51, 51, 51)


@pytest.mark.parametrize("wrong_params", [{"lambda1": 0.0}, {"lambda2": 1.1}, {"r_crit": 0.0}])
def test_bounds(wrong_params: dict[str, float]) -> None:
    with pytest.raises(ParameterError):
        RTest(**wrong_params)


@pytest.mark.parametrize("exponent", [-900, 40, 1000])
def test_the_unit_does_not_matter(exponent: int) -> None:
    x = np.where(I150 < 20, 10 - 0.2 * I150, 6) + ripple(150)

    assert RTest().answer(np.ldexp(x, exponent)) == RTest().answer(x)


def test_evidence_shows_the_ratio_and_the_first_that_passes() -> None:
    curve, event = RTest().evidence(as_series(5 + ripple(90)), Context())

    assert isinstance(curve, Curve)
    assert curve.threshold == 1.2
    assert curve.y[51] == pytest.approx(0.6126508)
    assert event == Events((51,), label="first that passes")
    json.dumps([as_json(curve), as_json(event)], allow_nan=False)
