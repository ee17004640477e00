"""Gatling's simulation.log, as text: the response time of every request, in the order logged.

Source: gatling/gatling: `gatling-core/src/main/scala/io/gatling/core/stats/writer/
LogFileDataWriter.scala`. Fields are separated by tabs; older versions have the user's number as
the first of a request, so fields are counted from the end. From 3.12 on the log is binary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from formats.checks import A_NUMBER
from formats.harness_series import HarnessSeries, measurement
from formats.k6 import REQUESTS
from formats.measurement import NOTHING_SAID, Measurement, RecordingHint
from formats.numbers import parse_number
from formats.occasions import time_stamp
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "send more requests: constantUsersPerSec(...).during(...) of the scenario"
EXPECTED: Final = "lines that begin with RUN and REQUEST, of Gatling before 3.12"
_RUN: Final = re.compile(
    r"^RUN\t(?P<name>[^\t\n]*)\t(?P<id>[^\t\n]*)\t(?P<start>\d+)\t[^\t\n]*(\t(?P<version>[^\t\n]*))?",
    re.MULTILINE,
)


class GatlingRequest(NamedTuple):
    """Requests of one name; those that failed are apart, for they end early or late."""

    groups: str
    name: str
    failed: bool


@dataclass(slots=True)
class GatlingTimes:
    """Begin and end of each request, as in the file, and the line of each."""

    spans: list[tuple[int, str, str]] = field(default_factory=list)


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each request and its groups; failed ones have ``status=KO``."""
    times_by_request: dict[GatlingRequest, GatlingTimes] = {}
    recording = NOTHING_SAID
    for line_number, line in enumerate(source.lines(), start=1):
        if run := _RUN.match(line):
            recording = _recording(run)
        elif line.startswith("REQUEST\t"):
            _add(source, times_by_request, line_number, line.rstrip("\r\n").split("\t"))
    if not times_by_request:
        raise source.problem("the whole file", found="no request", expected=EXPECTED)
    yield from source.attempts(
        partial(_series, source, request, times, recording)
        for request, times in times_by_request.items()
    )


def _add(
    source: InputSource,
    times_by_request: dict[GatlingRequest, GatlingTimes],
    line_number: int,
    cells: list[str],
) -> None:
    if len(cells) < 7:
        expected = "groups, name, start, end, status and message behind REQUEST"
        raise source.problem(f"line {line_number}", found=f"{len(cells)} fields", expected=expected)
    groups, name, start, end, status, _ = cells[-6:]
    request = GatlingRequest(groups, name, status != "OK")
    times_by_request.setdefault(request, GatlingTimes()).spans.append((line_number, start, end))


def _series(
    source: InputSource, request: GatlingRequest, times: GatlingTimes, recording: RecordingHint
) -> Measurement:
    params = {"group": request.groups, "status": "KO" if request.failed else ""}
    return measurement(
        source,
        HarnessSeries(
            benchmark=request.name,
            params={name: text for name, text in params.items() if text},
            values=[_milliseconds(source, *span) for span in times.spans],
            unit="ms",
            recording=recording,
            notes=(REQUESTS,),
            remedy=REMEDY,
        ),
    )


def _milliseconds(source: InputSource, line: int, start: str, end: str) -> float:
    first, last = parse_number(start, "."), parse_number(end, ".")
    if first is None or last is None:
        wrong = start if first is None else end
        raise source.problem(f"line {line}", found=repr(wrong[:40]), expected=A_NUMBER)
    return last - first


def _recording(run: re.Match[str]) -> RecordingHint:
    measured_at = time_stamp(run["start"])
    digits = "".join(filter(str.isdecimal, measured_at.partition("+")[0].partition(".")[0]))
    version = run["version"] or ""
    return RecordingHint(
        label="-".join(filter(None, (run["id"], digits))),
        measured_at=measured_at,
        runtime=f"Gatling {version}" if version else "",
    )


def _recognise(start: FileStart) -> str:
    return "a line RUN: simulation.log of Gatling" if _RUN.search(start.text) else ""


READER = FileReader(
    name="gatling",
    title="simulation.log of Gatling (text)",
    endings=(".log", ".txt"),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
