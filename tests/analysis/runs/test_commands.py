"""`manage.py run`, `detections` and `sweep`, as people script them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.runs.models import Detection, Run
from annotate.models import Campaign, Task
from detectors.registry import DEFAULT_METHOD
from people.models import User
from series.models import Dataset, Series
from tests.analysis.runs.conftest import FIXED
from tests.analysis.work.units import work
from tests.replayed_rows import replayed


def outputs_of(*command: str, **options: Any) -> tuple[str, str]:
    output, err = io.StringIO(), io.StringIO()
    call_command(*command, stdout=output, stderr=err, **options)
    return output.getvalue(), err.getvalue()


def test_a_run_with_wait_needs_no_worker(seven_series: list[Series]) -> None:
    output, err = outputs_of(
        "run", "startup-times/nightly", "--method", "fixed?iteration=3", "--wait"
    )

    run = Run.objects.get()
    assert output.splitlines() == [
        "1 method × 7 series = 7 detections; 0 stored already; 7 to compute",
        f"Run {run.public_id}: /s/startup-times/runs/{run.public_id}/",
        "done: 7 answered, 0 failed",
    ]
    assert err == ""
    assert Detection.objects.filter(detector_key=FIXED, steady_start=3).count() == 7


def test_a_run_prepares_series_first_where_asked_to(seven_series: list[Series]) -> None:
    prepare = ("--method", "fixed?iteration=3", "--prepare", "median")

    outputs_of("run", "startup-times/nightly", *prepare, "--wait")

    detections = Detection.objects.all()
    assert {detection.detector_key.partition("?")[0] for detection in detections} == {"prepared@2"}
    answers = {(detection.steady_start, detection.flags) for detection in detections}
    assert answers == {(3, "unprepared")}  # too short to be filtered


def test_a_run_may_be_narrowed_and_its_page_gives_it_back(
    seven_series: list[Series], campaign: Campaign, client: Client, olga: User
) -> None:
    Task.objects.create(campaign=campaign, series=seven_series[2], position=1)
    filters = ("--campaign", "first-look", "--text", "sort merge", "--recording", "first")

    output, _ = outputs_of("run", "startup-times/nightly", "--method", "fixed", *filters, "--wait")

    assert output.startswith("1 method × 1 series = 1 detections;")
    assert Detection.objects.get().series == seven_series[2]
    client.force_login(olga)
    page = client.get(Run.objects.get().get_absolute_url()).content.decode()
    assert "startup-times/nightly --recording" in page
    assert "&#x27;sort merge&#x27; --campaign" in page
    assert "recording first · “sort merge”" in page


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--campaign", "nope", "campaign: found 'nope', expected one of: first-look"),
        ("--system", "nope", "system: found 'nope', expected one of: example"),
        ("--recording", "nope", "recording: found 'nope', expected one of: first"),
        ("--only", "nope", "only: found 'nope', expected public ids of benchmarks or series of"),
        ("--text", "nope", "No series of nightly is left by: “nope”. Remove a filter."),
    ],
)
def test_a_narrowing_that_is_not_there_is_refused(
    seven_series: list[Series], campaign: Campaign, option: str, value: str, sentence: str
) -> None:
    with pytest.raises(CommandError) as error_info:
        outputs_of("run", "startup-times/nightly", "--method", "fixed", option, value)

    assert str(error_info.value).startswith(sentence)
    assert error_info.value.returncode == 2
    assert not Run.objects.exists()


def test_a_repeated_run_computes_nothing(seven_series: list[Series]) -> None:
    outputs_of("run", "startup-times/nightly", "--method", "fixed", "kb-kssd", "--wait")
    rows_before = list(Detection.objects.values_list("pk", "when"))

    out, _ = outputs_of(
        "run", "startup-times/nightly", "--method", "fixed", "--method", "kb-kssd", "--wait"
    )

    assert out.startswith("2 methods × 7 series = 14 detections; 14 stored already; 0 to compute\n")
    assert out.endswith("done: 0 answered, 0 failed\n")
    assert list(Detection.objects.values_list("pk", "when")) == rows_before


def test_again_compares_and_says_so_by_its_status(seven_series: list[Series]) -> None:
    outputs_of("run", "startup-times/nightly", "--method", "fixed", "--wait")
    Detection.objects.filter(series=seven_series[0]).update(flags="capped")

    with pytest.raises(SystemExit) as error_info:
        outputs_of("run", "startup-times/nightly", "--method", "fixed", "--again", "--wait")

    assert error_info.value.code == 1


def test_what_no_method_could_answer_is_counted_and_told_by_the_status(
    seven_series: list[Series], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error_info:
        call_command(
            "run",
            "startup-times/nightly",
            method=["developer", "fixed", "ruptures-pelt"],
            wait=True,
        )

    assert error_info.value.code == 1
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "done: 14 answered (7 too short), 7 not available, 0 failed",
        "developer: 7 not available: no settings: the series does not say its warmup iterations",
    ]


def test_a_series_that_is_too_short_is_answered(seven_series: list[Series]) -> None:
    output, _ = outputs_of("run", "startup-times/nightly", "--method", "ruptures-pelt", "--wait")

    assert output.endswith("done: 7 answered (7 too short), 0 failed\n")


def test_without_a_worker_a_queued_run_says_what_to_type(seven_series: list[Series]) -> None:
    _, err = outputs_of("run", "startup-times/nightly", "--method", "fixed")

    assert err == "No worker is connected. The run starts by itself when one is: make worker\n"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("run", "nightly", "--method", "fixed"), "found 'nightly', expected STUDY/DATASET"),
        (
            ("run", "startup-times/weekly", "--method", "fixed"),
            "no data set 'startup-times/weekly'; there are: startup-times/nightly",
        ),
        (
            ("run", "startup-times/nightly", "--method", "fixed?iteration=-1"),
            "fixed: iteration must be from 0 to 100000000; got -1",
        ),
        (("detections", "startup-times/nightly", "--method", "oracle"), "no detector 'oracle'"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(
    seven_series: list[Series], command: tuple[str, ...], message: str
) -> None:
    with pytest.raises(CommandError) as error_info:
        outputs_of(*command)

    assert str(error_info.value).startswith(message)
    assert error_info.value.returncode == 2


@pytest.fixture
@replayed
def computed_dataset(seven_series: list[Series], make_run: Callable[..., Run]) -> Dataset:
    """Answers, too short ones, and one that is never steady."""
    for chunk in make_run(FIXED, "fixed@1?iteration=99", "ruptures-pelt").units.all():
        work(chunk)
    return seven_series[0].benchmark.dataset


def test_detections_are_a_table_with_a_row_each(computed_dataset: Dataset, tmp_path: Path) -> None:
    target = tmp_path / "detections.csv"

    outputs_of("detections", "startup-times/nightly", output=target)
    csv_text, _ = outputs_of("detections", "startup-times/nightly")

    assert target.read_text(encoding="utf-8") == csv_text
    rows = list(csv.DictReader(io.StringIO(csv_text)))
    assert len(rows) == 21
    first_cells = {name: rows[0][name] for name in ("recording", "benchmark", "fork", "n", "unit")}
    assert first_cells == {
        "recording": "first",
        "benchmark": "org.example.Sort.merge",
        "fork": "0",
        "n": "10",
        "unit": "s/op",
    }
    assert [
        (row["method"], row["version"], row["method_params"], row["steady_start"], row["error"])
        for row in rows[:3]
    ] == [
        ("fixed", "1", "iteration=3", "3", ""),
        ("fixed", "1", "iteration=99", "-1", ""),
        (
            "ruptures-pelt",
            "1",
            "cost=normal&penalty=200&min_size=100&jump=20",
            "",
            "too short: needs at least 200 values; got 10",
        ),
    ]


@pytest.mark.parametrize(
    ("method", "row_count"),
    [("fixed", 14), ("fixed?iteration=3", 7), (FIXED, 7), ("ruptures-pelt", 7)],
)
def test_a_slug_takes_all_its_parameters_and_a_key_its_own(
    computed_dataset: Dataset, method: str, row_count: int
) -> None:
    output, _ = outputs_of("detections", "startup-times/nightly", "--method", method)

    assert len(output.splitlines()) == row_count + 1


def test_sweep_says_how_many(seven_series: list[Series], make_run: Callable[..., Run]) -> None:
    make_run(FIXED)

    assert outputs_of("sweep")[0] == "1 chunk queued\n"
    assert outputs_of("sweep")[0] == "0 chunks queued\n"


def test_a_run_without_a_method_takes_the_default_one(seven_series: list[Series]) -> None:
    call_command("run", "startup-times/nightly", "--wait", stdout=io.StringIO())

    stored_detections = Detection.objects.filter(series__in=seven_series)
    assert set(stored_detections.values_list("slug", flat=True)) == {DEFAULT_METHOD}
    assert all(
        detection.reason
        for detection in stored_detections
        if detection.outcome == Detection.Outcome.ANSWER
    )
