"""Google Benchmark's JSON: the real time of every repetition.

Source: google/benchmark: docs/user_guide.md, `src/json_reporter.cc`. Aggregates (mean, median,
stddev, cv) are not read. What `MinWarmUpTime` runs before a repetition is not in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import entries, is_number, json_excerpt, mapping, text_of
from formats.json_text import BREAKS_OFF, elements
from formats.measurement import Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = (
    "record with --benchmark_repetitions=3000 --benchmark_min_time=0.001s "
    "--benchmark_report_aggregates_only=false --benchmark_out=FILE"
)
REPETITIONS: Final = "a value is the mean of one repetition: its first calls are not told apart"
NAMED: Final = ("s", "ms", "us", "ns")

Fields = Mapping[str, object]


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark: its repetitions in the order measured.

    Of a file that breaks off, the complete runs are read, and each series says so.
    """
    for document in elements(source, flat_field="benchmarks"):
        fields = mapping(source, document, "the whole file")
        context = mapping(source, fields.get("context") or {}, "context")
        recording = RecordingHint(
            measured_at=text_of(context.get("date")), instance=text_of(context.get("host_name"))
        )
        notes = (REPETITIONS, *filter(None, [text_of(fields.get(BREAKS_OFF))]))
        yield from source.attempts(
            partial(_series, source, name, runs, recording, notes)
            for name, runs in _runs_by_name(source, fields.get("benchmarks")).items()
        )


def _runs_by_name(source: InputSource, listed_benchmarks: object) -> dict[str, list[Fields]]:
    """The repetitions of every benchmark, without aggregates; raises where there are none else."""
    runs_by_name: dict[str, list[Fields]] = {}
    for number, entry in enumerate(entries(source, listed_benchmarks, "benchmarks")):
        fields = mapping(source, entry, f"benchmark number {number + 1}")
        if fields.get("run_type", "iteration") == "iteration":
            name = text_of(fields.get("run_name")) or text_of(fields.get("name"))
            runs_by_name.setdefault(name, []).append(fields)
    if not runs_by_name:
        expected = "the real_time of every repetition"
        raise source.problem("benchmarks", found="aggregates", expected=expected, hint=REMEDY)
    return runs_by_name


def _series(
    source: InputSource,
    name: str,
    runs: list[Fields],
    recording: RecordingHint,
    notes: tuple[str, ...],
) -> Measurement:
    where = f"benchmark {name}"
    unit = text_of(runs[0].get("time_unit")) or "ns"
    if unit not in NAMED or any(text_of(run.get("time_unit")) not in {unit, ""} for run in runs):
        expected = f"one of {', '.join(NAMED)}, the same in every repetition"
        raise source.problem(f"{where}, time_unit", found=repr(unit[:40]), expected=expected)
    threads = runs[0].get("threads")
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            values=[
                _time(source, run, f"{where}, repetition {index}") for index, run in enumerate(runs)
            ],
            unit=f"{unit}/op",
            operation_counts=_operation_counts(runs),
            settings={"threads": threads} if isinstance(threads, int) else {},
            recording=recording,
            notes=notes,
            remedy=REMEDY,
        ),
    )


def _time(source: InputSource, fields: Fields, where: str) -> float:
    if fields.get("error_occurred") or not is_number(fields.get("real_time")):
        actual = text_of(fields.get("error_message")) or json_excerpt(fields.get("real_time"))
        raise source.problem(f"{where}, real_time", found=actual, expected="a finite number")
    return float(fields["real_time"])  # type: ignore[arg-type]


def _operation_counts(runs: list[Fields]) -> list[float]:
    """Calls of each repetition; empty where a run does not say it, or has several threads."""
    counts = [run.get("iterations") for run in runs if run.get("threads", 1) == 1]
    operation_counts = [float(count) for count in counts if isinstance(count, int) and count > 0]
    return operation_counts if len(operation_counts) == len(runs) else []


def _recognise(start: FileStart) -> str:
    marks = ('"context"', '"benchmarks"', '"real_time"')
    return '"context" and "real_time" found: Google Benchmark\'s JSON' if start.has(*marks) else ""


READER = FileReader(
    name="google-benchmark",
    title="Google Benchmark JSON",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
    harness="google",
)
