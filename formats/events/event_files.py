"""Event files: look at the first characters, then let the reader of that kind read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, Final

from formats.errors import FormatError
from formats.events import event_table, hotspot_log, iteration_metrics, jvm_text
from formats.events.file_names import NameMatch
from formats.events.lanes import EventFile, EventFiles, EventReader, EventTarget
from formats.options import ReadOptions
from formats.source import InputSource, open_source

EVENT_READERS: Final[tuple[EventReader, ...]] = (
    hotspot_log.READER,
    iteration_metrics.KRUN,
    iteration_metrics.JMH,
    event_table.READER,
    jvm_text.READER,
)
NAME_EXPECTED: Final = "benchmark, fork and values of parameters, as in Sort-size=8-fork0.gc.log"
NAME_HINT: Final = "rename it, or use a CSV with columns benchmark, fork and params"
_OLD_LOG: Final = ("[GC (", "[Full GC (", "[GC pause")


def read_event_file(
    stream: BinaryIO, name: str, series: EventTarget, options: ReadOptions | None = None
) -> EventFile:
    """Return the lanes of a file for one series; errors as `read_event_files`."""
    ((_, event_file),) = read_event_files(stream, name, [series], NameMatch([series]), options)
    return event_file


def read_event_files(
    stream: BinaryIO,
    name: str,
    targets: Sequence[EventTarget],
    name_match: NameMatch,
    options: ReadOptions | None = None,
) -> EventFiles:
    """Yield the lanes of a file for each of `targets` that it has events of.

    A file that says nothing about series belongs to the one that its name tells (`name_match`).
    It may be packed with gzip or bzip2. Raises `FormatError` where it holds no event of these
    series, or more than a limit.
    """
    source = open_source(stream, name, options or ReadOptions(), None)
    start = source.head_text()
    reader = next((reader for reader in EVENT_READERS if reader.recognise(start)), None)
    if reader is None:
        raise _unknown_file_error(source, start)
    if reader.names_series(start):
        _check_systems(source, targets)
        yield from reader.read(source, targets)
    elif len(name_match.targets) == 1:
        yield from reader.read(source, name_match.targets)
    else:
        raise source.problem(
            "name of the file", found=name_match.flaw, expected=NAME_EXPECTED, hint=NAME_HINT
        )


def _check_systems(source: InputSource, targets: Sequence[EventTarget]) -> None:
    """Raise where two series have all that a file says of one, since their systems differ."""
    names = {(target.benchmark, target.params, target.fork) for target in targets}
    if len(names) < len(targets):
        raise source.problem(
            "name of the file",
            found="benchmarks that several systems have",
            expected="the name of one system",
            hint="put it into the name or the folder, as in HotSpot/sort.csv",
        )


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
