"""Developers' configuration, JMH's defaults, and always the same time."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from detectors.contract import (
    NEVER,
    BadSeries,
    Bands,
    Context,
    Detection,
    NotAvailable,
    Setting,
    TooShort,
    Values,
    as_series,
)
from detectors.kernels.durations import consumed_count
from detectors.methods.developer import Developer
from detectors.methods.fixed_time import FixedTime
from detectors.methods.jmh_default import DEFAULTS, JmhDefault
from detectors.methods.laaber_cov import LaaberCov
from detectors.methods.laaber_kld import LaaberKld
from detectors.methods.laaber_rciw import LaaberRciw
from detectors.rules.harnesses.configured import durations
from detectors.simulated.synthetic import simulate
from tests.published_data import carried_vectors, published_vectors, replication_folder

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


def context(
    warmup: tuple[float, int] | None = None,
    measurement: tuple[float, int] | None = None,
    **options: Any,
) -> Context:
    """With configured (seconds, iterations)."""
    settings: dict[str, Setting] = {}
    for name, length in {"warmup": warmup, "measurement": measurement}.items():
        if length:
            settings |= {f"{name}_seconds": length[0], f"{name}_iterations": length[1]}
    return Context(settings=settings, **options)


def vectors(name: str) -> Any:
    return carried_vectors("practice")[name]


def test_counts_iterations_as_published() -> None:
    cases = vectors("count_iterations")

    for case in cases:
        seconds = durations(as_series(case["values"]), Context(), 0.1)
        count = consumed_count(seconds, float(case["iteration_time_s"]), case["iterations"])
        assert count == case["consumed"], case["note"]
    assert len(cases) == 10


def published_ends(detector: Any, values: Values, context: Context) -> list[int]:
    """[last warm-up iteration, last measurement iteration]."""
    warmup, measurement = detector.windows(as_series(values), context)
    return [warmup - 1, warmup + measurement - 1]


@pytest.mark.parity("developer")
def test_estimates_as_published() -> None:
    cases = vectors("estimate")

    for case in cases:
        series_context = context(case["warmup"], case["measurement"])
        detector = Developer(zero_warmup="published")
        assert published_ends(detector, case["values"], series_context) == case["published"]
    assert len(cases) == 6


def test_published_prefixes_of_slow_benchmarks() -> None:
    for case in published_vectors("practice")["published_prefixes"]:
        s = case["settings"]
        series_context = context(
            (s["warmup_time_s"], s["warmup_iterations"]),
            (s["measurement_time_s"], s["measurement_iterations"]),
        )
        assert published_ends(Developer(), case["prefix"], series_context) == case["dev"]
        assert published_ends(JmhDefault(), case["prefix"], series_context) == case["default"]


@pytest.mark.parity("jmh-default")
def test_the_defaults_are_jmhs() -> None:
    for name, expected in vectors("jmh_defaults").items():
        method = DEFAULTS[name.replace("_", "-").replace("1-21", "1.21")]
        assert [method.warmup_seconds, method.warmup_iterations] == expected["warmup"]
        assert [method.measurement_seconds, method.measurement_iterations] == expected[
            "measurement"
        ]


def published_forks(folder: Path) -> Iterator[tuple[dict[str, Any], list[Values]]]:
    """Each benchmark's published record, and its forks that are there."""
    records = json.loads((folder / "config_published.json").read_text())["benchmarks"]
    with np.load(folder / "series.npz") as series_file, np.load(folder / "forks.npz") as fork_file:
        series = series_file["fork0"]
        with (folder / "index.csv").open() as index:
            for line in csv.DictReader(index):
                row = int(line["row"])
                name = f"{line['system']}#{line['benchmark']}#{line['params']}"
                has_forks = line["has_forks"] == "1"
                yield (
                    records[name],
                    list(fork_file[f"b{row:03d}"]) if has_forks else [series[row]],
                )


def test_gives_every_published_pair() -> None:
    """756 forks of 396 benchmarks: last warm-up and last measurement iteration, both methods."""
    stride = 1 if COMPILED else 10
    fork_count = 0
    for index, (record, forks) in enumerate(published_forks(replication_folder())):
        s = record["settings"]
        series_context = context(
            (s["warmup_time_s"], s["warmup_iterations"]),
            (s["measurement_time_s"], s["measurement_iterations"]),
        )
        if index % stride:
            continue
        for fork, values in enumerate(forks):
            assert published_ends(Developer(), values, series_context) == record["dev"][fork]
            assert published_ends(JmhDefault(), values, series_context) == record["default"][fork]
            fork_count += 1
    assert fork_count == 756 or not COMPILED


def test_the_answer_follows_the_last_warmup_iteration() -> None:
    detection = Developer().answer(np.full(20, 0.5), context((1.0, 3)))

    assert detection == Detection(6, published_index=5, decided_at=5)


@pytest.mark.parametrize(
    ("n", "warmup", "expected"),
    [
        (4, (1.0, 2), Detection(NEVER, 3, 3, ("exhausted",))),  # reached by the last iteration
        (4, (1.0, 9), Detection(NEVER, 3, 3, ("exhausted",))),
        (0, (1.0, 9), Detection(NEVER, -1, -1, ("exhausted",))),
        (5, (1.0, 2), Detection(4, 3, 3)),
        (5, (1.0, 0), Detection(0, -1, -1)),
    ],
)
def test_an_exhausted_series_is_never_steady(
    n: int, warmup: tuple[float, int], expected: Detection
) -> None:
    assert Developer().answer(np.full(n, 0.5), context(warmup)) == expected


