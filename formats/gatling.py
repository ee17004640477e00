"""Gatling's simulation.log: the response time of every request, in the order logged.

Source: gatling/gatling: `gatling-core/src/main/scala/io/gatling/core/stats/writer/
LogFileDataWriter.scala`; for the binary log of version 3.12 and later, `gatling-charts/src/main/
scala/io/gatling/charts/stats/LogFileReader.scala`. Fields of the text are separated by tabs. Older
versions have scenario or user before groups and name, and version 2.0 four times instead of two;
the message at the end may be missing. So fields are counted from the status.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from formats.checks import A_NUMBER
from formats.errors import FormatError
from formats.harness_series import HarnessSeries, measurement
from formats.k6 import REQUESTS
from formats.measurement import NOTHING_SAID, Measurement, RecordingHint
from formats.numbers import parse_number
from formats.occasions import time_stamp
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "send more requests: constantUsersPerSec(...).during(...) of the scenario"
NO_NAME: Final = "no name"
DAMAGED: Final = "the log is damaged: copy simulation.log again"
EXPECTED: Final = "lines that begin with RUN and REQUEST"
EXPECTED_FIELDS: Final = "groups, name, start, end and status (OK or KO) behind REQUEST"
_RUN: Final = re.compile(
    r"^(?:RUN\t(?P<name>[^\t\n]*)\t\t?(?P<id>[^\t\n]*)|(?P<old_name>[^\t\n]*)\t(?P<old_id>[^\t\n]*)\tRUN)"
    r"\t(?P<start>\d+)\t[^\t\n]*(\t(?P<version>[^\t\n]*))?",
    re.MULTILINE,
)
_REQUEST: Final = re.compile(r"(?:[^\t]*\t[^\t]*\t)?REQUEST\t")
_STATUSES: Final = ("OK", "KO")
_EPOCH_TIME: Final = re.compile(r"\d{12,}")  # milliseconds since 1970, and not a name
_BINARY_HEAD: Final = re.compile(rb"\0\0\0\0[\x03-\x20](?P<version>\d+\.\d+)")
_MOST_TEXT_BYTES: Final = 1_000_000  # of a text in the binary log
_NO_REQUEST_END: Final = "-9223372036854775808"  # the end of a message that answers no request

Spans = list[tuple[str, str | int, str | int]]  # place, begin and end of each request, as read


class GatlingRequest(NamedTuple):
    """Requests of one name; those that failed are apart, for they end early or late."""

    groups: str
    name: str
    failed: bool


@dataclass(slots=True)
class _GatlingLog:
    """Requests of a log so far, and the run that it tells of."""

    recording: RecordingHint = NOTHING_SAID
    requests: dict[GatlingRequest, Spans] = field(default_factory=dict)

    def add(self, request: GatlingRequest, where: str, start: str | int, end: str | int) -> None:
        if str(end) != _NO_REQUEST_END:
            self.requests.setdefault(request, []).append((where, start, end))


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each request and its groups; failed ones have ``status=KO``."""
    log = _binary_log(source) if _BINARY_HEAD.match(source.head()) else _text_log(source)
    if not log.requests:
        raise source.problem("the whole file", found="no request", expected=EXPECTED)
    yield from source.attempts(
        partial(_series, source, request, spans, log.recording)
        for request, spans in log.requests.items()
    )


def _text_log(source: InputSource) -> _GatlingLog:
    log = _GatlingLog()
    for line_number, line in enumerate(source.lines(), start=1):
        if run := _RUN.match(line):
            name = run["id"] or run["old_id"]
            log.recording = _recording(name, run["start"], run["version"] or "")
        elif _REQUEST.match(line):
            _add(source, log, f"line {line_number}", line.rstrip("\r\n").split("\t"))
    return log


def _add(source: InputSource, log: _GatlingLog, where: str, cells: list[str]) -> None:
    status_index = next((i for i in (len(cells) - 1, len(cells) - 2) if cells[i] in _STATUSES), 0)
    time_count = 4 if all(map(_EPOCH_TIME.fullmatch, cells[status_index - 4 : status_index])) else 2
    if status_index < time_count + 3:
        raise source.problem(where, found=f"{len(cells)} fields", expected=EXPECTED_FIELDS)
    groups, name, start = cells[status_index - time_count - 2 : status_index - time_count + 1]
    request = GatlingRequest(groups, name, cells[status_index] != "OK")
    log.add(request, where, start, cells[status_index - 1])


