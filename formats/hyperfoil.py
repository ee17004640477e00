"""Hyperfoil's all.json: the mean response time of every interval of a phase, warm-up phases too.

Source: Hyperfoil/Hyperfoil: `io/hyperfoil/controller/JsonWriter.java`. The file has no time of a
single request; an entry of `series` sums up the responses of an interval, mostly a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import entries, is_number, json_excerpt, mapping, text_of
from formats.json_text import elements
from formats.measurement import Measurement, RecordingHint, Setting
from formats.occasions import time_stamp
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "let the phase take longer (duration), or sum up shorter intervals"
INTERVALS: Final = "an iteration is an interval: the mean response time of its responses"
SILENT: Final = "intervals without a response are left out: {}"
SCHEMA: Final = "hyperfoil.io/run-schema/"
MEAN: Final = "meanResponseTime"

Fields = Mapping[str, object]


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each phase and metric."""
    for document in elements(source):
        fields = mapping(source, document, "the whole file")
        recording = _recording(source, fields)
        stats = entries(source, fields.get("stats"), "stats")
        if not stats:
            hint = "export the run again after its end"
            raise source.problem("stats", found="no phase", expected="at least one", hint=hint)
        yield from source.attempts(
            partial(_phase, source, phase, f"stats, entry {index}", recording)
            for index, phase in enumerate(stats)
        )


def _recording(source: InputSource, fields: Fields) -> RecordingHint:
    info = mapping(source, fields.get("info") or {}, "info")
    start, version = info.get("startTime"), text_of(fields.get("version"))
    measured_at = time_stamp(start) if isinstance(start, int) and start > 0 else ""
    return RecordingHint(
        label=text_of(info.get("id")),
        measured_at=measured_at,
        runtime=f"Hyperfoil {version}" if version else "",
    )


def _phase(source: InputSource, data: object, where: str, recording: RecordingHint) -> Measurement:
    entry = mapping(source, data, where)
    intervals = [
        mapping(source, interval, f"{where}, series, interval {index}")
        for index, interval in enumerate(entries(source, entry.get("series"), f"{where}, series"))
    ]
    full_intervals = [interval for interval in intervals if interval.get("responseCount") != 0]
    values = [_mean(source, interval, f"{where}, series") for interval in full_intervals]
    silent_count = len(intervals) - len(full_intervals)
    settings: dict[str, Setting] = (
        {"warmup_values": len(full_intervals)} if entry.get("isWarmup") else {}
    )
    return measurement(
        source,
        HarnessSeries(
            benchmark=text_of(entry.get("metric")) or "requests",
            params={"phase": text_of(entry.get("name"))},
            values=values,
            unit="ns",
            settings=settings,
            recording=recording,
            notes=(INTERVALS, SILENT.format(silent_count)) if silent_count else (INTERVALS,),
            remedy=REMEDY,
        ),
    )


def _mean(source: InputSource, interval: Fields, where: str) -> float:
    value = interval.get(MEAN)
    if not is_number(value):
        raise source.problem(
            f"{where}, {MEAN}", found=json_excerpt(value), expected="a finite number"
        )
    return float(value)  # type: ignore[arg-type]  # a number, as seen above


def _recognise(start: FileStart) -> str:
    return f"a schema {SCHEMA}…: all.json of Hyperfoil" if start.has(SCHEMA) else ""


READER = FileReader(
    name="hyperfoil",
    title="all.json of Hyperfoil",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
