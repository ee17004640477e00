"""Files that harnesses wrote themselves: every series with its values, unit, names and warm-up."""

from __future__ import annotations

import io
import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet
import pytest

import formats
from formats import FormatError, Measurement
from formats.iterations import IterationLength, length_of
from formats.occasions import time_stamp
from tests.formats.reading import complaint, read

FILES = Path(__file__).parent / "harnesses"


def read_example(name: str) -> list[Measurement]:
    return read((FILES / name).read_bytes(), name)


def json_of_example(name: str) -> Any:
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
            "asv.json",
            "asv",
            [
                "benchmarks.Sorting.time_sort|param1=100&param2='list'|0",
                "benchmarks.Sorting.time_sort|param1=100&param2='tuple'|0",
                "benchmarks.Sorting.time_sort|param1=1000&param2='list'|0",
                "benchmarks.Sorting.time_sort|param1=1000&param2='tuple'|0",
                "benchmarks.time_range||0",
            ],
        ),
        ("criterion-sample.json", "criterion", ["criterion-sample||0"]),
        ("criterion-raw.csv", "criterion", ["lists/sort/500||0"]),
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
    preview = formats.preview(io.BytesIO((FILES / name).read_bytes()), name)

    assert (preview.format, preview.problems) == (format, [])
    assert [m.label for m in read_example(name)] == series
    assert {m.unit for m in read_example(name)} == {"s" if format == "hyperfine" else "s/op"}
    assert any(
        "3000" in note for note in read_example(name)[0].notes
    )  # the command that records more


@pytest.mark.parametrize(
    ("name", "machine"),
    [
        ("google-benchmark.json", ""),
        ("pyperf.json", "AMD EPYC"),
        ("pytest-benchmark.json", "AMD EPYC"),
        ("rebench.data", "AMD EPYC"),
    ],
)
def test_files_say_which_machine_it_was(name: str, machine: str) -> None:
    recording = read_example(name)[0].recording

    assert (recording.instance, recording.machine) == ("vm", machine)


def test_pyperf_keeps_warm_up_values_first_and_marked() -> None:
    first = read_example("pyperf.json")[0]
    run = json_of_example("pyperf.json")["benchmarks"][0]["runs"][1]

    warmups = [time for _, time in run["warmups"]]
    assert first.values.tolist() == [*warmups, *run["values"]]
    assert first.settings["warmup_values"] == len(warmups) == 3
    assert first.recording.runtime.startswith("cpython 3.")
    assert first.recording.measured_at == run["metadata"]["date"]
    assert any("calibrate" in note for note in first.notes)


def test_criterion_divides_the_time_of_a_sample_by_its_iterations() -> None:
    """Both as Criterion.rs 0.3.6 wrote them; the counts grow in the linear mode alone."""
    sample = json_of_example("criterion-sample.json")
    rows = pd.read_csv(FILES / "criterion-raw.csv")

    (linear,) = read_example("criterion-sample.json")
    (flat_measurement,) = read_example("criterion-raw.csv")

    means = [time / count for time, count in zip(sample["times"], sample["iters"], strict=True)]
    assert sample["iters"][1] == 2 * sample["iters"][0]
    assert linear.values == pytest.approx([mean / 1e9 for mean in means], rel=1e-15)
    assert rows["iteration_count"].nunique() == 1
    expected = rows["sample_measured_value"] / rows["iteration_count"] / 1e9
    assert flat_measurement.values == pytest.approx(expected.to_numpy(), rel=1e-15)


def test_pytest_benchmark_has_the_rounds_also_where_they_were_saved() -> None:
    stats = json_of_example("pytest-benchmark.json")["benchmarks"][0]["stats"]

    assert read_example("pytest-benchmark.json")[0].values.tolist() == stats["data"]
    assert len(read_example("pytest-benchmark-saved.json")) == 3