class _BinaryStream:
    """Integers and texts of the binary log, as Java's DataInputStream writes them."""

    def __init__(self, source: InputSource) -> None:
        self._source = source
        self._texts: dict[int, str] = {}
        self.position = 0

    def take(self, count: int) -> bytes:
        data = self._source.stream.read(count)
        if len(data) < count:
            hint = "the file breaks off: copy it again"
            raise self.problem("the end of the file", f"{count} bytes more", hint)
        self.position += count
        return data

    def header(self) -> int | None:
        """Kind of the next record; None at the end of the file."""
        data = self._source.stream.read(1)
        self.position += len(data)
        return data[0] if data else None

    def integer(self) -> int:
        return int.from_bytes(self.take(4), signed=True)

    def flag(self) -> bool:
        return self.take(1) != b"\0"

    def count(self) -> int:
        count = self.integer()
        if not 0 <= count <= _MOST_TEXT_BYTES:
            raise self.problem(str(count), f"a count from 0 to {_MOST_TEXT_BYTES:,}")
        return count

    def text(self) -> str:
        length = self.count()
        if not length:
            return ""
        data, coder = self.take(length), self.take(1)
        return data.decode("latin-1" if coder == b"\0" else "utf-16-le", errors="replace")

    def cached_text(self) -> str:
        """A text that is written once with a number, and by the number's negative after that."""
        number = self.integer()
        if number >= 0:
            self._texts[number] = self.text()
        elif -number not in self._texts:
            raise self.problem(f"text number {-number}", "the number of a text before it")
        return self._texts[abs(number)]

    def problem(self, found: str, expected: str, hint: str = DAMAGED) -> FormatError:
        where = f"byte {self.position:,}"
        return self._source.problem(where, found=found, expected=expected, hint=hint)


def _binary_log(source: InputSource) -> _GatlingLog:
    stream, log = _BinaryStream(source), _GatlingLog()
    while (kind := stream.header()) is not None:
        if kind == 0:
            log.recording = _read_run(stream)
        elif kind == 1:
            where = f"byte {stream.position:,}"
            groups = ",".join(stream.cached_text() for _ in range(stream.count()))
            name = stream.cached_text()
            start, end = stream.integer(), stream.integer()
            request = GatlingRequest(groups, name, not stream.flag())
            stream.cached_text()  # message
            log.add(request, where, start, end)
        elif kind == 2:
            stream.take(9)  # scenario, start or end, time
        elif kind == 3:
            for _ in range(stream.count()):
                stream.cached_text()
            stream.take(13)  # start, end, cumulated time, status
        elif kind == 4:
            stream.cached_text()
            stream.take(4)
        else:
            raise stream.problem(f"record {kind}", "a record from 0 to 4")
    return log


def _read_run(stream: _BinaryStream) -> RecordingHint:
    version, name = stream.text(), stream.text()
    (start,) = struct.unpack(">q", stream.take(8))
    stream.text()  # description
    for _ in range(stream.count()):
        stream.text()  # scenario
    for _ in range(stream.count()):
        stream.take(stream.count())  # assertion
    return _recording(name.rpartition(".")[2].lower(), start, version)


def _series(
    source: InputSource, request: GatlingRequest, spans: Spans, recording: RecordingHint
) -> Measurement:
    params = {"group": request.groups, "status": "KO" if request.failed else ""}
    return measurement(
        source,
        HarnessSeries(
            benchmark=request.name or NO_NAME,
            params={name: text for name, text in params.items() if text},
            values=[_milliseconds(source, *span) for span in spans],
            unit="ms",
            recording=recording,
            notes=(REQUESTS,),
            remedy=REMEDY,
        ),
    )


def _milliseconds(source: InputSource, where: str, start: str | int, end: str | int) -> float:
    if isinstance(start, int) and isinstance(end, int):
        return float(end - start)
    first, last = parse_number(str(start), "."), parse_number(str(end), ".")
    if first is None or last is None:
        wrong_time = str(start if first is None else end)
        raise source.problem(where, found=repr(wrong_time[:40]), expected=A_NUMBER)
    return last - first


def _recording(name: str, start: str | int, version: str) -> RecordingHint:
    measured_at = time_stamp(start)
    digits = "".join(filter(str.isdecimal, measured_at.partition("+")[0].partition(".")[0]))
    return RecordingHint(
        label="-".join(filter(None, (name, digits))),
        measured_at=measured_at,
        runtime=f"Gatling {version}" if version else "",
    )


def _recognise(start: FileStart) -> str:
    if _BINARY_HEAD.match(start.data):
        return "a binary record of a run: simulation.log of Gatling"
    return "a line RUN: simulation.log of Gatling" if _RUN.search(start.text) else ""


READER = FileReader(
    name="gatling",
    title="simulation.log of Gatling",
    endings=(".log", ".txt"),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
