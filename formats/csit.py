"""Results of FD.io CSIT: the rates of the trials of a test, else its one figure.

Source: FDio/csit: `resources/libraries/python/model`, docs/model/schema/test_case.info.schema.yaml.
A file is of one test; a maximum receive rate has the rate of every trial, a throughput search its
bounds, of which the lower one is the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.iterations import TRIALS
from formats.json_fields import array, json_excerpt, mapping, text_of
from formats.json_shapes import field_at
from formats.json_text import elements
from formats.measurement import Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource
from formats.summaries import ONE_FIGURE

REMEDY: Final = "run more trials of the test (PERF_TRIAL_MULTIPLICITY)"
FIGURES: Final[Mapping[str, str]] = {
    "": "receive_rate.rate",
    "ndr": "ndr.lower.rate",
    "pdr": "pdr.lower.rate",
    "soak": "critical_rate.lower.rate",
    "rate": "rate",
    "bandwidth": "bandwidth",
    "duration": "duration",
}
"""Paths of the figures in a result, by the name that tells them apart."""


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each figure of a test."""
    for document in elements(source):
        fields = mapping(source, document, "the whole file")
        result = mapping(source, fields.get("result"), "result")
        figures = {
            name: figure
            for name, path in FIGURES.items()
            if isinstance(figure := field_at(result, path), dict) and figure
        }
        if not figures:
            result_type = json_excerpt(result.get("type"))
            expected = "a rate, a bandwidth or a duration"
            raise source.problem("result", found=f"type {result_type}", expected=expected)
        yield from source.attempts(
            partial(_series, source, fields, name, figure) for name, figure in figures.items()
        )


def _series(
    source: InputSource, fields: Mapping[str, object], name: str, figure: Mapping[str, object]
) -> Measurement:
    benchmark = text_of(fields.get("test_id")) or text_of(fields.get("test_name_long"))
    values = figure.get("values") or [figure.get("value", figure.get("avg"))]
    is_figure, hosts = not figure.get("values"), fields.get("hosts")
    return measurement(
        source,
        HarnessSeries(
            benchmark=benchmark,
            params={"figure": name} if name in {"ndr", "pdr"} else {},
            values=array(source, values, f"test {benchmark}, {name or 'rate'}"),
            unit=text_of(figure.get("unit")),
            mode="" if is_figure else TRIALS,
            recording=RecordingHint(
                build=text_of(fields.get("dut_version")),
                measured_at=text_of(fields.get("start_time")),
                machine=text_of(fields.get("sut_type")),
                instance=" ".join(map(text_of, hosts)) if isinstance(hosts, list) else "",
            ),
            notes=(ONE_FIGURE,) if is_figure else (),
            remedy=REMEDY if is_figure else "",  # no trial is a warm-up
        ),
    )


def _recognise(start: FileStart) -> str:
    marks = ('"test_id"', '"result"', '"test_type"')
    return '"test_id" and "test_type" found: a result of CSIT' if start.has(*marks) else ""


READER = FileReader(
    name="csit",
    title="results of FD.io CSIT",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