def test_a_summary_of_pytest_benchmark_is_a_median_for_the_trend() -> None:
    summary = json_of_example("pytest-benchmark.json")
    commit = summary["commit_info"]["id"] = "0123456789"
    medians = [entry["stats"]["median"] for entry in summary["benchmarks"]]
    for entry in summary["benchmarks"]:
        del entry["stats"]["data"]

    series = read(json.dumps(summary).encode(), "saved.json")

    assert [series_row.values.tolist() for series_row in series] == [[median] for median in medians]
    assert series[0].recording.label == f"01234567 {summary['datetime']}"
    assert series[0].recording.build == commit
    assert any("--benchmark-save-data" in note for note in series[0].notes)
    del summary["benchmarks"][0]["stats"]["median"]
    assert "found no time" in complaint(json.dumps(summary).encode(), "saved.json")


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("google-benchmark.json", 0.02909194550),
        ("go.txt", 0.0050632418),
        ("criterion-sample.json", 0.0671540545),
    ],
)
def test_a_batch_of_operations_says_how_long_an_iteration_lasts(name: str, seconds: float) -> None:
    first = read_example(name)[0]
    length = length_of(first.unit, first.mode, first.settings)

    assert length is not None
    assert length.measured
    assert length.seconds == pytest.approx(seconds)


def test_batches_of_one_operation_each_last_as_long_as_their_value() -> None:
    lines = "".join(f"BenchmarkSort-2 1 {time} ns/op\n" for time in (900, 800, 810))
    (first,) = read(lines.encode(), "go.txt")

    assert length_of(first.unit, first.mode, first.settings) == IterationLength(None)


def test_calls_in_several_threads_say_nothing_of_the_length_of_an_iteration() -> None:
    document = json_of_example("google-benchmark.json")
    for run in document["benchmarks"]:
        run["threads"] = 4
    first = read(json.dumps(document).encode(), "threads.json")[0]

    assert length_of(first.unit, first.mode, first.settings) is None


def test_google_benchmark_takes_the_repetitions_and_no_aggregate() -> None:
    runs = json_of_example("google-benchmark.json")["benchmarks"]
    times = [
        run["real_time"]
        for run in runs
        if run["run_name"] == "BM_Sort/64" and run["run_type"] == "iteration"
    ]

    first = read_example("google-benchmark.json")[0]

    assert first.values == pytest.approx([time / 1e9 for time in times], rel=1e-15)
    assert len(times) == runs[0]["repetitions"]
    assert read_example("google-benchmark.json")[2].values[0] < 1e-6  # given in microseconds


@pytest.mark.parametrize("cut", [1300, 1800, -40, -3])
def test_a_google_benchmark_file_that_breaks_off_has_its_complete_runs(cut: int) -> None:
    content = (FILES / "google-benchmark.json").read_bytes()
    complete = {
        measurement.label: measurement.values.tolist()
        for measurement in read_example("google-benchmark.json")
    }

    series = read(content[:cut], "cut.json")

    assert len(series) == (1 if cut > 0 else len(complete))
    for measurement in series:
        values = measurement.values.tolist()
        assert values
        assert values == complete[measurement.label][: len(values)]
        assert any("breaks off behind line" in note for note in measurement.notes)
    assert "end of file" in complaint(content[:400], "cut.json")


def test_a_mistake_within_a_google_benchmark_file_is_no_end() -> None:
    content = (FILES / "google-benchmark.json").read_bytes()

    assert "expected ':'" in complaint(content.replace(b'"threads":', b'"threads"', 3), "x.json")


def test_aggregates_alone_name_the_option_that_keeps_repetitions() -> None:
    with pytest.raises(FormatError) as error_info:
        read_example("google-benchmark-aggregates.json")

    assert error_info.value.found == "aggregates"
    assert "--benchmark_report_aggregates_only=false" in error_info.value.hint


def test_a_failed_repetition_is_named() -> None:
    failed_document = {
        "context": {},
        "benchmarks": [
            {"name": "b", "error_occurred": True, "error_message": "no file", "real_time": 0.0}
        ],
    }

    assert "benchmark b, repetition 0, real_time: found no file" in complaint(
        json.dumps(failed_document).encode(), "failed.json"
    )


def test_hyperfine_keeps_parameters_apart() -> None:
    series = read_example("hyperfine-params.json")
    results = json_of_example("hyperfine-params.json")["results"]

    assert [m.params for m in series] == ["size=1", "size=2"]
    assert [m.values.tolist() for m in series] == [result["times"] for result in results]


def test_go_has_processors_package_and_machine() -> None:
    first = read_example("go.txt")[0]

    assert first.values[0] == 590.2 / 10**9
    assert first.settings["threads"] == 2
    assert (first.recording.machine, first.recording.runtime) == ("AMD EPYC", "linux amd64")


