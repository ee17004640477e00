"""k6's JSON lines: every request's times, in the order in which they were logged.

Source: grafana/k6: output/json, docs "Results output, JSON". A line declares a metric or is one
value of it; metrics that contain times are series, one for each scenario, name and method.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import is_number, json_excerpt, mapping, text_of
from formats.json_text import documents
from formats.measurement import Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "record with k6 run --out json=FILE and more iterations"
REQUESTS: Final = "an iteration is a request, of several virtual users at once where there are some"
TAGS: Final = ("scenario", "name", "method")

Fields = Mapping[str, object]


@dataclass(slots=True)
class _Logged:
    """The values of one metric and set of tags; `first` is when the first was sampled."""

    metric: str
    first: str
    values: list[object] = field(default_factory=list)


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each metric of times and its tags."""
    times: set[str] = set()
    samples_by_key: dict[tuple[str, ...], _Logged] = {}
    for line_number, line in enumerate(documents(source), start=1):
        fields = mapping(source, line, f"line {line_number}")
        metric = text_of(fields.get("metric"))
        data = mapping(source, fields.get("data"), f"line {line_number}, data")
        if fields.get("type") == "Metric" and data.get("contains") == "time":
            times.add(metric)
        elif fields.get("type") == "Point" and metric in times:
            tags = mapping(source, data.get("tags") or {}, f"line {line_number}, tags")
            key = (metric, *(text_of(tags.get(name)) for name in TAGS))
            samples = samples_by_key.setdefault(key, _Logged(metric, text_of(data.get("time"))))
            samples.values.append(data.get("value"))
    if not samples_by_key:
        raise source.problem(
            "the whole file", found="no time", expected="points of a metric of times"
        )
    yield from source.attempts(
        partial(_series, source, dict(zip(TAGS, tag_values, strict=True)), samples)
        for (_, *tag_values), samples in samples_by_key.items()
    )


def _series(source: InputSource, tags: Mapping[str, str], samples: _Logged) -> Measurement:
    for index, value in enumerate(samples.values):
        if not is_number(value):
            where = f"metric {samples.metric}, point {index}"
            raise source.problem(where, found=json_excerpt(value), expected="a finite number")
    return measurement(
        source,
        HarnessSeries(
            benchmark=samples.metric,
            params={name: text for name, text in tags.items() if text},
            values=samples.values,  # type: ignore[arg-type]  # numbers, as seen above
            unit="ms",
            recording=RecordingHint(measured_at=samples.first),
            notes=(REQUESTS,),
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    marks = ('"type"', '"data"', '"metric"', '"Metric"', '"contains"')
    return "lines that declare metrics: JSON of k6" if start.has(*marks) else ""


READER = FileReader(
    name="k6",
    title="k6 JSON lines",
    endings=(".json", ".jsonl"),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
