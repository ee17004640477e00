"""OpenMetrics text with timestamps: every metric and set of labels as a series.

Source: prometheus/OpenMetrics: specification/OpenMetrics.md, "Text format". What
`promtool tsdb dump-openmetrics` writes. The unit is that of `# UNIT`, else `unit` of the options.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement, parse_numbers
from formats.measurement import Measurement
from formats.numbers import parse_number
from formats.reader import FileReader, FileStart
from formats.source import InputSource

SCRAPED: Final = "values are as often as they were scraped, not one a call"
UNITS: Final = {"seconds": "s", "milliseconds": "ms", "microseconds": "us", "nanoseconds": "ns"}
_UNIT: Final = re.compile(r"# UNIT (?P<metric>\S+) (?P<unit>\S+)")
_TEXT: Final = r'"(?:[^"\\]|\\.)*+"'  # possessive: what was taken is not tried in another way
_SAMPLE: Final = re.compile(
    rf"(?P<metric>[A-Za-z_:][\w:]*+)(?:\{{(?P<labels>(?:[^\"}}]|{_TEXT})*+)\}})?"
    r" (?P<value>\S++) (?P<time>\S++)(?: #.*)?"
)
_LABEL: Final = re.compile(rf"\s*+(?P<name>\w++|{_TEXT})\s*+=\s*+(?P<value>{_TEXT})\s*+,?")
_SUFFIXES: Final = re.compile(r"_(?:total|sum|count|created|bucket|info)\Z")


@dataclass(slots=True)
class _LabelledSamples:
    """The samples of one metric and set of labels: pairs of time and value."""

    metric: str
    labels: dict[str, str]
    times: list[float] = field(default_factory=list)
    values: list[str] = field(default_factory=list)


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each metric and set of labels, in the order of time."""
    units: dict[str, str] = {}
    samples_by_labels: dict[tuple[str, str], _LabelledSamples] = {}
    for line_number, line in enumerate(source.lines(), start=1):
        text = line.rstrip("\r\n")
        if unit_match := _UNIT.fullmatch(text):
            units[unit_match["metric"]] = unit_match["unit"]
        elif text and not text.startswith("#"):
            _add(source, samples_by_labels, text, line_number)
    if not samples_by_labels:
        raise source.problem("the whole file", found="no sample", expected="samples with times")
    yield from source.attempts(
        partial(_series, source, samples, units) for samples in samples_by_labels.values()
    )


def _add(
    source: InputSource,
    samples_by_labels: dict[tuple[str, str], _LabelledSamples],
    text: str,
    line_number: int,
) -> None:
    sample = _SAMPLE.fullmatch(text)
    time = parse_number(sample["time"], ".") if sample else None
    if sample is None or time is None:
        expected = "a name, its labels in braces, a value and a time"
        raise source.problem(f"line {line_number}", found=repr(text[:40]), expected=expected)
    key = (sample["metric"], sample["labels"] or "")
    labels = dict(_labels(source, key[1], line_number))
    samples = samples_by_labels.setdefault(key, _LabelledSamples(sample["metric"], labels))
    samples.times.append(time)
    samples.values.append(sample["value"])


def _labels(source: InputSource, text: str, line_number: int) -> Iterator[tuple[str, str]]:
    """Name and value of each label, one directly after the other."""
    position = 0
    while position < len(text.rstrip()):
        label = _LABEL.match(text, position)
        if label is None:
            expected = 'a label such as name="value"'
            where = f"line {line_number}, labels"
            raise source.problem(
                where, found=repr(text[position : position + 40]), expected=expected
            )
        yield _unquote(label["name"]), _unquote(label["value"])
        position = label.end()


def _unquote(text: str) -> str:
    """`text` without its quotes, if it has some, and with what is escaped in them."""
    inner_text = text[1:-1] if text.startswith('"') else text
    return re.sub(r"\\(.)", lambda match: {"n": "\n"}.get(match[1], match[1]), inner_text)


def _series(
    source: InputSource, samples: _LabelledSamples, units: Mapping[str, str]
) -> Measurement:
    values = parse_numbers(
        source, samples.values, lambda index: f"metric {samples.metric}, sample {index}"
    )
    time_order = sorted(range(len(values)), key=samples.times.__getitem__)
    unit = units.get(_SUFFIXES.sub("", samples.metric)) or units.get(samples.metric, "")
    return measurement(
        source,
        HarnessSeries(
            benchmark=samples.metric,
            params=samples.labels,
            values=[values[index] for index in time_order],
            unit=UNITS.get(unit, unit) or source.options.unit,
            notes=(SCRAPED,),
        ),
    )


def _recognise(start: FileStart) -> str:
    lines = start.text.splitlines()[:1000]
    if not any(line.startswith("# TYPE ") for line in lines):
        return ""
    samples = [line for line in lines if line and not line.startswith("#")]
    has_time = bool(samples) and _SAMPLE.fullmatch(samples[0]) is not None
    return "# TYPE, and samples with times: OpenMetrics" if has_time else ""


READER = FileReader(
    name="openmetrics",
    title="OpenMetrics text with times",
    endings=(".txt", ".prom"),
    recognise=_recognise,
    read=read,
    options=("unit", "system"),
    named_values=True,
)