def test_go_without_a_time_takes_its_first_unit() -> None:
    lines = "".join(f"BenchmarkSend-4\t100\t{speed} MB/s\t9 B/op\n" for speed in (80.5, 90.25))

    (series,) = read(lines.encode(), "go.txt")

    assert (series.benchmark, series.unit, series.values.tolist()) == (
        "Send",
        "MB/s",
        [80.5, 90.25],
    )


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
    data = json_of_example(name)
    inner_document = data
    for step in path[:-1]:
        inner_document = inner_document[step]
    inner_document[path[-1]] = value

    message = complaint(json.dumps(data).encode(), name)

    assert place in message
    assert "found" in message


# --- recorded by ReBench and asv ----------------------------------------------------------------
def test_rebench_has_a_series_for_each_invocation_in_the_order_measured() -> None:
    rows = [
        line.split("\t")
        for line in (FILES / "rebench.data").read_text("utf-8").splitlines()
        if line[:1].isdigit()
    ]

    series = read_example("rebench.data")

    assert [(m.benchmark, m.fork, m.values.size) for m in series] == [
        (name, fork, 30) for name in ("Queens", "Sieve") for fork in (0, 1)
    ]
    assert series[1].values.tolist() == [
        float(row[2]) / 1e3 for row in rows if (row[0], row[5]) == ("2", "Queens")
    ]
    assert series[2].params == "cores=1&executor=CPython&extraArgs=fast&inputSize=10&suite=Small"
    assert series[0].recording.measured_at.startswith("2026-")


def test_rebench_keeps_criteria_and_executions_apart() -> None:
    head = "invocation\titeration\tvalue\tunit\tcriterion\tbenchmark\texecutor\n"
    data = (
        '# Execution Start: 2026-01-01T00:00:00\n# Source: {"commitId": "abc"}\n# Environment: {\n'
        f"{head}1\t1\t5\tms\ttotal\tB\tE\n1\t1\t7\tkB\tMaxRSS\tB\tE\n1\t2\t6\tms\ttotal\tB\tE\n"
        f"# Execution Start: 2026-01-02T00:00:00\n{head}2\t1\t9\tms\ttotal\tB\tE\n"
    )

    total, size, later_measurement = read(data.encode(), "x.data")

    assert total.values.tolist() == [0.005, 0.006]
    assert (size.params, size.unit) == ("criterion=MaxRSS&executor=E", "kB")
    assert (later_measurement.fork, later_measurement.recording.measured_at) == (
        1,
        "2026-01-02T00:00:00",
    )
    assert total.recording.build == "abc"
    doubled_data = data + "2\t1\t9\tms\ttotal\tB\tE\n"
    assert "line 11, iteration: found '1', expected a number greater than 1" in complaint(
        doubled_data.encode(), "x.data"
    )


def test_asv_has_a_series_for_each_combination_and_no_memory() -> None:
    row = json_of_example("asv.json")["results"]["benchmarks.Sorting.time_sort"]

    series = read_example("asv.json")

    assert [m.values.tolist() for m in series[:4]] == row[11]
    assert series[0].recording.build == json_of_example("asv.json")["commit_hash"]
    assert series[0].recording.measured_at.startswith("2026-")


def test_asv_without_samples_gives_the_result_of_each_commit() -> None:
    summary = json_of_example("asv.json")
    for row in summary["results"].values():
        del row[11:]

    series = read(json.dumps(summary).encode(), "asv.json")

    results = summary["results"]["benchmarks.Sorting.time_sort"][0]
    assert [series_row.values.tolist() for series_row in series[:4]] == [
        [result] for result in results
    ]
    assert {series_row.benchmark.rpartition(".")[2]: series_row.unit for series_row in series}[
        "mem_list"
    ] == "bytes"
    assert any("--record-samples" in note for note in series[0].notes)


def test_asv_reads_its_first_version() -> None:
    """As `test/example_results` of airspeed-velocity/asv has it: numbers, lists, failures."""
    results = {
        "time_a": 0.25,
        "time_failed": None,
        "time_b": {"params": [["1", "2", "3"]], "result": [1, None, float("nan")]},
        "track_c": {"result": 4},
    }
    first = {"commit_hash": "05d283b9694e", "date": 1386688801000, "python": "2.7", "version": 1}
    first |= {"params": {"machine": "cheetah"}, "requirements": {"numpy": "1.8", "Cython": ""}}

    series = read(json.dumps(first | {"results": results}).encode(), "05d283b9-py2.7.json")

    assert [
        (series_row.benchmark, series_row.params, series_row.values.tolist(), series_row.unit)
        for series_row in series
    ] == [
        ("time_a", "", [0.25], "s/op"),
        ("time_b", "param1=1", [1.0], "s/op"),
        ("track_c", "", [4.0], ""),
    ]
    assert series[0].recording.label == "05d283b9 cheetah py2.7-Cython-numpy1.8"
    assert series[0].recording.measured_at == "2013-12-10T15:20:01+00:00"
    assert series[0].recording.instance == "cheetah"
    failed_document = first | {"results": {"time_a": None}}
    assert "found none: all failed" in complaint(json.dumps(failed_document).encode(), "f.json")


