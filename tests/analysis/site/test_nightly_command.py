"""A night in one command: imported, run, told; and again after it was stopped."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from analysis.runs.models import Detection
from people.models import User
from series.models import Recording, Series

pytestmark = pytest.mark.django_db


def write_results(folder: Path, name: str, level: float, fork_count: int = 2) -> Path:
    raw_values = [[level + 0.01 * (i % 3) for i in range(60)] for _ in range(fork_count)]
    metric = {"scoreUnit": "ms/op", "rawData": raw_values}
    benchmark_result = {"benchmark": f"org.{name}.work", "mode": "ss", "primaryMetric": metric}
    path = folder / f"{name}.json"
    path.write_text(json.dumps([benchmark_result]), encoding="utf-8")
    return path


def nightly_output(*files: Path, **options: Any) -> str:
    output = StringIO()
    arguments = {"recording": "night 1", "method": ["fixed?iteration=5", "mser"], **options}
    call_command("nightly", "bench/nightly", *files, owner="olga", stdout=output, **arguments)
    return output.getvalue()


def test_a_night_is_imported_run_and_told(olga: User, tmp_path: Path) -> None:
    output = nightly_output(write_results(tmp_path, "A", 1.0), write_results(tmp_path, "B", 2.0))

    assert (Series.objects.count(), Recording.objects.get().label) == (4, "night 1")
    assert Detection.objects.count() == 8
    assert "8 answered" in output
    assert "A.work" in output
    assert "B.work" in output


def test_the_next_night_runs_only_what_is_new(olga: User, tmp_path: Path) -> None:
    nightly_output(write_results(tmp_path, "A", 1.0))

    output = nightly_output(write_results(tmp_path, "A", 1.1), recording="night 2")

    assert "2 methods × 2 series = 4 detections; 0 stored already" in output
    assert Detection.objects.count() == 8


def test_the_same_command_goes_on_where_it_was_stopped(
    olga: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write_results(tmp_path, "A", 1.0), write_results(tmp_path, "B", 2.0)
    monkeypatch.setattr("analysis.work.services.work_through", lambda *_, **__: sys.exit(130))
    with pytest.raises(SystemExit):
        nightly_output(*files)
    monkeypatch.undo()
    assert (Series.objects.count(), Detection.objects.count()) == (4, 0)

    output = nightly_output(*files)

    assert "0 series stored, 2 known" in output
    assert Detection.objects.count() == 8
    assert "8 stored already; 0 to compute" in nightly_output(*files)


def test_a_night_of_series_that_are_too_short_has_no_result(olga: User, tmp_path: Path) -> None:
    entry = {
        "benchmark": "org.A.work",
        "mode": "ss",
        "primaryMetric": {"scoreUnit": "ms/op", "rawData": [[1, 2, 3], [1, 2, 2]]},
    }
    file = tmp_path / "short.json"
    file.write_text(json.dumps([entry]), encoding="utf-8")
    output = StringIO()

    with pytest.raises(SystemExit) as error_info:
        nightly_output(file, method=["kb-kssd"], stderr=output)

    assert error_info.value.code == 4
    assert "No method has an answer for a series of night 1" in output.getvalue()
    assert "No result in night 1 for 1 of 1 benchmarks" in output.getvalue()
    nightly_output(file, method=["kb-kssd", "fixed?iteration=1"])  # one of the two answers
