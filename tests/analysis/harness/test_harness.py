"""What harnesses would have done with series that can be worked out by hand: page, files, command.

A series is 200 operations of 2 s, and of 1 s from iteration 50 on; the campaign's ground truth is
42, 62, never and 102.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.harness import judging_child as beside, reads
from analysis.harness.outcomes import HarnessOutcome, outcomes_of
from analysis.harness.query import HarnessQuery
from analysis.harness.reads import harness_runs
from analysis.harness.rules import BY_NAME, HARNESSES
from analysis.harness.sentences import harness_note, harness_sentence
from analysis.harness.table import HarnessTable
from analysis.statistics.error_seconds import running_seconds
from analysis.web.latest_used import LatestUsed
from annotate.blind import EVERYTHING
from annotate.models import Task
from detectors.contract import Context, as_series
from detectors.methods.fixed import Fixed
from detectors.methods.plateau import Plateau
from formats.iterations import ONE_OPERATION_EACH
from people.models import User
from series.models import Benchmark, Dataset, Series, SeriesValues
from tests.analysis.comparison.conftest import key_of

STEP = np.where(np.arange(200) < 50, 2.0, 1.0)
CONTEXT = Context("s/op", settings=dict(ONE_OPERATION_EACH))
PAGE = "/s/startup-times/data/nightly/harness/"


def outcome(name: str, values: Any = STEP, start: int = 50) -> HarnessOutcome:
    series = as_series(values)
    return outcomes_of([BY_NAME[name]], series, CONTEXT, running_seconds(series), start)[name]


@pytest.mark.parametrize(
    ("name", "expected_outcome"),
    [
        # 5 × 5 iterations of 2 s are warm-up; 5 × 5 more are measured, and their mean is 2.
        ("jmh-default", HarnessOutcome(25, 50.0, 25, 1.0, 1.0, 0.0)),
        # Rounds of 1, 2, 4, … end after the second; 100 samples of one operation follow.
        ("criterion", HarnessOutcome(3, 6.0, 100, 0.47, 0.47, 0.0)),
        ("go-testing", HarnessOutcome(0, 0.0, 1, 1.0, 1.0, 0.0)),
        ("sailfish", HarnessOutcome(10, 20.0, 20, 1.0, 1.0, 0.0)),
        ("developer", HarnessOutcome(reason="no settings: the series does not say its warmup it")),
        # 40 equal values from the second on: the first is the warm-up.
        ("pyperf-calibrated", HarnessOutcome(1, 2.0, 3, 1.0, 1.0, 0.0)),
    ],
)
def test_what_a_rule_would_have_done(name: str, expected_outcome: HarnessOutcome) -> None:
    judged_outcome = outcome(name)

    assert judged_outcome.reason.startswith(expected_outcome.reason)
    if not expected_outcome.reason:
        figures = (
            judged_outcome.warmup,
            judged_outcome.seconds,
            judged_outcome.measured,
            judged_outcome.error,
            judged_outcome.early,
        )
        assert figures == pytest.approx(
            (
                expected_outcome.warmup,
                expected_outcome.seconds,
                expected_outcome.measured,
                expected_outcome.error,
                expected_outcome.early,
            )
        )


def test_what_is_steady_before_the_measurement_is_wasted() -> None:
    judged_outcome = outcome("jmh-default", start=20)

    assert (judged_outcome.early, judged_outcome.wasted) == (0.0, 10.0)
    assert judged_outcome.error == pytest.approx(2 / STEP[20:].mean() - 1)


def test_a_series_that_ends_too_early_or_says_nothing_is_a_reason() -> None:
    assert outcome("jmh-default", STEP[:20], 5).reason.startswith("the series end before")
    falling_values = np.geomspace(1e5, 1.0, 3000)
    assert outcome("pyperf-calibrated", falling_values, 2000).reason == "its calibration gives up"


# --- a data set -----------------------------------------------------------------------------------
def table_of(dataset: Dataset, yardstick: str = "") -> HarnessTable:
    return HarnessTable(harness_runs(dataset, EVERYTHING, HarnessQuery(yardstick)))


def row(table: HarnessTable, name: str) -> dict[str, Any]:
    return next(table_row for table_row in table.rows if table_row["harness"] == name)


def test_steady_series_of_the_ground_truth_are_counted(
    answered_tasks: list[Task], dataset: Dataset
) -> None:
    table = table_of(dataset)

    assert [series_row.start for series_row in table.runs.series] == [42, 62, 102]
    runs = table.runs
    assert (table.n, runs.never_count, runs.unanswered_count, runs.waiting_count) == (3, 1, 0, 0)
    assert table.truth.q50 == pytest.approx(100 + 12 + 62 * 0.01)
    jmh = row(table, "jmh-default")
    assert (jmh["n"], jmh["of"], jmh["past"]) == (3, 3, 0.0)  # measured from 25 to 50
    assert jmh["early"] == pytest.approx((17 / 25 + 1 + 1) / 3)
    assert jmh["error_low"] is None  # of three series
    assert [table_row["n"] for table_row in table.rows][-1] == 0  # developers said nothing
    medians = [table_row["warm_up_q50"] for table_row in table.measuring_rows]
    assert medians == sorted(medians)


def test_without_marks_plateau_says_where_they_become_steady(
    four_series: list[Series],
    dataset: Dataset,
    store: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its stored answers first; the others are asked for, here of a method that takes no time."""
    assert Plateau() == reads.JUDGE
    monkeypatch.setattr(reads, "JUDGE", Fixed(iteration=60))
    store(key_of("fixed", iteration=60), four_series[:2], [50, -1])

    table = table_of(dataset)

    assert table.runs.yardstick is None
    assert [series_row.start for series_row in table.runs.series] == [50, 60, 60]
    assert (table.runs.never_count, table.runs.unanswered_count) == (1, 0)
    assert harness_note(table).startswith(
        "Nobody has marked these series. By Fixed iteration, the default method, half"
    )
    plateau_table = table_of(dataset, f"method:{key_of('fixed', iteration=60)}")
    assert (plateau_table.n, plateau_table.runs.never_count) == (1, 1)