@pytest.mark.parametrize(("version", "divisor"), [(6, 4 * 1024), (5, 4 * 1024), ("1.0", 1)])
def test_warm_ups_of_old_pyperf_are_times_of_all_loops(version: int | str, divisor: int) -> None:
    run: Any = {"warmups": [[4, 8192.0]], "values": [2.0, 2.5]}
    if version == 5:
        run["samples"] = run.pop("values")
    data: Any = {"version": version, "benchmarks": [{"metadata": {"name": "b"}, "runs": [run]}]}
    data["common_metadata" if version == 5 else "metadata"] = {"inner_loops": 1024}

    (series,) = read(json.dumps(data).encode(), "old.json")

    assert series.values.tolist() == [8192.0 / divisor, 2.0, 2.5]


# --- as the harness's source writes it ----------------------------------------------------------
def _iteration(stage: str, launch: int, operations: int, nanoseconds: float) -> dict[str, object]:
    mode = "Overhead" if stage.startswith("Overhead") else "Workload"
    return {
        "IterationMode": mode,
        "IterationStage": stage.removeprefix("Overhead"),
        "LaunchIndex": launch,
        "IterationIndex": 1,
        "Operations": operations,
        "Nanoseconds": nanoseconds,
    }


def test_benchmark_dotnet_keeps_warm_up_and_launches() -> None:
    report: Any = {
        "Title": "t",
        "HostEnvironmentInfo": {"ProcessorName": "AMD", "RuntimeVersion": ".NET 9"},
        "Benchmarks": [
            {
                "DisplayInfo": "Sorting.Quick: Job-ABC(Server=True) [N=10, Kind=a&b]",
                "Namespace": "Example",
                "Type": "Sorting",
                "Method": "Quick",
                "Parameters": "N=10",
                "Measurements": [
                    _iteration("Pilot", 1, 16, 9e9),
                    _iteration("OverheadWarmup", 1, 16, 1.0),
                    _iteration("Warmup", 1, 16, 160.0),
                    _iteration("Actual", 1, 16, 80.0),
                    _iteration("Actual", 1, 16, 64.0),
                    _iteration("Result", 1, 16, 63.0),
                    _iteration("Actual", 2, 16, 48.0),
                ],
            }
        ],
    }

    first, second = read(json.dumps(report).encode(), "report-full.json")

    assert (first.benchmark, first.params) == (
        "Example.Sorting.Quick",
        "N=10&job=Job-ABC(Server=True)",
    )
    assert first.values == pytest.approx([1e-8, 5e-9, 4e-9], rel=1e-15)
    assert (first.settings["warmup_values"], "warmup_values" in second.settings) == (1, False)
    assert (second.fork, first.recording.runtime) == (1, ".NET 9")
    del report["Benchmarks"][0]["Measurements"]
    assert "--exporters fulljson" in complaint(json.dumps(report).encode(), "brief.json")


CRITERION = (
    "group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count\n"
    "Fib,Iterative,,,,90,ns,10\nFib,Iterative,,,,160,ns,20\nFib,Slow,5,,,7,ns,1\nFib,Slow,5,,,8,ns,1\n"
)


