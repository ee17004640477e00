"""Results of the Renaissance suite, JSON or CSV: the duration of every repetition.

Source: renaissance-benchmarks/renaissance:
`renaissance-harness/src/main/scala/org/renaissance/harness/ResultWriter.scala`. A file is of one
virtual machine; CSV files joined into one are told apart by when their machines started. Before
version 0.10 a duration is called nanos, and the benchmarks of a JSON file results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from formats.checks import A_NUMBER
from formats.harness_series import FAILED, HarnessSeries, measurement
from formats.json_fields import entries, is_number, json_excerpt, mapping, text_of
from formats.json_text import elements
from formats.measurement import NOTHING_SAID, Measurement, RecordingHint
from formats.numbers import parse_number
from formats.occasions import time_stamp
from formats.reader import FileReader, FileStart
from formats.separated import named_rows
from formats.source import InputSource

REMEDY: Final = "record with -r 3000 --json FILE"
DURATION: Final = "duration_ns"
EARLIER_DURATION: Final = "nanos"
VM_START: Final = "vm_start_unix_ms"

Fields = Mapping[str, object]


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark (CSV: and each start of a virtual machine)."""
    if source.head_text().lstrip()[:1] == "{":
        yield from _read_json(source)
    else:
        yield from _read_csv(source)


def _read_json(source: InputSource) -> Iterator[Measurement]:
    for document in elements(source):
        fields = mapping(source, document, "the whole file")
        recording = _recording(source, fields)
        yield from source.attempts(
            partial(_benchmark, source, name, data, recording)
            for name, data in mapping(
                source, fields.get("data", fields.get("results")), "data"
            ).items()
        )


def _recording(source: InputSource, fields: Fields) -> RecordingHint:
    environment = mapping(source, fields.get("environment") or {}, "environment")
    machine = mapping(source, environment.get("vm") or {}, "environment, vm")
    system = os_fields if isinstance(os_fields := environment.get("os"), dict) else {}
    suite = mapping(source, fields.get("suite") or {}, "suite")
    words = (text_of(machine.get(field)) for field in ("name", "version"))
    return RecordingHint(
        build=text_of(suite.get("version")),
        measured_at=text_of(machine.get("start_iso")),
        machine=" ".join(filter(None, (text_of(system.get(field)) for field in ("name", "arch")))),
        runtime=" ".join(filter(None, words)),
    )


def _benchmark(
    source: InputSource, name: str, data: object, recording: RecordingHint
) -> Measurement:
    fields = mapping(source, data, f"benchmark {name}")
    repetitions = entries(source, fields.get("results"), f"benchmark {name}, results")
    values = [
        _duration(source, name, index, repetition) for index, repetition in enumerate(repetitions)
    ]
    has_failed = text_of(fields.get("termination")) not in {"normal", ""}
    return _series(source, name, values, recording, notes=(FAILED,) if has_failed else ())


def _duration(source: InputSource, name: str, index: int, repetition: object) -> float:
    where = f"benchmark {name}, repetition {index}"
    repetition_fields = mapping(source, repetition, where)
    time = repetition_fields.get(DURATION, repetition_fields.get(EARLIER_DURATION))
    if not is_number(time):
        raise source.problem(f"{where}, {DURATION}", found=json_excerpt(time), expected=A_NUMBER)
    return float(time)  # type: ignore[arg-type]


def _read_csv(source: InputSource) -> Iterator[Measurement]:
    times_by_start: dict[tuple[str, str], list[float]] = {}
    for row_number, row in named_rows(source):
        text = row.get(DURATION, row.get(EARLIER_DURATION, ""))
        if (time := parse_number(text, ".")) is None:
            raise source.cell_problem(row_number, DURATION, text, A_NUMBER)
        key = (row.get("benchmark", ""), row.get(VM_START, ""))
        times_by_start.setdefault(key, []).append(time)
    if not times_by_start:
        expected = "a row a repetition"
        raise source.problem("the whole file", found="a header alone", expected=expected)
    starts = list(dict.fromkeys(start_time for _, start_time in times_by_start))
    yield from source.attempts(
        partial(_series, source, name, values, _hint(start_time), fork=starts.index(start_time))
        for (name, start_time), values in times_by_start.items()
    )


def _hint(text: str) -> RecordingHint:
    if not text.isdecimal():
        return NOTHING_SAID
    return RecordingHint(measured_at=time_stamp(text))


def _series(
    source: InputSource,
    name: str,
    values: list[float],
    recording: RecordingHint,
    *,
    fork: int = 0,
    notes: tuple[str, ...] = (),
) -> Measurement:
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            values=values,
            unit="ns/op",
            fork=fork,
            recording=recording,
            notes=notes,
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    first = start.text.partition("\n")[0].strip().split(",")
    for name in (DURATION, EARLIER_DURATION):
        if start.has(f'"{name}"', '"results"'):
            return f"{name} found: Renaissance's JSON"
        if first[0] == "benchmark" and name in first:
            return f"columns benchmark and {name}: Renaissance's CSV"
    return ""


READER = FileReader(
    name="renaissance",
    title="Renaissance JSON or CSV",
    endings=(".json", ".csv"),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
