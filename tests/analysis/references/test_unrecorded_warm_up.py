"""Warm-up that JMH's JSON leaves out, from the file to every page and file that counts it.

Six forks take 1.5 ms an operation until iteration 60 and 1 ms after it; an iteration lasts 0.1 s.
The process of one file ran 5 iterations of 1 s before the first value, that of the other none.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.cost.query import CostQuery
from analysis.cost.table import ComparisonCosts, comparison_costs
from analysis.harness.outcomes import UNRECORDED_RESULT
from analysis.harness.query import HarnessQuery
from analysis.harness.reads import harness_runs
from analysis.harness.table import HarnessTable
from analysis.methods.series_context import context_of_series
from analysis.planner.query import PlanQuery
from analysis.planner.reads import plan_page
from analysis.planner.sentences import page_note
from analysis.runs.models import Detection
from analysis.statistics.benchmark_replay import CAP
from annotate.blind import EVERYTHING
from detectors.contract import Context, NotAvailable
from detectors.registry import registry
from detectors.rules.harnesses.operations import FIRST_MISSING
from people.models import User
from series.importing import services
from series.models import Dataset, Series
from series.reading.file_readers import FileToRead

FORKS, N, START = 6, 300, 60
OPERATIONS = ("go-testing", "google-benchmark", "criterion", "sailfish", "pyperf", "benchmark-ips")
COUNTED = pytest.mark.parametrize(("warm_up", "before"), [(5, 50), (0, 0)])


def jmh(warm_up: int) -> bytes:
    rng = np.random.default_rng(1)
    values = 1 + 0.01 * rng.normal(size=(FORKS, N))
    values[:, :START] += 0.5
    run = {
        "benchmark": "a.B.c", "mode": "avgt", "forks": FORKS, "threads": 1,
        "warmupIterations": warm_up, "warmupTime": "1 s",
        "measurementIterations": N, "measurementTime": "100 ms",
        "primaryMetric": {"scoreUnit": "ms/op", "rawData": values.tolist()},
    }  # fmt: skip
    return json.dumps([run]).encode()


def import_series(dataset: Dataset, warm_up: int) -> list[Series]:
    services.import_file(dataset, FileToRead("forks.json", data=jmh(warm_up)))
    Series.objects.update(known_start=START)
    return list(Series.objects.select_related("benchmark__dataset__study").order_by("fork"))


def store_detections(forks: list[Series]) -> None:
    """Every fork is steady from 80 on, by MSER-5."""
    for series in forks:
        Detection.objects.create(
            series=series, detector_key="mser@1", slug="mser", steady_start=80, milliseconds=1.0
        )


def seconds_of(count: int) -> object:
    """Seconds of so many iterations of 0.1 s: each is filled with whole operations."""
    return pytest.approx(0.1 * count, rel=0.02)


@COUNTED
def test_the_series_page_says_what_was_run_before(
    dataset: Dataset, client: Client, vic: User, warm_up: int, before: int
) -> None:
    first = import_series(dataset, warm_up)[0]
    client.force_login(vic)

    page = client.get(first.get_absolute_url()).text

    assert ("5 iterations of 1 s" in page) == bool(before)


@COUNTED
def test_methods_count_from_the_start_of_the_process(
    dataset: Dataset, warm_up: int, before: int
) -> None:
    series = import_series(dataset, warm_up)[0]
    values, context = series.array(), context_of_series(series)
    methods = registry()

    assert methods["developer"]().answer(values, context).steady_start == 0
    fixed_start = methods["fixed-time"](seconds=8.0).answer(values, context).steady_start
    assert fixed_start == pytest.approx(80 - before, abs=2)
    assert methods["fixed-time"](seconds=4.0).answer(values, context).steady_start == (
        0 if before else pytest.approx(40, abs=2)
    )
    old_start = methods["jmh-default"](jmh="before-1.21").answer(values, context).steady_start
    assert old_start == pytest.approx(200 - before, abs=20)  # each second takes ten or eleven
    assert methods["jmh-default"]().answer(values, context).flags == ("exhausted",)


@pytest.mark.parametrize("slug", OPERATIONS)
def test_rules_that_look_at_the_first_operations_have_no_answer_without_them(
    dataset: Dataset, slug: str
) -> None:
    series = import_series(dataset, 5)[0]

    with pytest.raises(NotAvailable) as error_info:
        registry()[slug]().answer(series.array(), context_of_series(series))
    assert error_info.value.reason == FIRST_MISSING


@COUNTED
def test_the_plan_leaves_out_what_was_left_out_and_more(
    dataset: Dataset, client: Client, vic: User, warm_up: int, before: int
) -> None:
    benchmark = import_series(dataset, warm_up)[0].benchmark
    client.force_login(vic)

    page = plan_page(benchmark, EVERYTHING, PlanQuery())
    address = reverse("what-to-do", args=["startup-times"])
    page_text = client.get(address, {"b": benchmark.public_id}).text

    assert page is not None
    assert page.plan is not None
    best_configuration = page.plan.recommended
    assert best_configuration is not None
    assert best_configuration.warm_up == before + START
    assert best_configuration.seconds == pytest.approx(
        best_configuration.forks * (1 + 0.1 * (before + START + best_configuration.iterations))
    )
    assert f"-wi {before + START} -w 100ms" in page_text
    note = "50 of these iterations were run before the first recorded value."
    assert (note in page_note(page)) == bool(before)
    assert (note in page_text) == bool(before)


def test_the_row_as_configured_is_the_run_that_was_recorded(dataset: Dataset) -> None:
    benchmark = import_series(dataset, 5)[0].benchmark

    page = plan_page(benchmark, EVERYTHING, PlanQuery())

    assert page is not None
    setup = page.today_setup
    assert setup is not None
    assert (setup.warm_up, setup.iterations, setup.forks) == (50, N, FORKS)
    assert setup.bias == pytest.approx(0.5 * START / N, rel=0.05)  # from the first value on
    assert setup.seconds == pytest.approx(FORKS * (1 + 5 + 0.1 * N))


def test_a_configuration_that_nobody_recorded_has_no_exactness(dataset: Dataset) -> None:
    benchmark = import_series(dataset, 5)[0].benchmark

    page = plan_page(benchmark, EVERYTHING, PlanQuery())

    assert page is not None
    assert page.plan is not None
    assert page.plan.configuration(49, 100, 5).bias is None
    assert page.plan.configuration(50, 100, 5).bias is not None


@COUNTED
def test_the_files_of_plans_count_alike(
    dataset: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str], warm_up: int, before: int
) -> None:
    from plateau_perf.command import main  # noqa: PLC0415

    import_series(dataset, warm_up)
    path = tmp_path / "forks.json"
    path.write_bytes(jmh(warm_up))

    call_command("plan", "startup-times/nightly", "--format", "csv")
    of_study = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    with pytest.MonkeyPatch.context() as patch:
        command = ["plateau", "plan", str(path), "--method", f"fixed?iteration={START}"]
        patch.setattr("sys.argv", [*command, "--format", "csv"])
        assert main() == 0
    of_file = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    for row in (of_study, of_file):
        assert row["warm_up"] == str(before + START)
        assert row["unrecorded"] == str(before)
    assert (of_study["steady_by"], of_file["steady_by"]) == ("Known answers", "Fixed iteration")
    empty_columns = {"benchmark": "", "steady_by": ""}
    assert of_study | empty_columns == of_file | empty_columns


@COUNTED
def test_the_page_of_a_data_set_says_that_it_counts(
    dataset: Dataset, client: Client, vic: User, warm_up: int, before: int
) -> None:
    store_detections(import_series(dataset, warm_up))
    client.force_login(vic)

    page = client.get("/s/startup-times/what-to-do/?data=nightly").text

    assert ("data-unrecorded>6 with" in page) == bool(before)


@COUNTED
def test_harnesses_are_held_against_the_seconds_of_the_process(
    dataset: Dataset, warm_up: int, before: int
) -> None:
    import_series(dataset, warm_up)

    table = HarnessTable(harness_runs(dataset, EVERYTHING, HarnessQuery()))

    row_by_harness = {row["harness"]: row for row in table.rows}
    assert table.truth.q50 == seconds_of(before + START)
    assert row_by_harness["developer"]["warm_up_q50"] == seconds_of(before)
    assert row_by_harness["developer"]["wasted_q50"] == 0
    assert row_by_harness["criterion"]["n"] == (0 if before else FORKS)
    assert (row_by_harness["criterion"]["reason"] == FIRST_MISSING) == bool(before)


def test_a_harness_that_would_measure_what_nobody_recorded_has_no_result(dataset: Dataset) -> None:
    import_series(dataset, 60)  # a minute, longer than the 50 s of JMH's default

    table = HarnessTable(harness_runs(dataset, EVERYTHING, HarnessQuery()))

    (default,) = (row for row in table.rows if row["harness"] == "jmh-default")
    assert (default["n"], default["reason"]) == (0, UNRECORDED_RESULT)


def costs(dataset: Dataset, cap: int = CAP) -> ComparisonCosts:
    comparison = compare_stored(dataset.study, EVERYTHING, ComparisonQuery(yardstick="known"))
    costs = comparison_costs(comparison, CostQuery(measured=100, cap=cap))
    assert costs is not None
    return costs


@COUNTED
def test_costs_are_those_of_the_whole_process(dataset: Dataset, warm_up: int, before: int) -> None:
    store_detections(import_series(dataset, warm_up))

    (mser,) = costs(dataset).method_cells.values()
    (capped_row,) = costs(dataset, cap=100).method_cells.values()

    assert mser["warm_up_q50"] == before + 80
    assert mser["seconds_total"] == seconds_of(FORKS * (before + 80 + 100))
    assert mser["seconds_honest_total"] == seconds_of(FORKS * (before + N))
    assert mser["wasted"] == seconds_of(FORKS * (80 - START))
    assert capped_row["warm_up_q50"] == min(before + 80, 100)
    assert capped_row["capped"] == (FORKS if before else 0)


def test_settings_that_a_person_gives_say_nothing_of_the_recording() -> None:
    """A method that is asked by hand counts from the first value, unless it is told otherwise."""
    settings = {"warmup_iterations": 5, "warmup_seconds": 1.0}
    settings_of_recording = settings | {"unrecorded_iterations": 3}
    developer = registry()["developer"]()

    assert (
        developer.answer(np.full(100, 0.5), Context("s/op", settings=settings)).steady_start == 10
    )
    assert (
        developer.answer(
            np.full(100, 0.5), Context("s/op", settings=settings_of_recording)
        ).steady_start
        == 4
    )