@pytest.fixture
def twelve_series(make_series: Callable[..., Series]) -> list[Series]:
    settings = dict(ONE_OPERATION_EACH)
    return [
        make_series(STEP + fork / 100, fork=fork, settings=settings, known_start=50)
        for fork in range(12)
    ]


def test_ten_series_have_errors_with_intervals_and_a_sentence(
    twelve_series: list[Series], dataset: Dataset
) -> None:
    table = table_of(dataset)
    go_row, criterion_row = row(table, "go-testing"), row(table, "criterion")

    assert go_row["error_low"] <= go_row["error_q50"] <= go_row["error_high"]
    assert harness_sentence(table) == (
        "Criterion.rs has left the warm-up on 0\u00a0% of 12 series. "
        "10 of 11 rules would have measured mostly warm-up."
    )
    assert criterion_row["error_q50"] == pytest.approx(0.445, abs=0.03)


def test_rates_are_judged_as_times_are(twelve_series: list[Series], dataset: Dataset) -> None:
    median_before = row(table_of(dataset), "jmh-default")["warm_up_q50"]

    for series_row in twelve_series:
        of_it = SeriesValues.objects.filter(series=series_row)
        of_it.update(data=(1 / series_row.array()).tobytes())
    set_lengths(1.0)
    Benchmark.objects.update(unit="ops/s", mode="thrpt")

    rates = table_of(dataset)
    assert rates.n == 12
    jmh = row(rates, "jmh-default")["warm_up_q50"]
    assert jmh == pytest.approx(25.0)  # an iteration of 1 s holds one operation, of up to 2 s
    assert median_before == pytest.approx(50, abs=2.5)


def test_more_series_than_are_looked_at_are_chosen_evenly(
    twelve_series: list[Series], dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reads, "MOST_SERIES", 3)

    table = table_of(dataset)

    assert (table.runs.asked_count, table.runs.visible_count) == (3, 12)
    assert [series_row.line.fork for series_row in table.runs.series] == [0, 6, 11]


