"""pyperf's JSON: values of every worker process, its warm-up values before them.

Source: psf/pyperf: doc/api.rst, `pyperf/_bench.py`. A warm-up is a pair of loops and the time of
one; a value is the time of one loop. A process that only calibrates has warm-ups of growing loops
and no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import entries, is_number, mapping, numbers, shown, text_of
from formats.json_text import elements
from formats.measurement import Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "record with python3 BENCHMARK.py --values 3000 --warmups 0 -o FILE"
CALIBRATION: Final = (
    "warm-ups of processes that only calibrate have growing loops, and are no series"
)
UNITS: Final = {"second": "s/op", "byte": "bytes", "integer": "count"}

Fields = Mapping[str, object]


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each process with values: warm-ups, then values."""
    for whole in elements(source):
        fields = mapping(source, whole, "the whole file")
        common = mapping(source, fields.get("metadata") or {}, "metadata")
        for number, entry in enumerate(entries(source, fields.get("benchmarks"), "benchmarks")):
            found = source.attempt(partial(_benchmark, source, entry, number, common))
            yield from source.attempts(found or ())


def _benchmark(
    source: InputSource, entry: object, number: int, common: Fields
) -> list[partial[Measurement]]:
    """What would read each process of a benchmark."""
    where = f"benchmark number {number + 1}"
    fields = mapping(source, entry, where)
    said = {**common, **mapping(source, fields.get("metadata") or {}, f"{where}, metadata")}
    runs = [mapping(source, each, f"{where}, runs") for each in _runs(source, fields, where)]
    measured = [each for each in runs if each.get("values")]
    notes = (CALIBRATION,) if len(measured) < len(runs) else ()
    return [partial(_process, source, said, run, at, notes) for at, run in enumerate(measured)]


def _runs(source: InputSource, fields: Fields, where: str) -> list[object]:
    return entries(source, fields.get("runs"), f"{where}, runs")


def _process(
    source: InputSource, said: Fields, run: Fields, fork: int, notes: tuple[str, ...]
) -> Measurement:
    name = text_of(said.get("name")) or source.options.benchmark or source.stem
    where = f"benchmark {name}, process {fork}"
    warmups = _warmups(source, run.get("warmups") or [], f"{where}, warmups")
    values = numbers(source, run.get("values"), f"{where}, values", "iteration")
    metadata = mapping(source, run.get("metadata") or {}, f"{where}, metadata")
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            values=[*warmups, *values],
            unit=UNITS.get(text_of(said.get("unit")) or "second", text_of(said.get("unit"))),
            fork=fork,
            settings={"warmup_values": len(warmups)} if warmups else {},
            recording=_recording(said, metadata),
            notes=notes,
            remedy=REMEDY,
        ),
    )


def _warmups(source: InputSource, pairs: object, where: str) -> Sequence[float]:
    found = []
    for at, pair in enumerate(entries(source, pairs, where)):
        if not isinstance(pair, list) or len(pair) != 2 or not is_number(pair[1]):
            raise source.problem(f"{where} {at}", found=shown(pair), expected="[loops, time]")
        found.append(float(pair[1]))
    return found


def _recording(said: Fields, metadata: Fields) -> RecordingHint:
    words = (text_of(said.get(f"python_{each}")) for each in ("implementation", "version"))
    return RecordingHint(
        measured_at=text_of({**said, **metadata}.get("date")),
        machine=text_of(said.get("hostname")),
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
)