def test_no_warmup_takes_one_iteration_as_published() -> None:
    values, warmup_context = np.full(5, 0.5), context((1.0, 0))

    assert Developer(zero_warmup="published").answer(values, warmup_context) == Detection(1, 0, 0)


def test_without_settings_there_is_no_guess() -> None:
    for settings in ({}, {"warmup_iterations": 3}, {"warmup_iterations": -1}):
        with pytest.raises(NotAvailable, match="no settings: the series does not say its warmup"):
            Developer().answer(np.ones(9), Context(settings=settings))
    assert (
        Developer().answer(np.ones(9), Context(settings={"warmup_iterations": 0})).steady_start == 0
    )


def test_parameters_stand_in_for_settings() -> None:
    values = np.full(20, 0.5)

    assert Developer(warmup_iterations=3, warmup_seconds=1.0).answer(values).steady_start == 6
    assert Developer(warmup_iterations=1).answer(values, context((1.0, 3))).steady_start == 2


def test_single_shots_have_no_length() -> None:
    values, warmup_context = np.full(20, 0.5), context((10.0, 3), mode="ss")

    assert Developer().answer(values, warmup_context) == Detection(3, 2, 2)
    assert Developer().answer(values[:3], warmup_context).flags == ("exhausted",)
    assert JmhDefault().windows(as_series(values), warmup_context) == (0, 1)
    assert JmhDefault().answer(values, warmup_context) == Detection(0, -1, -1)


def test_jmh_before_1_21() -> None:
    values = np.full(400, 0.02)  # five operations fill 0.1 s; eleven of those fill a second

    assert JmhDefault(jmh="before-1.21").answer(values).steady_start == 220
    assert JmhDefault().answer(values).flags == ("exhausted",)


@pytest.mark.parametrize("method", [JmhDefault, FixedTime])
def test_a_value_that_is_no_duration_is_named(method: Any) -> None:
    with pytest.raises(BadSeries, match=r"value 1 is -2\.0"):
        method().answer([1.0, -2.0, 3.0])


def test_operations_fill_an_iteration() -> None:
    seconds = durations(as_series([0.0333, 0.4, 0.03, 1e-310]), Context(), 0.1)

    assert seconds.tolist() == [4 * 0.0333, 0.4, 0.12, np.inf]


def test_a_known_length_of_an_iteration_wins() -> None:
    series_context = Context(seconds_per_iteration=1.0)

    assert durations(as_series([0.3]), series_context, 0.1).tolist() == [4 * 0.3]
    assert durations(as_series([0.3]), Context(), 0.0).tolist() == [0.3]


def test_throughput_takes_what_is_known_of_an_iteration() -> None:
    series_context = Context(unit="ops/s", seconds_per_iteration=10.0)

    assert JmhDefault().answer(np.ones(9), series_context).steady_start == 5
    rate_context, time_context = (
        Context(unit="ops/s"),
        Context(unit="s/op"),
    )  # as for times, the default's
    assert JmhDefault().answer(np.ones(9), rate_context) == JmhDefault().answer(
        np.ones(9), time_context
    )
    with pytest.raises(NotAvailable, match="nothing says how long an iteration took"):
        JmhDefault().answer(np.ones(9), Context(unit="MB"))


def test_evidence_shows_both_windows() -> None:
    (bands,) = Developer().evidence(as_series(np.full(20, 0.5)), context((1.0, 3), (1.0, 2)))

    assert bands == Bands(
        ((0, 6), (6, 10)), label="as configured", notes=("warm-up", "measurement")
    )


@pytest.mark.parametrize(
    ("value", "n", "seconds", "start"),
    [
        (0.5, 20, 0.0, 0),
        (0.5, 20, 1.0, 2),
        (0.5, 20, 1.2, 3),
        (0.5, 20, 10.0, NEVER),
        (0.5, 20, 11.0, NEVER),
        (0.1, 25, 1.0, 11),
        (0.03, 25, 1.0, 9),
        (0.5, 0, 0.0, NEVER),
    ],
)
def test_fixed_time(value: float, n: int, seconds: float, start: int) -> None:
    detection = FixedTime(seconds=seconds).answer(np.full(n, value))

    last_warmup = start - 1 if start != NEVER else NEVER
    assert detection == Detection(start, published_index=last_warmup, decided_at=last_warmup)


ONE = {"operations_per_iteration": 1}


def test_an_iteration_of_one_operation_lasts_as_long_as_its_value() -> None:
    values = as_series(np.full(100, 0.002))

    for series_context in (
        Context(settings=ONE),
        Context(mode="ss"),
        Context(settings=ONE, mode="avgt"),
    ):
        assert durations(values, series_context, 0.1).tolist() == values.tolist()
        assert FixedTime(seconds=0.1).answer(values, series_context).steady_start in {50, 51}
    assert FixedTime(seconds=0.1).answer(values).steady_start == 1
    warmup_context = Context(settings={**ONE, "warmup_seconds": 0.1, "warmup_iterations": 1})
    assert Developer().answer(values, warmup_context).steady_start in {50, 51}


@pytest.mark.parametrize("rule", [LaaberCov, LaaberKld, LaaberRciw])
def test_a_stopping_rule_takes_iterations_for_as_long_as_the_series_says(rule: Any) -> None:
    """Steps of a second: one iteration each where it lasts a second, else what the rule is told."""
    values = simulate("flat", n=3000).values

    detection = rule().answer(values, Context(seconds_per_iteration=1.0))
    configured_answer = rule(iteration_time=1.0).answer(values)
    default_answer = rule().answer(values)

    assert detection == configured_answer
    assert 0 < detection.steady_start < default_answer.steady_start
    with pytest.raises(TooShort):  # of microseconds, three thousand are no step
        rule().answer(values / 1000, Context(settings=ONE))