@pytest.mark.parametrize(
    ("data", "names", "values"),
    [
        (CRITERION, ["Fib/Iterative", "Fib/Slow/5"], [9.0, 8.0]),
        ('{"sampling_mode":"Linear","iters":[10.0,20.0],"times":[90.0,160.0]}', ["new"], [9, 8]),
        (
            (
                '{"reason":"group-complete","benchmarks":[]}\n'
                '{"reason":"benchmark-complete","id":"Fib/Iterative","iteration_count":[10,20],'
                '"measured_values":[90.0,160.0],"unit":"ns"}\n'
            ),
            ["Fib/Iterative"],
            [9, 8],
        ),
    ],
    ids=["raw.csv", "sample.json", "messages"],
)
def test_criterion_divides_by_the_count_of_iterations(
    data: str, names: list[str], values: list[float]
) -> None:
    series = read(data.encode(), "new.json")

    assert [m.benchmark for m in series] == names
    assert series[0].values == pytest.approx([value / 1e9 for value in values], rel=1e-15)


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ('{"sampling_mode":"Flat","iters":[1,2],"times":[1]}', "2 counts of 1 times"),
        ('{"sampling_mode":"Flat","iters":[0],"times":[1]}', "found 0, expected one or more"),
        ('{"sampling_mode":"Flat","iters":[],"times":[]}', "at least"),
        (CRITERION + "Fib,Slow,5,,,x,ns,1\n", "row 6, column 'sample_measured_value': found 'x'"),
    ],
)
def test_criterion_says_where_a_sample_is_wrong(data: str, word: str) -> None:
    assert word in complaint(data.encode(), "sample.json", format="criterion")


def test_renaissance_json_and_csv_are_the_same_series() -> None:
    document = {
        "format_version": 5,
        "environment": {"vm": {"name": "OpenJDK", "version": "21", "start_iso": "2026-01-01"}},
        "data": {
            "scrabble": {
                "results": [{"duration_ns": 911379929}, {"duration_ns": 529459711}],
                "termination": "failure",
            }
        },
    }
    rows = "scrabble,911379929,2,1636206612905\nscrabble,529459711,3,1636206612905\n"
    table = f"benchmark,duration_ns,uptime_ns,vm_start_unix_ms\n{rows}scrabble,5,1,1736206612905\n"

    (series,) = read(json.dumps(document).encode(), "r.json")
    csv_series, later_series = read(table.encode(), "r.csv")

    assert series.values.tobytes() == csv_series.values.tobytes()
    assert series.values.tolist() == [0.911379929, 0.529459711]
    assert any("failed" in note for note in series.notes)
    assert (series.recording.runtime, csv_series.recording.measured_at[:10]) == (
        "OpenJDK 21",
        "2021-11-06",
    )
    assert (later_series.fork, later_series.values.size) == (1, 1)


def test_dacapo_marks_its_warm_up_and_tells_processes_apart() -> None:
    log = (
        "===== DaCapo 23.11 luindex starting warmup 1 =====\n"
        "===== DaCapo 23.11 luindex completed warmup 1 in 1500 msec =====\n"
        "===== DaCapo 23.11 luindex starting =====\n"
        "===== DaCapo 23.11 luindex PASSED in 500 msec =====\n"
        "===== DaCapo 23.11 luindex completed warmup 1 in 1400 msec =====\n"
        "===== DaCapo 23.11 luindex FAILED Warmup =====\n"
    )

    first, second = read(log.encode(), "luindex.log")

    assert first.values.tolist() == [1.5, 0.5]
    assert (first.settings["warmup_values"], second.fork) == (1, 1)
    assert first.recording.build == "DaCapo 23.11"


def test_krun_has_a_series_for_each_execution_that_did_not_crash() -> None:
    times = {"nbody:HotSpot:default-java": [[0.5, 0.25], [], [0.4, 0.2]]}

    first, third = read(json.dumps({"wallclock_times": times}).encode(), "krun.json")

    assert (first.benchmark, first.params) == ("nbody", "variant=default-java&vm=HotSpot")
    assert (third.fork, third.values.tolist()) == (2, [0.4, 0.2])
    assert any("crashed" in note for note in first.notes)


def test_openmetrics_has_a_series_for_each_set_of_labels_in_the_order_of_time() -> None:
    """As Python's client of Prometheus wrote them."""
    lines = (FILES / "openmetrics.txt").read_text("utf-8").splitlines()
    mail = [float(line.split()[-2]) for line in lines if 'queue="mail"' in line]

    first, second = read_example("openmetrics.txt")

    assert (first.benchmark, first.unit) == ("job_duration_seconds", "s")
    assert first.params == 'queue=mail&text=a "quoted" } one'
    assert second.params == "queue=report&text=b\nc"
    assert first.values.tolist() == mail
    reversed_lines = [line for line in lines if line.startswith("#")][:-1]
    reversed_lines += [line for line in reversed(lines) if 'queue="mail"' in line]
    (reversed_series,) = read("\n".join(reversed_lines).encode(), "x.txt")
    assert reversed_series.values.tolist() == mail


