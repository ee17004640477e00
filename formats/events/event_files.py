"""Event files: look at the first characters, then let the reader of that kind read."""

from __future__ import annotations

from typing import BinaryIO, Final

from formats.errors import FormatError
from formats.events import event_table, hotspot_log, iteration_metrics, jvm_text
from formats.events.lanes import EventFile, EventReader, EventTarget
from formats.options import ReadOptions
from formats.source import InputSource, open_source

EVENT_READERS: Final[tuple[EventReader, ...]] = (
    hotspot_log.READER,
    iteration_metrics.KRUN,
    iteration_metrics.JMH,
    event_table.READER,
    jvm_text.READER,
)
_OLD_LOG: Final = ("[GC (", "[Full GC (", "[GC pause")


def read_event_file(
    stream: BinaryIO, name: str, series: EventTarget, options: ReadOptions | None = None
) -> EventFile:
    """Return the lanes of a file for one series.

    The file may be packed with gzip or bzip2. Raises `FormatError` where it holds no event of that
    series, or more than a limit.
    """
    source = open_source(stream, name, options or ReadOptions(), None)
    start = source.head_text()
    for reader in EVENT_READERS:
        if reader.recognise(start):
            return reader.read(source, series)
    raise _unknown_file_error(source, start)


def _unknown_file_error(source: InputSource, start: str) -> FormatError:
    if not start:
        return source.problem("start of the file", found="nothing", expected="events")
    is_old = any(mark in start for mark in _OLD_LOG)
    return source.problem(
        "start of the file",
        found="a log of Java 8 or older" if is_old else repr(start[:40]),
        expected=f"one of {', '.join(reader.title for reader in EVENT_READERS)}",
        hint="record with Java 9 or newer and -Xlog:gc*"
        if is_old
        else "a CSV of events has columns lane and start (in seconds), or lane and iteration",
    )
