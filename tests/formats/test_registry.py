"""What every registered reader keeps to. A new one is tested once it has a sample here."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pyarrow.parquet
import pytest

from formats import FormatError, Values, preview
from formats.paths import is_measured_file, stem
from formats.reader import FileReader
from formats.registry import FORMATS, READERS, reader_of, titles
from formats.sniff import sniff
from tests.formats import hostile
from tests.formats.reading import complaint, read

FORKS: Final = [np.array([4.5, 2.25, 2.0]), np.array([3.5, 2.5])]
OPTIONS: Final[Mapping[str, Any]] = {
    "unit": "ops/s",
    "system": "another system",
    "benchmark": "another benchmark",
    "params": "size=7",
    "layout": "wide",
    "separator": ";",
    "decimal": ".",
    "header": "no",
    "columns": {"value": "value"},
    "series_columns": ("fork 1",),
}


def _log(forks: list[Values]) -> bytes:
    lines = ["# Benchmark mode: Throughput, ops/time", "# Benchmark: b"]
    for number, values in enumerate(forks, start=1):
        lines.append(f"# Fork: {number} of {len(forks)}")
        lines += [
            f"Iteration   {index}: {value} ops/s" for index, value in enumerate(values, start=1)
        ]
    return "\n".join(lines).encode()


def _go(forks: list[Values]) -> bytes:
    rows = (
        f"BenchmarkB{index}-8 1 {value} pkts\n"
        for index, fork_values in enumerate(forks)
        for value in fork_values.tolist() or [""]
    )
    return "".join(rows).encode()


def _csv(forks: list[Values]) -> bytes:
    rows = (f"b,{f},{i},{v!r}\n" for f, s in enumerate(forks) for i, v in enumerate(s.tolist()))
    return (hostile.LONG + "".join(rows)).encode()


def _rebench(forks: list[Values]) -> bytes:
    head = "invocation\titeration\tvalue\tunit\tcriterion\tbenchmark\n"
    rows = (
        f"{fork}\t{index}\t{value}\ts\ttotal\tb\n"
        for fork, fork_values in enumerate(forks, start=1)
        for index, value in enumerate(fork_values.tolist(), start=1)
    )
    return (head + "".join(rows)).encode()


def _dacapo(forks: list[Values]) -> bytes:
    rows = []
    for index, fork_values in enumerate(forks):
        times = (1000 * fork_values).tolist()
        rows += [
            f"===== DaCapo 23.11 b{index} completed warmup {n} in {time} msec ====="
            for n, time in enumerate(times[:-1], start=1)
        ]
        rows += [f"===== DaCapo 23.11 b{index} PASSED in {time} msec =====" for time in times[-1:]]
    return "\n".join(["Using scaled threading model. 2 processors", *rows]).encode()


def _gatling(forks: list[Values]) -> bytes:
    rows = (
        f"REQUEST\t\tb{index}\t0\t{time}\tOK\t \n"
        for index, fork_values in enumerate(forks)
        for time in (1000 * fork_values).tolist()
    )
    return ("RUN\torg.example.Load\tload\t1773453600000\t \t3.10.5\n" + "".join(rows)).encode()


def _jmeter(forks: list[Values]) -> bytes:
    rows = (
        f"1773453600000,{time},b{index},200,true\n"
        for index, fork_values in enumerate(forks)
        for time in (1000 * fork_values).tolist() or [""]
    )
    return ("timeStamp,elapsed,label,responseCode,success\n" + "".join(rows)).encode()


def _phoronix(forks: list[Values]) -> bytes:
    results = (
        f"<Result><Title>b{index}</Title><Scale>Seconds</Scale><Data><Entry>"
        f"<Identifier>x</Identifier><Value>{fork[-1] if fork.size else ''}</Value>"
        f"<RawString>{':'.join(map(repr, fork.tolist()))}</RawString></Entry></Data></Result>"
        for index, fork in enumerate(forks)
    )
    return (
        f"<?xml version='1.0'?><PhoronixTestSuite>{''.join(results)}</PhoronixTestSuite>".encode()
    )


def _catch2(forks: list[Values]) -> bytes:
    means = (f'<mean value="{1e9 * last_figure(fork)}"/>' for fork in forks)
    results = (
        f'<BenchmarkResults name="b{index}">{mean}</BenchmarkResults>'
        for index, mean in enumerate(means)
    )
    return f"<Catch2TestRun>{''.join(results)}</Catch2TestRun>".encode()


def _junit(forks: list[Values]) -> bytes:
    tests = (
        f'<testcase name="b{index}" time="{last_figure(fork_values) if fork_values.size else ""}"/>'
        for index, fork_values in enumerate(forks)
    )
    return f'<testsuites><testsuite name="3">{"".join(tests)}</testsuite></testsuites>'.encode()


def _lines(
    line: str, factor: float = 1, header: str = "running 3 benchmarks"
) -> Callable[[list[Values]], bytes]:
    """Lines of a tool that prints a figure for each run."""

    def lines(forks: list[Values]) -> bytes:
        printed_lines = (
            line.format(name=f"b{index}", value=value) + "\n"
            for index, fork_values in enumerate(forks)
            for value in (factor * fork_values).tolist() or [""]
        )
        return "".join([f"{header}\n", *printed_lines]).encode()

    return lines


def _luau(forks: list[Values]) -> bytes:
    return "".join(
        f"|><|b{n}|><|{1000 * last_figure(s)}||_||\n" for n, s in enumerate(forks)
    ).encode()


def _wrk(forks: list[Values]) -> bytes:
    lines = (
        f"Running 30s test @ http://b{index}\nRequests/sec: {value}\n"
        for index, fork_values in enumerate(forks)
        for value in fork_values.tolist()
    )
    return "".join(lines).encode() or b"Running 30s test @ http://b\nRequests/sec: x\n"


def _warmup_stats(forks: list[Values]) -> bytes:
    rows = (
        f"{n}, b, {', '.join(map(repr, fork_values.tolist()))}\n"
        for n, fork_values in enumerate(forks)
    )
    return ("process_exec_num, bench_name, 0, 1, 2\n" + "".join(rows)).encode()


def _history(forks: list[Values]) -> bytes:
    benches = [{"name": f"b{n}", "value": last_figure(s), "unit": "s"} for n, s in enumerate(forks)]
    run = {"commit": {"id": "c"}, "date": 1773453600000, "benches": benches}
    return f"window.BENCHMARK_DATA = {json.dumps({'entries': {'suite': [run]}})}".encode()


def _libtest_json(forks: list[Values]) -> bytes:
    lines = (
        json.dumps(
            {
                "type": "bench",
                "name": f"b{index}",
                "median": 1e9 * last_figure(fork_values),
                "deviation": 0,
            }
        )
        for index, fork_values in enumerate(forks)
    )
    return "\n".join(lines).encode()


def last_figure(values: Any) -> float:
    """The value that stands for all in a file of one figure a run; NaN for none."""
    return float(values[-1]) if len(values) else float("nan")


def _openmetrics(forks: list[Values]) -> bytes:
    lines = ["# TYPE b gauge", "# UNIT b seconds"]
    for fork, fork_values in enumerate(forks):
        lines += [
            f'b{{fork="{fork}"}} {value!r} {index}'
            for index, value in enumerate(fork_values.tolist())
        ]
    return "\n".join([*lines, "# EOF"]).encode()


def _parquet(forks: list[Values]) -> bytes:
    rows = [(fork, index, v) for fork, s in enumerate(forks) for index, v in enumerate(s.tolist())]
    names = ("benchmark", "fork", "iteration", "value")
    columns = {name: [("b", *row)[index] for row in rows] for index, name in enumerate(names)}
    parquet_buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), parquet_buffer)
    return parquet_buffer.getvalue()


SAMPLES: Final[Mapping[str, Callable[[list[Values]], bytes]]] = {
    "jmh": lambda forks: hostile.jmh(
        mode="thrpt",
        primaryMetric=hostile.metric(scoreUnit="ops/s", rawData=[each.tolist() for each in forks]),
    ),
    "jmh-log": _log,
    "go": _go,
    "rebench": _rebench,
    "openmetrics": _openmetrics,
    "parquet": _parquet,
    "k6": lambda forks: "\n".join(
        [
            '{"type": "Metric", "data": {"contains": "time"}, "metric": "t"}',
            *(
                json.dumps({"type": "Point", "metric": "t", "data": {"value": value, "tags": tags}})
                for at, each in enumerate(forks)
                for tags in [{"name": f"b{at}"}]
                for value in (1000 * each).tolist()
            ),
        ]
    ).encode(),
    "dacapo": _dacapo,
    "jmeter": _jmeter,
    "phoronix": _phoronix,
    "catch2": _catch2,
    "junit": _junit,
    "libtest": _lines("test {name} ... bench: {value} s/iter (+/- 1)"),
    "criterion-text": _lines("{name}  time:   [1.0 s {value} s 2.0 s]"),
    "benchmark-js-text": _lines("{name} x {value} ops/sec ±0.1% (9 runs sampled)"),
    "dart": _lines("{name}(RunTime): {value} s."),
    "luau": _luau,
    "wrk": _wrk,
    "google-benchmark-text": _lines("{name} {value} s  0.5 s  7", header="Time CPU Iterations"),
    "benchmark-ips-text": _lines("{name}  {value} (±1.0%) i/s  - 5 in 5s"),
    "ruby-benchmark": _lines(
        "{name}:  0.1 0.0 0.1 (  {value})", header="user     system      total        real"
    ),
    "warmup-stats": _warmup_stats,
    "benchmark-history": _history,
    "libtest-json": _libtest_json,
    "gatling": _gatling,
    "criterion": lambda forks: "\n".join(
        json.dumps(
            {
                "reason": "benchmark-complete",
                "id": f"b{at}",
                "measured_values": (each * 4).tolist(),
                "iteration_count": [4] * each.size,
                "unit": "s",
            }
        )
        for at, each in enumerate(forks)
    ).encode(),
    "csv": _csv,
    "npy": lambda forks: hostile.npz(**{f"b{at}": each for at, each in enumerate(forks)}),
    "replication": lambda forks: json.dumps([each.tolist() for each in forks]).encode(),
    "text": lambda forks: "".join(f"{value!r}\n" for value in forks[0].tolist()).encode(),
}

# Each in a unit in which the numbers of the file are stored as they are.
HARNESSES: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "pyperf": lambda forks: {
        "benchmarks": [
            {"metadata": {"name": f"b{at}"}, "runs": [{"values": each}]}
            for at, each in enumerate(forks)
        ]
    },
    "pytest-benchmark": lambda forks: {
        "machine_info": {},
        "benchmarks": [
            {"fullname": f"b{at}", "stats": {"data": each}} for at, each in enumerate(forks)
        ],
    },
    "google-benchmark": lambda forks: {
        "context": {},
        "benchmarks": [
            {"name": f"b{at}", "real_time": value, "time_unit": "s"}
            for at, each in enumerate(forks)
            for value in each or [None]
        ],
    },
    "asv": lambda forks: {
        "result_columns": ["result", "params", "samples"],
        "results": {f"b{at}": [[], [], [each]] for at, each in enumerate(forks)},
    },
    "benchmark-dotnet": lambda forks: {
        "HostEnvironmentInfo": {},
        "Benchmarks": [
            {
                "Method": f"b{at}",
                "Measurements": [
                    {
                        "IterationMode": "Workload",
                        "IterationStage": "Actual",
                        "LaunchIndex": 1,
                        "Operations": 2,
                        "Nanoseconds": value * 2e9,
                    }
                    for value in each
                ],
            }
            for at, each in enumerate(forks)
        ],
    },
    "krun": lambda forks: {
        "wallclock_times": {f"b{at}:vm:default": [each] for at, each in enumerate(forks)}
    },
    "renaissance": lambda forks: {
        "data": {
            f"b{at}": {"results": [{"duration_ns": value * 1e9} for value in each]}
            for at, each in enumerate(forks)
        }
    },
    "hyperfoil": lambda forks: {
        "$schema": "http://hyperfoil.io/run-schema/v3.0",
        "stats": [
            {
                "name": "main",
                "metric": f"b{at}",
                "series": [{"meanResponseTime": 1e9 * value} for value in each],
            }
            for at, each in enumerate(forks)
        ],
    },
    "rebench-db": lambda forks: {
        "criteria": [{"i": 0, "c": "total", "u": "s"}],
        "data": [
            {
                "runId": {"benchmark": {"name": f"b{at}"}},
                "d": [
                    {"in": 1, "it": number, "m": [{"c": 0, "v": value}]}
                    for number, value in enumerate(each or [None], start=1)
                ],
            }
            for at, each in enumerate(forks)
        ],
    },
    "csit": lambda forks: [
        {
            "test_id": f"b{at}",
            "test_type": "mrr",
            "result": {"type": "mrr", "receive_rate": {"rate": {"unit": "pps", "values": each}}},
        }
        for at, each in enumerate(forks)
    ],
    "benchmark-tools-jl": lambda forks: [
        {"Julia": "1.10", "BenchmarkTools": "1.6"},
        [
            [
                "BenchmarkGroup",
                {
                    "data": {
                        f"b{at}": ["Trial", {"times": [1e9 * value for value in each]}]
                        for at, each in enumerate(forks)
                    }
                },
            ]
        ],
    ],
    "vitest": lambda forks: {
        "files": [
            {
                "groups": [
                    {
                        "fullName": "x.bench.ts > group",
                        "benchmarks": [
                            {"name": f"b{at}", "hz": 1, "samples": [1e3 * value for value in each]}
                            for at, each in enumerate(forks)
                        ],
                    }
                ]
            }
        ]
    },
    "tinybench": lambda forks: [
        {
            "name": f"b{at}",
            "result": {"throughput": {}, "latency": {"samples": [1e3 * value for value in each]}},
        }
        for at, each in enumerate(forks)
    ],
    "benchmark-js": lambda forks: [
        {"name": f"b{at}", "hz": 1, "stats": {"moe": 0, "mean": math.nan, "sample": each}}
        for at, each in enumerate(forks)
    ],
    "nanobench": lambda forks: {
        "results": [
            {
                "title": "t",
                "name": f"b{at}",
                "batch": 2,
                "median(elapsed)": math.nan,
                "measurements": [{"elapsed": 2 * value} for value in each],
            }
            for at, each in enumerate(forks)
        ]
    },
    "benchmark-ips": lambda forks: [
        {
            "name": f"b{at}",
            "ips": last_figure(each),
            "stddev": 1,
            "microseconds": 1,
            "iterations": 1,
        }
        for at, each in enumerate(forks)
    ],
    "github-action-benchmark": lambda forks: [
        {"name": f"b{at}", "unit": "s", "value": last_figure(each)} for at, each in enumerate(forks)
    ],
    "hyperfine": lambda forks: {
        "results": [{"command": f"b{at}", "times": each} for at, each in enumerate(forks)]
    },
}
ONE_FIGURE_FORMATS: Final = {
    *("catch2", "junit", "luau", "benchmark-history", "libtest-json", "benchmark-ips"),
    "github-action-benchmark",
}
"""Formats that hold one figure of each benchmark and run."""
every = pytest.mark.parametrize("reader", READERS, ids=lambda each: each.name)


def file_content(name: str, forks: list[Values]) -> bytes:
    if name in HARNESSES:
        return json.dumps(HARNESSES[name]([fork.tolist() for fork in forks])).encode()
    return SAMPLES[name](forks)


def file_of_forks(reader: FileReader) -> bytes:
    return file_content(reader.name, FORKS)


@every
def test_a_file_of_its_format_is_recognised_whatever_its_name(reader: FileReader) -> None:
    guess = sniff(file_of_forks(reader), "no name")

    assert (guess.format, bool(guess.why)) == (reader.name, True)


@every
@pytest.mark.parametrize("format", ["auto", "chosen"])
def test_values_are_read_to_the_bit(reader: FileReader, format: str) -> None:
    series = read(file_of_forks(reader), "x", format=reader.name if format == "chosen" else format)

    expected = [
        fork[-1:] if reader.name in ONE_FIGURE_FORMATS else fork for fork in FORKS[: len(series)]
    ]
    assert [m.values.tobytes() for m in series] == [values.tobytes() for values in expected]
    assert len(series) == (1 if reader.name == "text" else 2)
    assert not any(m.values.flags.writeable for m in series)


@every
def test_a_series_without_a_value_is_refused_by_the_name_of_the_file(reader: FileReader) -> None:
    data = file_content(reader.name, [np.array([], dtype=np.float64)])

    file_preview = preview(io.BytesIO(data), "short.x", format=reader.name)

    assert file_preview.series == 0
    assert [problem.file for problem in file_preview.problems] == ["short.x"]


@every
def test_one_value_is_a_series(reader: FileReader) -> None:
    """Of a build that is measured once, a trend needs no more."""
    series = read(file_content(reader.name, [np.array([1.5])]), "one.x", format=reader.name)

    assert [m.values.tolist() for m in series] == [[1.5]]
    assert not any("positions" in note for m in series for note in m.notes)


@every
def test_an_empty_file_is_refused(reader: FileReader) -> None:
    assert complaint(b"", "empty.x", format=reader.name).startswith("empty.x, ")
    assert complaint(b"", "empty.x").startswith("empty.x, end of file: found an empty file")


@every
def test_a_problem_of_a_series_leaves_the_others(reader: FileReader) -> None:
    """Where a file may hold several: the second one has a value that is no number."""
    data = file_content(reader.name, [FORKS[0], np.array([1.0, np.nan])])
    file_preview = preview(io.BytesIO(data), "x", format=reader.name)

    assert file_preview.series == 1
    assert file_preview.problem_count == (0 if reader.name == "text" else 1)


@every
def test_an_option_that_is_not_declared_changes_nothing(reader: FileReader) -> None:
    def readings(**options: Any) -> list[tuple[object, ...]]:
        return [
            (m.benchmark, m.system, m.params, m.fork, m.unit, m.values.tobytes())
            for m in read(file_of_forks(reader), "x", format=reader.name, **options)
        ]

    rows_without_option = readings()
    for name in OPTIONS.keys() - set(reader.options):
        assert readings(**{name: OPTIONS[name]}) == rows_without_option, name


@every
def test_files_of_a_folder_are_found_and_named_by_its_endings(reader: FileReader) -> None:
    assert reader.endings
    for ending in reader.endings:
        assert is_measured_file(f"org.Sort{ending}.gz")
        assert stem(f"org.Sort{ending}.gz") == "org.Sort"


def test_names_and_titles_are_unique() -> None:
    assert len({reader.name for reader in READERS}) == len({reader.title for reader in READERS})
    assert set(SAMPLES) | set(HARNESSES) == set(FORMATS[1:])


def test_another_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="found 'excel', expected one of jmh, "):
        reader_of("excel")


@pytest.mark.parametrize("data", [b"", b" \n", b"\xef\xbb\xbf", b"\x89PNG", b"PK\x03\x04", b"{}"])
def test_what_no_reader_takes_names_them_all(data: bytes) -> None:
    with pytest.raises(FormatError) as error:
        sniff(data, "x")

    assert error.value.expected == titles()
