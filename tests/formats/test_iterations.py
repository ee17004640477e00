"""How long an iteration lasts: configured, as its value says, or unknown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import formats
from formats import Measurement, ReadOptions
from formats.iterations import (
    MEASURED,
    IterationLength,
    context_settings,
    length_of,
    stated_settings,
    unrecorded_iterations,
)

TENTH = {"seconds_per_iteration": 0.1}
ONE = {"operations_per_iteration": 1}


@pytest.mark.parametrize(
    ("unit", "mode", "conditions", "words"),
    [
        ("s/op", "avgt", TENTH, "0.1 s"),
        ("ops/s", "thrpt", {"seconds_per_iteration": 10.0}, "10 s"),
        ("s/op", "ss", {}, "one operation"),
        ("s/op", "avgt", ONE, "one operation"),
        ("s/op", "sample", TENTH | {MEASURED: 0.1234}, "0.123 s, measured"),
        ("s/op", "ss", TENTH | {MEASURED: 0.1234}, "one operation"),
        ("s", "", {}, "one operation"),
        ("s", "", TENTH, "0.1 s"),
        ("s/op", "avgt", {}, None),
        ("s/op", "", {"seconds_per_iteration": 0}, None),
        ("ops/s", "thrpt", ONE, None),
        ("", "", {}, None),
        (
            "s/op",
            "avgt",
            {"seconds_per_iteration": 1.0, "warmup_values": 5, "warmup_seconds": 10.0},
            "1 s, the first 5 of 10 s",
        ),
        (
            "s/op",
            "avgt",
            {"seconds_per_iteration": 1.0, "warmup_values": 5, "warmup_seconds": 1.0},
            "1 s",
        ),
    ],
)
def test_what_is_known(
    unit: str, mode: str, conditions: dict[str, float | int], words: str | None
) -> None:
    length = length_of(unit, mode, conditions)

    assert (None if length is None else str(length)) == words


@pytest.mark.parametrize(
    ("settings", "iterations"),
    [
        ({}, 0),
        ({"warmup_iterations": 5}, 5),
        ({"warmup_iterations": 5, "warmup_values": 5}, 0),  # a log has them
        ({"warmup_iterations": 5, "warmup_values": 2}, 0),  # a log that was cut off
        ({"warmup_iterations": 0}, 0),
        ({"warmup_iterations": -1}, 0),
        ({"warmup_iterations": 5, "unrecorded_iterations": 3}, 3),
        ({"warmup_iterations": 5, "unrecorded_iterations": 0}, 0),
    ],
)
def test_warm_up_before_the_first_value(settings: dict[str, int], iterations: int) -> None:
    assert unrecorded_iterations(settings) == iterations
    settings_of_context = context_settings("s/op", "avgt", {**TENTH, **settings})
    assert settings_of_context.get("unrecorded_iterations", 0) == iterations


@pytest.mark.parametrize(
    ("settings", "mode", "recorded_from"),
    [
        (TENTH | {"warmup_seconds": 1.0}, "avgt", 50),
        (TENTH | {"warmup_seconds": 0.25}, "avgt", 13),  # 12.5 iterations of 0.1 s
        (TENTH, "avgt", 5),
        ({"warmup_seconds": 10.0}, "ss", 5),  # of single shots no length is configured
    ],
)
def test_unrecorded_warm_up_in_recorded_iterations(
    settings: dict[str, float | int], mode: str, recorded_from: int
) -> None:
    length = length_of("s/op", mode, {"warmup_iterations": 5, **settings})

    assert length is not None
    assert length.recorded_from == recorded_from


@pytest.mark.parametrize(
    ("text", "setting"),
    [("100 ms", TENTH), ("0.1s", TENTH), (" 1e2  ms ", TENTH), ("One  operation", ONE), ("", {})],
)
def test_what_a_person_says(text: str, setting: dict[str, float | int]) -> None:
    assert stated_settings(text) == setting


@pytest.mark.parametrize("text", ["0.1", "0 s", "fast", "-1 s", "100 ops", "ms"])
def test_what_is_no_length(text: str) -> None:
    with pytest.raises(ValueError, match="expected a length such as 100 ms or 1 s, or: one op"):
        stated_settings(text)


def read_one(tmp_path: Path, name: str, text: str, iteration: str = "") -> Measurement:
    path = tmp_path / name
    path.write_text(text)
    (series,) = formats.read_path(path, options=ReadOptions(unit="us/op", iteration=iteration))
    return series


def iteration_length(series: Measurement) -> IterationLength | None:
    return length_of(series.unit, series.mode, series.settings)


def test_what_is_stated_counts_where_the_file_says_nothing(tmp_path: Path) -> None:
    numbers = "3.0\n2.0\n1.0\n"

    assert iteration_length(read_one(tmp_path, "a.txt", numbers)) is None
    assert iteration_length(read_one(tmp_path, "b.txt", numbers, "100 ms")) == IterationLength(0.1)
    assert iteration_length(
        read_one(tmp_path, "c.txt", numbers, "one operation")
    ) == IterationLength(None)


def test_what_a_jmh_file_says_is_not_overruled(tmp_path: Path) -> None:
    metric = {"scoreUnit": "us/op", "rawData": [[3.0, 2.0]]}
    shot_entry = {"benchmark": "a.B.c", "primaryMetric": metric, "measurementTime": "single-shot"}
    timed_entry = {**shot_entry, "mode": "avgt", "measurementTime": "2 s"}

    for mode in ("ss", "avgt"):
        text = json.dumps([{**shot_entry, "mode": mode}])
        assert iteration_length(read_one(tmp_path, "a.json", text, "1 s")) == IterationLength(None)
    series = read_one(tmp_path, "b.json", json.dumps([timed_entry]), "1 s")
    assert iteration_length(series) == IterationLength(2.0)


def test_published_measurements_have_iterations_of_a_tenth_of_a_second(tmp_path: Path) -> None:
    name, text = "owner__repo#org.Sort.quick#.json", "[[3e-5, 2e-5, 1e-5]]"

    assert iteration_length(read_one(tmp_path, name, text)) == IterationLength(0.1)
    assert iteration_length(read_one(tmp_path, name, text, "1 s")) == IterationLength(1.0)
    assert iteration_length(read_one(tmp_path, "mine.json", text)) is None


def test_settings_say_what_the_unit_says() -> None:
    assert context_settings("s", "", {"forks": 2}) == {"forks": 2, "operations_per_iteration": 1}
    assert context_settings("s/op", "", {"forks": 2}) == {"forks": 2}
    assert context_settings("s/op", "ss", {}) == {"operations_per_iteration": 1}
    assert context_settings("ops/s", "", TENTH) == TENTH
