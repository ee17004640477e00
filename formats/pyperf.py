"""pyperf's JSON: values of every worker process, its warm-up values before them.

Source: psf/pyperf: doc/api.rst, `pyperf/_bench.py`. A value is the time of one loop. A warm-up is a
pair of loops and the time of one loop; before version 1.0 of the format, the time of all loops. A
process that only calibrates has warm-ups of growing loops and no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import entries, is_number, json_excerpt, mapping, numbers, text_of
from formats.json_text import elements
from formats.measurement import Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "record with python3 BENCHMARK.py --values 3000 --warmups 0 -o FILE"
CALIBRATION: Final = (
    "warm-ups of processes that only calibrate have growing loops, and are no series"
)
RAW_WARMUPS: Final = "raw warm-ups"  # added to a file's metadata
UNITS: Final = {"second": "s/op", "byte": "bytes", "integer": "count"}

Fields = Mapping[str, object]


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each process with values: warm-ups, then values."""
    for document in elements(source):
        fields = mapping(source, document, "the whole file")
        common_metadata = {
            **mapping(
                source, fields.get("metadata") or fields.get("common_metadata") or {}, "metadata"
            ),
            RAW_WARMUPS: isinstance(fields.get("version"), int),
        }
        for number, entry in enumerate(entries(source, fields.get("benchmarks"), "benchmarks")):
            processes = source.attempt(partial(_benchmark, source, entry, number, common_metadata))
            yield from source.attempts(processes or ())


def _benchmark(
    source: InputSource, entry: object, number: int, common_metadata: Fields
) -> list[partial[Measurement]]:
    """Make a reader for each process of a benchmark."""
    where = f"benchmark number {number + 1}"
    fields = mapping(source, entry, where)
    benchmark_metadata = {
        **common_metadata,
        **mapping(source, fields.get("metadata") or {}, f"{where}, metadata"),
    }
    runs = [
        mapping(source, listed_run, f"{where}, runs")
        for listed_run in entries(source, fields.get("runs"), f"{where}, runs")
    ]
    measured_runs = [run for run in runs if _values(run)]
    notes = (CALIBRATION,) if len(measured_runs) < len(runs) else ()
    return [
        partial(_process, source, benchmark_metadata, run, fork, notes)
        for fork, run in enumerate(measured_runs)
    ]


def _values(run: Fields) -> object:
    return run.get("values") or run.get("samples")  # the second: before version 0.9.6


def _process(
    source: InputSource, benchmark_metadata: Fields, run: Fields, fork: int, notes: tuple[str, ...]
) -> Measurement:
    name = text_of(benchmark_metadata.get("name")) or source.options.benchmark or source.stem
    where = f"benchmark {name}, process {fork}"
    values = numbers(source, _values(run), f"{where}, values", "iteration")
    metadata = mapping(source, run.get("metadata") or {}, f"{where}, metadata")
    warmup_pairs = _warmups(source, run.get("warmups") or [], f"{where}, warmups")
    warmup_times = [time for _, time in warmup_pairs]
    if benchmark_metadata[RAW_WARMUPS]:
        inner_loops = {**benchmark_metadata, **metadata}.get("inner_loops")
        inner_loops = inner_loops if isinstance(inner_loops, int) and inner_loops > 0 else 1
        warmup_times = [time / (loops * inner_loops) for loops, time in warmup_pairs]
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            values=[*warmup_times, *values],
            unit=UNITS.get(
                text_of(benchmark_metadata.get("unit")) or "second",
                text_of(benchmark_metadata.get("unit")),
            ),
            fork=fork,
            settings={"warmup_values": len(warmup_times)} if warmup_times else {},
            recording=_recording(benchmark_metadata, metadata),
            notes=notes,
            remedy=REMEDY,
        ),
    )


def _warmups(source: InputSource, listed_pairs: object, where: str) -> list[tuple[int, float]]:
    """Loops and time of each warm-up, as in the file."""
    warmup_pairs = []
    for index, pair in enumerate(entries(source, listed_pairs, where)):
        loops, time = pair if isinstance(pair, list) and len(pair) == 2 else (0, None)
        if not isinstance(loops, int) or loops < 1 or not is_number(time):
            raise source.problem(
                f"{where} {index}", found=json_excerpt(pair), expected="[loops, time]"
            )
        warmup_pairs.append((loops, float(time)))  # type: ignore[arg-type]  # a number, as seen above
    return warmup_pairs


def _recording(benchmark_metadata: Fields, metadata: Fields) -> RecordingHint:
    words = (
        text_of(benchmark_metadata.get(f"python_{field}"))
        for field in ("implementation", "version")
    )
    return RecordingHint(
        measured_at=text_of({**benchmark_metadata, **metadata}.get("date")),
        machine=text_of(benchmark_metadata.get("cpu_model_name")),
        instance=text_of(benchmark_metadata.get("hostname")),
        runtime=" ".join(filter(None, words)),
    )


def _recognise(start: FileStart) -> str:
    marks = ('"benchmarks"', '"runs"', '"metadata"')
    return "benchmarks with runs and metadata: pyperf's JSON" if start.has(*marks) else ""


READER = FileReader(
    name="pyperf",
    title="pyperf JSON",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system", "benchmark"),
    named_values=True,
    harness="pyperf",
)