def test_k6_has_the_times_of_requests_and_nothing_else() -> None:
    lines = [
        '{"type":"Metric","data":{"type":"gauge","contains":"default"},"metric":"vus"}',
        '{"type":"Point","data":{"time":"2026-01-01T00:00:00Z","value":5,"tags":null},"metric":"vus"}',
        '{"type":"Metric","data":{"type":"trend","contains":"time"},"metric":"http_req_duration"}',
        *(
            json.dumps(
                {
                    "type": "Point",
                    "data": {
                        "time": f"2026-01-01T00:00:0{index}Z",
                        "value": 100 - index,
                        "tags": {"name": f"/{path}", "method": "GET", "status": "200"},
                    },
                    "metric": "http_req_duration",
                }
            )
            for index, path in enumerate("aabab")
        ),
    ]

    first, second = read("\n".join(lines).encode(), "k6.json")

    assert first.values.tolist() == [0.1, 0.099, 0.097]
    assert (first.benchmark, second.params) == ("http_req_duration", "method=GET&name=/b")
    assert first.recording.measured_at == "2026-01-01T00:00:00Z"


RUN = "RUN\torg.example.Shop\tshop\t1773453600000\t \t3.10.5"


@pytest.mark.parametrize("user", ["", "17\t"])
def test_gatling_has_the_times_of_requests_with_and_without_the_number_of_a_user(user: str) -> None:
    """Versions up to 3.3 write the number of the user first."""
    lines = [
        "ASSERTION\tAAECAwQ=",
        RUN,
        "USER\tbuyers\tSTART\t1773453600010",
        f"REQUEST\t{user}\tlogin\t1773453600010\t1773453600035\tOK\t ",
        f"REQUEST\t{user}cart,pay\tlogin\t1773453600040\t1773453600045\tOK\t ",
        f"REQUEST\t{user}\tlogin\t1773453600050\t1773453660050\tKO\ti.g.h.c.i.RequestTimeout",
        f"REQUEST\t{user}\tlogin\t1773453600050\t1773453600060\tOK\t ",
        "GROUP\tcart,pay\t1773453600040\t1773453600045\t5\tOK",
    ]

    login, grouped_requests, failed_requests = read("\n".join(lines).encode(), "simulation.log")

    assert login.values.tolist() == [0.025, 0.01]
    assert (login.benchmark, login.params, login.unit) == ("login", "", "s")
    assert (grouped_requests.params, grouped_requests.values.tolist()) == (
        "group=cart,pay",
        [0.005],
    )
    assert (failed_requests.params, failed_requests.values.tolist()) == ("status=KO", [60.0])
    assert login.recording.measured_at == "2026-03-14T02:00:00+00:00"
    assert login.recording.runtime == "Gatling 3.10.5"


def test_a_request_of_gatling_that_is_cut_off_is_named_by_its_line() -> None:
    message = complaint(f"{RUN}\nREQUEST\t\tlogin\t17".encode(), "simulation.log")

    assert "line 2" in message
    assert "found 4 fields" in message


def hyperfoil(*stats: dict[str, Any]) -> bytes:
    info = {"id": "0164", "startTime": 1773453600000}
    schema = "http://hyperfoil.io/run-schema/v3.0"
    document = {"info": info, "$schema": schema, "version": "0.24.1", "stats": stats}
    return json.dumps(document).encode()


def phase(name: str, *means: int, is_warmup: bool = False) -> dict[str, Any]:
    series = [{"meanResponseTime": mean, "responseCount": 100 * (mean > 0)} for mean in means]
    return {"name": name, "metric": "fetch", "isWarmup": is_warmup, "series": series}


def test_hyperfoil_keeps_a_warm_up_phase_and_marks_it() -> None:
    data = hyperfoil(phase("rampUp", 4000, 3000, is_warmup=True), phase("main/0/a", 2000, 0, 1000))

    warm_phase, main = read(data, "all.json")

    assert (warm_phase.params, warm_phase.settings["warmup_values"]) == ("phase=rampUp", 2)
    assert (main.params, dict(main.settings)) == ("phase=main/0/a", {})
    assert main.values.tolist() == [2e-6, 1e-6]  # an interval without a response has no time
    assert any("left out: 1" in note for note in main.notes)
    assert (main.recording.label, main.recording.runtime) == ("0164", "Hyperfoil 0.24.1")
    assert main.recording.measured_at == "2026-03-14T02:00:00+00:00"