def test_what_is_computed_first_lies_evenly_and_stays_in_order(
    twelve_series: list[Series], dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter([0.0, *([0.0] * 5), *([9.0] * 99)])
    monkeypatch.setattr(reads, "time", SimpleNamespace(monotonic=lambda: next(ticks)))

    runs = harness_runs(dataset, EVERYTHING, HarnessQuery(), 1.0)

    assert [series_row.line.fork for series_row in runs.series] == [0, 2, 5, 7, 10]
    assert runs.waiting_count == 7


@pytest.mark.parametrize("child", [beside.CHILD, "there.is.no.such.module"])
def test_a_process_beside_computes_the_same_or_this_one_where_none_starts(
    child: str, twelve_series: list[Series], dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of series that plateau is asked for; of one nobody knows how long its iterations last."""
    Series.objects.update(known_start=None)
    Series.objects.filter(pk=twelve_series[0].pk).update(settings={})
    monkeypatch.setattr(beside, "CHILD", child)
    monkeypatch.setattr(reads, "_kept", LatestUsed(reads.KEPT))
    own_runs = harness_runs(dataset, EVERYTHING, HarnessQuery())
    monkeypatch.setattr(reads, "_kept", LatestUsed(reads.KEPT))
    monkeypatch.setattr(reads, "_beside", beside.JudgesBeside(reads._kept.keep))
    monkeypatch.setattr(reads, "FEW_VALUES", 0)

    empty_runs = harness_runs(dataset, EVERYTHING, HarnessQuery(), -1.0)
    runs_beside = harness_runs(dataset, EVERYTHING, HarnessQuery(), 180.0)

    assert (empty_runs.waiting_count, runs_beside.waiting_count) == (12, 0)
    assert (len(runs_beside.series), runs_beside.untimed_count) == (11, 1)
    assert repr(runs_beside.series) == repr(own_runs.series)  # NaN is not equal to itself


def test_an_owner_who_says_how_long_iterations_last_changes_what_is_kept(
    twelve_series: list[Series], dataset: Dataset
) -> None:
    median_before = row(table_of(dataset), "jmh-default")["warm_up_q50"]
    set_lengths(10.0)
    median_after = row(table_of(dataset), "jmh-default")["warm_up_q50"]
    set_lengths(None)

    assert median_before == pytest.approx(25 * 2.055)
    assert median_after == pytest.approx(5 * 5 * 2.055)
    assert table_of(dataset).runs.untimed_count == 12


def set_lengths(seconds: float | None) -> None:
    """All iterations so long; None: nobody says."""
    settings = {"seconds_per_iteration": seconds} if seconds else {}
    Series.objects.update(settings=settings, seconds_per_iteration=seconds)


def test_a_file_asks_for_patience_while_series_are_missing(
    twelve_series: list[Series], vic: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(vic)
    monkeypatch.setattr("analysis.harness.exports.FILE_SECONDS", -1.0)

    refused_response = client.get(f"{PAGE}file/")

    assert (refused_response.status_code, refused_response["Retry-After"]) == (503, "5")


def test_series_and_rules_are_chosen_in_files_and_in_the_command(
    twelve_series: list[Series], vic: User, client: Client
) -> None:
    client.force_login(vic)
    benchmark = Benchmark.objects.get()
    other_benchmark = Benchmark.objects.create(
        dataset=benchmark.dataset,
        system="hive",
        name="other",
        unit=benchmark.unit,
        mode=benchmark.mode,
    )
    Series.objects.filter(fork=11).update(benchmark=other_benchmark)
    query = "s=hive&h=jmh-default&h=criterion"

    text = b"".join(
        client.get(f"{PAGE}file/?{query}&what=series").streaming_content  # type: ignore[attr-defined]
    ).decode()
    output = io.StringIO()
    options = ("--system", "hive", "--harness", "jmh-default", "--harness", "criterion")
    call_command(
        "harness", "startup-times/nightly", *options, "--what=series", "--format=csv", stdout=output
    )

    rows = list(csv.DictReader(io.StringIO(text)))
    assert [table_row["harness"] for table_row in rows] == ["criterion", "jmh-default"]
    assert text == output.getvalue()


def test_the_command_writes_lines_and_names_a_yardstick_that_is_not_there(
    twelve_series: list[Series],
) -> None:
    output = io.StringIO()
    call_command("harness", "startup-times/nightly", stdout=output)

    sentence, note, _, head, *lines = output.getvalue().splitlines()
    assert sentence.startswith("Criterion.rs has left")
    assert note.startswith("By Known answers, half of these series")
    assert head.split()[:2] == ["harness", "n"]
    assert len(lines) == len(HARNESSES)
    with pytest.raises(CommandError, match="no yardstick 'person:x'"):
        call_command("harness", "startup-times/nightly", "--yardstick", "person:x")
