"""SDM, t-test and F-test as detectors: published answers, batch by batch, evidence."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import (
    NEVER,
    Bands,
    Context,
    Curve,
    Detection,
    ParameterError,
    TooShort,
    Values,
    as_json,
    as_series,
)
from detectors.methods.f_test import FTest
from detectors.methods.sdm import Sdm
from detectors.methods.t_test import TTest
from detectors.rules.online.batches import BatchTest
from detectors.simulated.synthetic import simulate
from tests.published_data import replication_folder

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
TESTS: dict[str, type[BatchTest]] = {"sdm": Sdm, "t_test": TTest, "f_test": FTest}
SERIES_A = [float(each) for each in "97654434333323333333233323333"]


@pytest.mark.parametrize("name", TESTS)
def test_gives_the_published_index_on_every_published_series(name: str) -> None:
    """396 forks, published parameters; the published program rounds as NumPy does."""
    folder = replication_folder()
    expected = json.loads((folder / "expected.json").read_text())
    with np.load(folder / "series.npz") as series_file:
        series = series_file["fork0"]
    stride = 1 if COMPILED else 20

    starts = [TESTS[name]().answer(x).published_index for x in series[::stride]]

    assert len(series) == 396
    assert starts == [row[name] for row in expected[::stride]]


def batch_answers(detector: BatchTest, values: list[float]) -> list[int]:
    """The answer after every batch, a shorter last one included; -1 while there is none."""
    state, batch, starts = detector.start(Context()), detector.params.batch, []
    x = as_series(values)
    for start in range(0, x.size, batch):
        detection = detector.update(state, x[start : start + batch]).detection
        if x.size - start < batch:
            detection = detector.finish(state).detection
        starts.append(NEVER if detection is None else detection.steady_start)
    return starts


TWELVE = [2.0] * 12
TURNS = [2, 2, 2, 2, 1, 2, 1, 2, 1, 2, 1, 2]


@pytest.mark.parametrize(
    ("detector", "values", "expected"),
    [
        (Sdm(slope_crit=0.05, batch=5), SERIES_A, [-1, -1, 10, 10, 10, 10]),
        (Sdm(slope_crit=1e-8, batch=5), SERIES_A, [-1, -1, 10, 10, 10, 10]),
        (TTest(t_crit=1.2, batch=5), SERIES_A, [-1, -1, -1, 10, 10, 10]),
        (TTest(t_crit=0.009, batch=5), SERIES_A, [-1] * 6),
        (FTest(f_crit=1.2, batch=5), SERIES_A, [-1] * 6),
        (FTest(f_crit=2.7, batch=5), SERIES_A, [-1, -1, 5, 5, 5, 5]),
        (Sdm(batch=3), [1, 2, 3, 5, 6, 7, 9], [-1, -1, 6]),
        (Sdm(batch=4), TWELVE, [0, 0, 0]),
        (TTest(batch=4), TWELVE, [-1] * 3),
        (FTest(batch=4), TWELVE, [-1] * 3),
        (FTest(batch=4), TURNS, [-1, -1, 4]),
    ],
)
def test_answers_after_each_batch(
    detector: BatchTest, values: list[float], expected: list[int]
) -> None:
    assert batch_answers(detector, values) == expected


@pytest.mark.parametrize(
    ("detector", "expected"),
    [
        (Sdm(slope_crit=0.05, batch=5), Detection(10, 10, 14)),
        (TTest(t_crit=1.2, batch=5), Detection(10, 10, 19)),
        (FTest(f_crit=2.7, batch=5), Detection(5, 5, 14)),
        (FTest(batch=5), Detection(NEVER, NEVER)),
    ],
)
def test_says_when_it_was_known(detector: BatchTest, expected: Detection) -> None:
    assert detector.answer(SERIES_A) == expected


def test_a_last_batch_of_one_value_is_level() -> None:
    assert Sdm(batch=3).answer([1, 2, 3, 5, 6, 7, 9]) == Detection(6, 6, 6)


def test_a_shorter_last_batch_is_the_second_of_a_pair() -> None:
    assert TTest(batch=4).answer([1, 2, 1, 2, 1.5, 1.5]) == Detection(0, 0, 5)


@pytest.mark.parametrize(
    ("detector", "least_length"),
    [(Sdm(), 2), (TTest(), 16), (FTest(), 16), (TTest(batch=4), 5), (FTest(batch=2), 3)],
)
def test_too_short_says_how_long(detector: BatchTest, least_length: int) -> None:
    values = 1 + np.arange(least_length) % 3 / 10

    assert detector.answer(values).steady_start >= NEVER
    with pytest.raises(TooShort, match=f"at least {least_length} values; got {least_length - 1}"):
        detector.answer(values[1:])


@pytest.mark.parametrize(
    ("method", "name"), [(Sdm, "slope_crit"), (TTest, "t_crit"), (FTest, "f_crit")]
)
def test_bounds(method: type[BatchTest], name: str) -> None:
    for wrong_params in ({name: 0.0}, {name: -1.0}, {"batch": 1}):
        with pytest.raises(ParameterError):
            method(**wrong_params)


@given(
    name=st.sampled_from(sorted(TESTS)),
    values=arrays(np.float64, st.integers(40, 90), elements=st.floats(-9, 9).map(np.float32)),
    further_values=arrays(
        np.float64, st.integers(1, 30), elements=st.floats(-9, 9).map(np.float32)
    ),
)
def test_an_answer_known_before_the_end_is_never_taken_back(
    name: str, values: Values, further_values: Values
) -> None:
    critical = {"sdm": {"slope_crit": 0.2}, "t_test": {"t_crit": 1.0}, "f_test": {"f_crit": 2.0}}
    detector = TESTS[name](batch=5, **critical[name])
    detection = detector.answer(values)

    if detection.steady_start != NEVER and detection.decided_at != values.size - 1:
        assert detector.answer(np.r_[values, further_values]) == detection


@given(
    values=arrays(np.float64, 60, elements=st.floats(0.5, 2.0)),
    exponent=st.integers(-900, 900),
    method=st.sampled_from([TTest, FTest]),
)
def test_the_unit_does_not_matter(values: Values, exponent: int, method: type[BatchTest]) -> None:
    detector = method(batch=6)

    assert detector.answer(np.ldexp(values, exponent)) == detector.answer(values)


def test_the_unit_does_matter_to_sdm() -> None:
    values = simulate("step").values

    assert Sdm().answer(values).steady_start == 1185
    assert Sdm().answer(1e3 * values).steady_start == NEVER


def test_a_decision_is_final_and_tells_its_statistic() -> None:
    detector = FTest(f_crit=2.7, batch=5)
    state = detector.start(Context())

    first = detector.update(state, as_series(SERIES_A[:10]))
    second = detector.update(state, as_series(SERIES_A[10:15]))
    third_decision = detector.update(state, as_series([100.0] * 5))

    assert (first.n, first.detection, first.final) == (10, None, False)
    assert first.figures == {"statistic": pytest.approx(12.3333333333)}
    assert (second.n, second.detection, second.final) == (15, Detection(5, 5, 14), True)
    assert (third_decision.n, third_decision.detection, third_decision.final) == (
        20,
        Detection(5, 5, 14),
        True,
    )
    assert detector.finish(state).detection == Detection(5, 5, 14)


@pytest.mark.parametrize("name", TESTS)
def test_evidence_shows_every_statistic_and_the_first_that_passes(name: str) -> None:
    parameters: dict[str, Any] = {
        "sdm": {"slope_crit": 0.05},
        "t_test": {"t_crit": 1.2},
        "f_test": {"f_crit": 2.7},
    }[name]
    detector = TESTS[name](batch=5, **parameters)

    curve, band = detector.evidence(as_series(SERIES_A), Context())

    assert isinstance(curve, Curve)
    assert curve.x is not None
    assert curve.x.tolist() == [0, 5, 10, 15, 20, 25][: 6 if name == "sdm" else 5]
    assert curve.threshold == detector.critical
    detection = detector.answer(SERIES_A)
    assert detection.decided_at is not None
    assert isinstance(band, Bands)
    assert band.spans == ((detection.steady_start, detection.decided_at + 1),)
    json.dumps([as_json(curve), as_json(band)], allow_nan=False)
