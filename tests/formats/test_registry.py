"""What every registered reader keeps to. A new one is tested once it has a sample here."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pyarrow.parquet
import pytest

from formats import FormatError, Values, preview
from formats.paths import looks_measured, stem
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
        lines += [f"Iteration   {at}: {value} ops/s" for at, value in enumerate(values, start=1)]
    return "\n".join(lines).encode()


def _go(forks: list[Values]) -> bytes:
    rows = (
        f"BenchmarkB{at}-8 1 {value} pkts\n"
        for at, each in enumerate(forks)
        for value in each.tolist() or [""]
    )
    return "".join(rows).encode()


def _csv(forks: list[Values]) -> bytes:
    rows = (f"b,{f},{i},{v!r}\n" for f, s in enumerate(forks) for i, v in enumerate(s.tolist()))
    return (hostile.LONG + "".join(rows)).encode()


def _rebench(forks: list[Values]) -> bytes:
    head = "invocation\titeration\tvalue\tunit\tcriterion\tbenchmark\n"
    rows = (
        f"{fork}\t{at}\t{value}\ts\ttotal\tb\n"
        for fork, each in enumerate(forks, start=1)
        for at, value in enumerate(each.tolist(), start=1)
    )
    return (head + "".join(rows)).encode()


def _dacapo(forks: list[Values]) -> bytes:
    rows = []
    for at, each in enumerate(forks):
        times = (1000 * each).tolist()
        rows += [
            f"===== DaCapo 23.11 b{at} completed warmup {n} in {time} msec ====="
            for n, time in enumerate(times[:-1], start=1)
        ]
        rows += [f"===== DaCapo 23.11 b{at} PASSED in {time} msec =====" for time in times[-1:]]
    return "\n".join(["Using scaled threading model. 2 processors", *rows]).encode()


def _gatling(forks: list[Values]) -> bytes:
    rows = (
        f"REQUEST\t\tb{at}\t0\t{time}\tOK\t \n"
        for at, each in enumerate(forks)
        for time in (1000 * each).tolist()
    )
    return ("RUN\torg.example.Load\tload\t1773453600000\t \t3.10.5\n" + "".join(rows)).encode()


def _openmetrics(forks: list[Values]) -> bytes:
    lines = ["# TYPE b gauge", "# UNIT b seconds"]
    for fork, each in enumerate(forks):
        lines += [f'b{{fork="{fork}"}} {value!r} {at}' for at, value in enumerate(each.tolist())]
    return "\n".join([*lines, "# EOF"]).encode()


def _parquet(forks: list[Values]) -> bytes:
    rows = [(fork, at, v) for fork, s in enumerate(forks) for at, v in enumerate(s.tolist())]
    names = ("benchmark", "fork", "iteration", "value")
    columns = {name: [("b", *row)[at] for row in rows] for at, name in enumerate(names)}
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), out)
    return out.getvalue()


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
    "hyperfine": lambda forks: {
        "results": [{"command": f"b{at}", "times": each} for at, each in enumerate(forks)]
    },
}
every = pytest.mark.parametrize("reader", READERS, ids=lambda each: each.name)


def written(name: str, forks: list[Values]) -> bytes:
    if name in HARNESSES:
        return json.dumps(HARNESSES[name]([each.tolist() for each in forks])).encode()
    return SAMPLES[name](forks)


def sample(reader: FileReader) -> bytes:
    return written(reader.name, FORKS)


@every
def test_a_file_of_its_format_is_recognised_whatever_its_name(reader: FileReader) -> None:
    found = sniff(sample(reader), "no name")

    assert (found.format, bool(found.why)) == (reader.name, True)


@every
@pytest.mark.parametrize("format", ["auto", "chosen"])
def test_values_are_read_to_the_bit(reader: FileReader, format: str) -> None:
    found = read(sample(reader), "x", format=reader.name if format == "chosen" else format)

    expected = FORKS[: len(found)]
    assert [one.values.tobytes() for one in found] == [each.tobytes() for each in expected]
    assert len(found) == (1 if reader.name == "text" else 2)
    assert not any(one.values.flags.writeable for one in found)


@every
def test_a_series_without_a_value_is_refused_by_the_name_of_the_file(reader: FileReader) -> None:
    data = written(reader.name, [np.array([], dtype=np.float64)])

    found = preview(io.BytesIO(data), "short.x", format=reader.name)

    assert found.series == 0
    assert [problem.file for problem in found.problems] == ["short.x"]


@every
def test_one_value_is_a_series(reader: FileReader) -> None:
    """Of a build that is measured once, a trend needs no more."""
    found = read(written(reader.name, [np.array([1.5])]), "one.x", format=reader.name)

    assert [one.values.tolist() for one in found] == [[1.5]]
    assert not any("positions" in note for one in found for note in one.notes)


@every
def test_an_empty_file_is_refused(reader: FileReader) -> None:
    assert complaint(b"", "empty.x", format=reader.name).startswith("empty.x, ")
    assert complaint(b"", "empty.x").startswith("empty.x, end of file: found an empty file")


@every
def test_a_problem_of_a_series_leaves_the_others(reader: FileReader) -> None:
    """Where a file may hold several: the second one has a value that is no number."""
    data = written(reader.name, [FORKS[0], np.array([1.0, np.nan])])
    found = preview(io.BytesIO(data), "x", format=reader.name)

    assert found.series == 1
    assert found.problem_count == (0 if reader.name == "text" else 1)


@every
def test_an_option_that_is_not_declared_changes_nothing(reader: FileReader) -> None:
    def found(**said: Any) -> list[tuple[object, ...]]:
        return [
            (one.benchmark, one.system, one.params, one.fork, one.unit, one.values.tobytes())
            for one in read(sample(reader), "x", format=reader.name, **said)
        ]

    plain = found()
    for name in OPTIONS.keys() - set(reader.options):
        assert found(**{name: OPTIONS[name]}) == plain, name


@every
def test_files_of_a_folder_are_found_and_named_by_its_endings(reader: FileReader) -> None:
    assert reader.endings
    for ending in reader.endings:
        assert looks_measured(f"org.Sort{ending}.gz")
        assert stem(f"org.Sort{ending}.gz") == "org.Sort"


def test_names_and_titles_are_unique() -> None:
    assert len({each.name for each in READERS}) == len({each.title for each in READERS})
    assert set(SAMPLES) | set(HARNESSES) == set(FORMATS[1:])


def test_another_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="found 'excel', expected one of jmh, "):
        reader_of("excel")


@pytest.mark.parametrize("data", [b"", b" \n", b"\xef\xbb\xbf", b"\x89PNG", b"PK\x03\x04", b"{}"])
def test_what_no_reader_takes_names_them_all(data: bytes) -> None:
    with pytest.raises(FormatError) as found:
        sniff(data, "x")

    assert found.value.expected == titles()