def test_a_run_of_hyperfoil_without_phases_is_refused() -> None:
    assert "found no phase" in complaint(hyperfoil(), "all.json")


def test_a_parquet_table_is_read_as_the_csv_file_that_it_would_be() -> None:
    frame = pd.DataFrame({"sort (ms)": [3.0, 2.5, 0.1 + 0.2], "join (ms)": [1.0, 1.5, 1e-9]})
    parquet_buffer = io.BytesIO()
    frame.to_parquet(parquet_buffer, index=False)

    csv_series = read(frame.to_csv(index=False).encode(), "x.csv")
    series = read(parquet_buffer.getvalue(), "x.parquet")

    assert [m.label for m in series] == [m.label for m in csv_series] != []
    assert [m.values.tobytes() for m in series] == [m.values.tobytes() for m in csv_series]
    assert "a Parquet table" in complaint(parquet_buffer.getvalue()[:60], "cut.parquet")


def test_a_small_parquet_file_of_many_rows_is_refused_before_they_are_built() -> None:
    parquet_buffer = io.BytesIO()
    zeros = pyarrow.table({"value": pyarrow.DictionaryArray.from_arrays([0] * 10**6, [0.0])})
    with pyarrow.parquet.ParquetWriter(parquet_buffer, zeros.schema) as writer:
        for _ in range(60):
            writer.write_table(zeros)

    message = complaint(parquet_buffer.getvalue(), "many.parquet")

    assert len(parquet_buffer.getvalue()) < 500_000
    assert "found 60,000,000 cells" in message


def test_without_pyarrow_a_parquet_file_says_what_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)

    assert "pip install pyarrow" in complaint(b"PAR1", "x.parquet")


def openmetrics(labels: str) -> bytes:
    line = f"job_seconds{{{labels}}} 1.5 1700000000\n"
    return f"# TYPE job_seconds gauge\n{line}{line}# EOF\n".encode()


@pytest.mark.parametrize(
    ("labels", "params"),
    [
        ('a="1",b="2"', "a=1&b=2"),
        ('a="1" , b="2",', "a=1&b=2"),
        ('"my.label"="x"', "my.label=x"),
        ("", ""),
    ],
)
def test_labels_of_openmetrics(labels: str, params: str) -> None:
    (series,) = read(openmetrics(labels), "x.txt")

    assert series.params == params


@pytest.mark.parametrize("labels", ["a", 'a="1" b', "=", 'a="1";b="2"'])
def test_what_is_no_label_is_said(labels: str) -> None:
    with pytest.raises(FormatError, match='expected a label such as name="value"'):
        read(openmetrics(labels), "x.txt")


@pytest.mark.parametrize("part", ["a", "a=", 'a="', '\\"', "a,", '"a'])
def test_the_time_of_long_labels_grows_with_their_length_alone(part: str) -> None:
    """A single line of a file; the ratio of CPU times is 4 for lengths that are 1 to 4."""

    def seconds(length: int) -> float:
        data = openmetrics('a="1",' + part * (length // len(part)))
        start_time = time.process_time()
        with suppress(FormatError):
            read(data, "x.txt")
        return time.process_time() - start_time

    assert min(seconds(80_000) for _ in range(3)) < max(0.02, 8 * seconds(20_000))


DIGITS = "9" * 5_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("go.txt", f"BenchmarkX-{DIGITS} 10 2 ns/op\n"),
        ("simulation.log", f"RUN\ta\tb\t{DIGITS}\tx\t3.0\nREQUEST\t\tn\t1\t2\tOK\t\n"),
        ("simulation.log", f"RUN\ta\tb\t{DIGITS[:30]}\tx\t3.0\nREQUEST\t\tn\t1\t2\tOK\t\n"),
    ],
)
def test_a_number_of_thousands_of_digits_is_a_sentence_or_left_out(name: str, text: str) -> None:
    with suppress(FormatError):
        (series,) = read(text.encode(), name)
        assert series.recording.measured_at == ""


@pytest.mark.parametrize("text", ["1e400", "-1e300", "nan", "", "x", DIGITS])
def test_a_time_that_is_none_is_empty(text: str) -> None:
    assert time_stamp(text) == ""
    assert time_stamp("1700000000000") == "2023-11-14T22:13:20+00:00"
