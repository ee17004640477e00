"""Files that harnesses wrote themselves: every series with its values, unit, names and warm-up."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import formats
from formats import FormatError, Measurement
from tests.formats.reading import complaint, read

FILES = Path(__file__).parent / "harnesses"


def of(name: str) -> list[Measurement]:
    return read((FILES / name).read_bytes(), name)


def whole(name: str) -> Any:
    return json.loads((FILES / name).read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "format", "series"),
    [
        ("pyperf.json", "pyperf", ["sort||0", "sort||1", "join||0", "join||1"]),
        (
            "pytest-benchmark.json",
            "pytest-benchmark",
            [
                "test_b.py::test_sort|n=10|0",
                "test_b.py::test_sort|n=100|0",
                "test_b.py::test_join||0",
            ],
        ),
        (
            "google-benchmark.json",
            "google-benchmark",
            ["BM_Sort/64||0", "BM_Sort/512||0", "BM_Empty||0"],
        ),
        ("hyperfine.json", "hyperfine", ['sort "numbers"||0', "count||0"]),
        (
            "go.txt",
            "go",
            [
                "example.org/words/Join||0",
                "example.org/words/Sort/n=10||0",
                "example.org/words/Sort/n=100||0",
            ],
        ),
    ],
)
def test_a_file_is_recognised_and_its_series_named(
    name: str, format: str, series: list[str]
) -> None:
    found = formats.preview(io.BytesIO((FILES / name).read_bytes()), name)

    assert (found.format, found.problems) == (format, [])
    assert [one.label for one in of(name)] == series
    assert {one.unit for one in of(name)} == {"s" if format == "hyperfine" else "s/op"}
    assert any("3000" in note for note in of(name)[0].notes)  # the command that records more


def test_pyperf_keeps_warm_up_values_first_and_marked() -> None:
    first = of("pyperf.json")[0]
    run = whole("pyperf.json")["benchmarks"][0]["runs"][1]

    warmups = [time for _, time in run["warmups"]]
    assert first.values.tolist() == [*warmups, *run["values"]]
    assert first.settings["warmup_values"] == len(warmups) == 3
    assert first.recording.runtime.startswith("cpython 3.")
    assert first.recording.measured_at == run["metadata"]["date"]
    assert any("calibrate" in note for note in first.notes)


def test_pytest_benchmark_has_the_rounds_also_where_they_were_saved() -> None:
    stats = whole("pytest-benchmark.json")["benchmarks"][0]["stats"]

    assert of("pytest-benchmark.json")[0].values.tolist() == stats["data"]
    assert len(of("pytest-benchmark-saved.json")) == 3


def test_a_summary_of_pytest_benchmark_names_the_option_that_keeps_rounds() -> None:
    summary = whole("pytest-benchmark.json")
    for each in summary["benchmarks"]:
        del each["stats"]["data"]

    said = complaint(json.dumps(summary).encode(), "saved.json")

    assert "found a summary" in said
    assert "--benchmark-save-data" in said


def test_google_benchmark_takes_the_repetitions_and_no_aggregate() -> None:
    runs = whole("google-benchmark.json")["benchmarks"]
    times = [
        each["real_time"]
        for each in runs
        if each["run_name"] == "BM_Sort/64" and each["run_type"] == "iteration"
    ]

    first = of("google-benchmark.json")[0]

    assert first.values == pytest.approx([each / 1e9 for each in times], rel=1e-15)
    assert len(times) == runs[0]["repetitions"]
    assert of("google-benchmark.json")[2].values[0] < 1e-6  # given in microseconds


def test_aggregates_alone_name_the_option_that_keeps_repetitions() -> None:
    with pytest.raises(FormatError) as refused:
        of("google-benchmark-aggregates.json")

    assert refused.value.found == "aggregates"
    assert "--benchmark_report_aggregates_only=false" in refused.value.hint


def test_a_failed_repetition_is_named() -> None:
    failed = {
        "context": {},
        "benchmarks": [
            {"name": "b", "error_occurred": True, "error_message": "no file", "real_time": 0.0}
        ],
    }

    assert "benchmark b, repetition 0, real_time: found no file" in complaint(
        json.dumps(failed).encode(), "failed.json"
    )


def test_hyperfine_keeps_parameters_apart() -> None:
    found = of("hyperfine-params.json")
    results = whole("hyperfine-params.json")["results"]

    assert [one.params for one in found] == ["size=1", "size=2"]
    assert [one.values.tolist() for one in found] == [each["times"] for each in results]


def test_go_has_processors_package_and_machine() -> None:
    first = of("go.txt")[0]

    assert first.values[0] == 590.2 / 10**9
    assert first.settings["threads"] == 2
    assert (first.recording.machine, first.recording.runtime) == ("AMD EPYC", "linux amd64")


def test_go_without_a_time_takes_its_first_unit() -> None:
    lines = "".join(f"BenchmarkSend-4\t100\t{speed} MB/s\t9 B/op\n" for speed in (80.5, 90.25))

    (one,) = read(lines.encode(), "go.txt")

    assert (one.benchmark, one.unit, one.values.tolist()) == ("Send", "MB/s", [80.5, 90.25])


@pytest.mark.parametrize(
    ("name", "path", "value", "place"),
    [
        ("hyperfine.json", ("results", 0, "times", 1), "slow", "result number 1, times"),
        ("hyperfine.json", ("results", 0), 5, "result number 1"),
        ("pyperf.json", ("benchmarks", 0, "runs", 1, "warmups", 0), [1], "warmups 0"),
        ("pyperf.json", ("benchmarks", 0, "runs"), {}, "benchmark number 1, runs"),
        ("pytest-benchmark.json", ("benchmarks", 0, "stats"), None, "stats"),
        ("google-benchmark.json", ("benchmarks", 0, "time_unit"), "weeks", "time_unit"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    name: str, path: tuple[str | int, ...], value: Any, place: str
) -> None:
    data = whole(name)
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value

    said = complaint(json.dumps(data).encode(), name)

    assert place in said
    assert "found" in said
