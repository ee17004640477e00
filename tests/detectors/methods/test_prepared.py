"""Prepared series: the other method's answer, what was done for it, and where nothing is."""

from __future__ import annotations

import json

import numpy as np
import pytest

from detectors.__main__ import main
from detectors.contract import Context, Figures, ParameterError, as_series
from detectors.methods.mser import Mser
from detectors.methods.prepared import Prepared
from detectors.preparation import helpful_steps
from detectors.preparation.helpful_steps import EVERY_SERIES, Gain, MeasuredGain
from detectors.preparation.steps import STEPS
from detectors.registry import from_key
from detectors.shapes.series_shape import shape_of
from plateau_perf import detect

RANDOM = np.random.default_rng(1)
VALUES = as_series(
    np.where(np.arange(400) < 100, 1.5, 1.0)
    + 0.02 * RANDOM.standard_normal(400)
    + np.where(np.arange(400) % 37 == 5, 2.0, 0.0)
)
UP, DOWN = Gain(0.02, 0.01, 0.03, 50, 20), Gain(0.02, -0.01, 0.05, 50, 20)


@pytest.mark.parity("prepared")
@pytest.mark.parametrize("step", list(STEPS))
def test_the_answer_is_that_for_the_prepared_values(step: str) -> None:
    prepared_values = STEPS[step](VALUES, shape_of(VALUES))  # type: ignore[index]  # one of them

    answer = Prepared(method=("mser",), by=step).answer(VALUES)

    assert answer.steady_start == Mser().answer(as_series(prepared_values)).steady_start
    expected = {
        "median": "median-filtered",
        "outliers": "outliers-replaced",
        "cycles": "unprepared",
    }
    assert answer.flags[-1] == expected[step]


@pytest.mark.parametrize(
    ("corpus", "people", "ps", "flag"),
    [
        (UP, UP, (0.04, 0.05), "outliers-replaced"),
        (UP, DOWN, (0.01, 0.01), "unprepared"),
        (DOWN, UP, (0.01, 0.01), "unprepared"),
        (UP, None, (0.01, 0.01), "unprepared"),
        (UP, UP, (0.04, 0.06), "unprepared"),  # by chance, one of many
        (UP, UP, (0.06, None), "unprepared"),
        (UP, UP, (), "unprepared"),
    ],
)
def test_auto_prepares_where_both_gains_are_more_than_chance(
    monkeypatch: pytest.MonkeyPatch,
    corpus: Gain,
    people: Gain | None,
    ps: tuple[float | None, ...],
    flag: str,
) -> None:
    gains = {Mser().key: (MeasuredGain("outliers", EVERY_SERIES, corpus, people, *ps),)}
    monkeypatch.setattr(helpful_steps, "measured_gains", lambda: gains)

    assert Prepared(method=("mser",)).answer(VALUES).flags[-1] == flag


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("mser?batch=7", "not measured for this method with these settings"),
        ("mser", "no step was seen to help this method"),
    ],
)
def test_auto_leaves_a_method_alone_and_says_why(key: str, reason: str) -> None:
    evidence = Prepared(method=(key,)).explained(VALUES, Context())
    figures = [item for item in evidence if isinstance(item, Figures)][-1]

    assert figures.rows[0][:2] == ("done", "nothing")
    assert figures.rows[1][1] == reason


def test_what_ships_is_switched_on_where_many_trials_leave_it() -> None:
    gains_by_method = helpful_steps.measured_gains()
    helpful = {key for key, gains in gains_by_method.items() for gain in gains if gain.helps}

    assert helpful == {Prepared().member.key}  # which the default asks
    assert all(from_key(key).key == key for key in gains_by_method)


def test_the_key_names_the_method_in_full() -> None:
    detector = Prepared(method=("mser",))

    assert from_key(detector.key).key == detector.key
    assert "mser%401%3Fbatch" in detector.key or "mser@1" in detector.key
    with pytest.raises(ParameterError, match="method"):
        Prepared(method=("nothing",))


def test_library_and_command_line_take_it_as_an_option(
    tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    path = f"{tmp_path}/one.npz"
    np.savez(path, one=VALUES)
    expected = Prepared(method=("mser",), by="median").answer(VALUES).steady_start

    answer = detect(VALUES, "mser", prepare="median")
    command = ["detect", path, "--method", "mser", "--prepare", "median", "--format", "jsonl"]
    assert main(command) == 0
    row = json.loads(capsys.readouterr().out)

    assert main(command[:-2]) == 0
    assert "prepared mser" in capsys.readouterr().out
    assert (answer.method, answer.start, row["steady_start"]) == ("prepared", expected, expected)
    assert "median-filtered" in row["flags"]


def test_a_short_series_stays_as_it_is() -> None:
    assert Prepared(method=("mser",), by="median").answer(VALUES[:40]).flags[-1] == "unprepared"
