"""Recordings with events: real compilations where the workload changes, and the recorder."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pytest

from demo import layout, record_events, runtimes
from demo.catalogue import CATALOGUE, EVENTS_FOLDER, workload_named

JAVA = [workload for workload in CATALOGUE if workload.runtime == "java"]


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(gzip.decompress(path.read_bytes()).decode())))


def test_every_java_workload_has_a_recording_with_events() -> None:
    assert {path.name for path in EVENTS_FOLDER.iterdir()} == {
        name for workload in JAVA for name in (workload.file, workload.events_file)
    }
    for workload in JAVA:
        entry = layout.read_recording(EVENTS_FOLDER / workload.file)
        n = len(entry["primaryMetric"]["rawData"][0])
        events = rows(EVENTS_FOLDER / workload.events_file)
        assert entry["benchmark"] == workload.benchmark
        assert n >= 2_000
        assert {event["lane"] for event in events} >= {"compilation"}
        assert all(0 <= int(event["iteration"]) < n for event in events)


def test_code_is_given_up_when_a_third_and_a_fourth_class_join() -> None:
    late_workload = workload_named("java-late-class")
    traps = {
        int(event["iteration"])
        for event in rows(EVENTS_FOLDER / late_workload.events_file)
        if event["lane"] == "deoptimisation" and event["name"] == "LateClass.run"
    }

    for joining_class in (late_workload.params["third"], late_workload.params["fourth"]):
        assert any(abs(trap - joining_class) <= 5 for trap in traps), (joining_class, traps)


def test_the_recorder_places_events_in_a_real_process(tmp_path: Path) -> None:
    if complaint := runtimes.missing_runtime("java"):
        pytest.skip(complaint)
    options = ["--only", "java-matrix-product", "--iterations", "20", "--output", str(tmp_path)]

    assert record_events.main(options) == 0

    workload = workload_named("java-matrix-product")
    assert len(layout.read_recording(tmp_path / workload.file)["primaryMetric"]["rawData"][0]) == 20
    assert {row["lane"] for row in rows(tmp_path / workload.events_file)} >= {"compilation"}
