"""Files read in a process of their own, so that no file can hold up or fill a web process."""

from __future__ import annotations

import base64
import dataclasses
import io
import json
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, BinaryIO, Final

import numpy as np
from django.conf import settings

from formats import Format, FormatError, Measurement, ReadOptions, TooLarge
from formats.child_process import (
    ChildEnded,
    ChildIdle,
    ChildProcesses,
    ChildrenBusy,
    ChildReply,
    ChildTimeout,
)
from formats.events.file_names import NameMatch
from formats.events.lanes import EventTarget
from formats.names import normal
from series.reading import staged_series
from series.reading.file_reader_process import as_question
from series.reading.staging import MOST_PROBLEMS, ImportStep, StagedFile

MOST_AT_ONCE: Final = 2  # files that one web process has read at the same time
QUEUEING: Final = 3.0  # seconds that a page waits for other files to be read
IDLE: Final = 60.0  # seconds without progress after which a child is ended
KEPT: Final = 150_000_000  # bytes that a child may hold to be asked again
REPORT: Final = "its log says why: tell whoever runs the server"


class ReadersBusy(FormatError):
    """Other files are being read: nothing is known of this one yet."""

    def __str__(self) -> str:
        return f"{self.file} was not read: {self.found}; {self.hint}"


class FileReaders(ChildProcesses):
    """Pool of at most `max_count` children, each of which reads a file within bounds.

    seconds  of processor time, which a busy machine makes no longer
    memory   bytes
    setting  the name of the setting that gives the seconds; empty: they are fixed
    """

    def __init__(
        self, *, max_count: int, seconds: float, memory: int, queueing: float, setting: str = ""
    ) -> None:
        arguments = ("series.reading.file_reader_process", str(memory))
        super().__init__(*arguments, folder=settings.BASE_DIR, limit=max_count, queueing=queueing)
        self.seconds, self.memory, self.setting = seconds, memory, setting


readers: Final = FileReaders(
    max_count=MOST_AT_ONCE,
    seconds=settings.READ_SECONDS,
    memory=settings.READ_MEMORY,
    queueing=QUEUEING,
    setting="PLATEAU_READ_SECONDS",
)


@contextmanager
def import_patience() -> Iterator[None]:
    """A process of which no page waits gives each file `IMPORT_READ_SECONDS`."""
    previous_limits = readers.seconds, readers.setting
    readers.seconds = settings.IMPORT_READ_SECONDS
    readers.setting = "PLATEAU_IMPORT_READ_SECONDS"
    try:
        yield
    finally:
        readers.seconds, readers.setting = previous_limits


@dataclass(frozen=True, slots=True)
class FileToRead:
    """A file and how it is to be read.

    `path` is absolute, since another process opens it; `data` stands for what lies nowhere.
    """

    name: str
    path: Path | None = None
    data: bytes = b""
    format: Format = "auto"
    options: ReadOptions = field(default_factory=ReadOptions)

    def opened(self) -> BinaryIO:
        """The file here, for what needs no reader."""
        return self.path.open("rb") if self.path else io.BytesIO(self.data)

    def question(self, task: str, **more: Any) -> dict[str, Any]:
        return {
            "task": task,
            "name": normal(self.name),
            "path": str(self.path or ""),
            "bytes": len(self.data),
            "format": self.format,
            "options": as_question(self.options),
            **more,
        }


@dataclass(frozen=True, slots=True)
class StagedEvents:
    """Lanes of one series as `formats.events.packed` writes them, with notes for who imports."""

    target: EventTarget
    title: str
    lanes: list[dict[str, Any]]
    notes: list[str]


# --- what a file can be asked -----------------------------------------------------------------
def preview_file(file: FileToRead, list_path: Path) -> dict[str, Any]:
    """Preview of a waiting file for its page; its series are listed at `list_path`.

    Raises FormatError, as all of these, for a file that cannot be read within the bounds.
    """
    (line,) = _reader_lines(file, "look", list=str(list_path))
    summary: dict[str, Any] = line["found"]
    return summary


def stage_file(
    file: FileToRead, spool: IO[bytes], *, collects: bool, step: ImportStep | None = None
) -> StagedFile:
    """The series of a file, their values in `spool`, which has a name.

    With `collects` series with a problem are left out; else the first problem is raised.
    """
    intake = StagedFile(normal(file.name), spool, collects=collects, step=step)
    with closing(_reader_lines(file, "take", spool=spool.name, collect=collects)) as lines:
        for line in lines:
            if "series" in line:
                intake.series += map(staged_series.incoming_of_row, line["series"])
                intake.tell(stored_count=0)
            else:
                intake.problems = [_problem(problem) for problem in line["problems"]][
                    :MOST_PROBLEMS
                ]
                intake.problem_count, intake.notes = line["count"], Counter(line["notes"])
    return intake


def problems(file: FileToRead) -> Iterator[FormatError]:
    """Every problem of a file; also the one that ends the reading."""
    try:
        for line in _reader_lines(file, "problems"):
            yield _problem(line["problem"])
    except FormatError as error:
        yield error


def read_measurements(file: FileToRead, pool: FileReaders = readers) -> list[Measurement]:
    """Every series of a small file, without what only an import needs."""
    return [_measurement(line["measurement"]) for line in _reader_lines(file, "measurements", pool)]


def read_event_lanes(
    file: FileToRead, targets: Sequence[EventTarget], name_match: NameMatch
) -> Iterator[StagedEvents]:
    """Lanes of an event file, series by series; raises FormatError as all of these.

    `name_match`: the series that it belongs to, unless it names them inside.
    """
    lanes: list[dict[str, Any]] = []
    question: dict[str, Any] = {
        "targets": [dataclasses.asdict(target) for target in targets],
        "matched": [targets.index(target) for target in name_match.targets],
        "flaw": name_match.flaw,
    }
    for line in _reader_lines(file, "events", **question):
        if "lane" in line:
            lanes.append(line["lane"])
        else:
            yield StagedEvents(targets[line["series"]], line["title"], lanes, line["notes"])
            lanes = []


def _measurement(fields: dict[str, Any]) -> Measurement:
    values = np.frombuffer(base64.b64decode(fields.pop("values")), "<f8")
    return Measurement(**fields, values=values)


# --- asking -----------------------------------------------------------------------------------
def _reader_lines(
    file: FileToRead, task: str, pool: FileReaders = readers, **arguments: Any
) -> Generator[dict[str, Any], None, None]:
    try:
        question = file.question(task, processor_seconds=pool.seconds, **arguments)
        with pool.reply_to(question, file.data) as reply:
            end = yield from _lines(reply)
            reply.keep = end["held"] < KEPT
    except (ChildrenBusy, ChildTimeout, ChildEnded) as error:
        raise _broken_answer(file.name, error, pool) from error
    _check_end(file.name, end, pool)


def _lines(reply: ChildReply) -> Generator[dict[str, Any], None, dict[str, Any]]:
    """Each line of the answer; returns the last one."""
    with reply.limit_idleness(IDLE):
        while "ended" not in (line := json.loads(reply.line())):
            yield line
    end: dict[str, Any] = line
    return end


def _check_end(name: str, last_line: dict[str, Any], pool: FileReaders = readers) -> None:
    if "refused" in last_line:
        raise _problem(last_line["refused"], is_large=last_line["large"])
    if "memory" in last_line:
        memory_words = f"{pool.memory / 1e6:,.0f} MB"
        setting = "PLATEAU_READ_MB" if pool.setting else ""
        raise _limit_error(name, f"a file that takes more than {memory_words} to read", setting)
    if "fault" in last_line:
        actual = f"something on which the server failed ({last_line['fault']})"
        raise _whole_file_error(name, found_text=actual, expected="measurements", hint=REPORT)


def _broken_answer(name: str, failure: Exception, pool: FileReaders) -> FormatError:
    if isinstance(failure, ChildrenBusy):
        actual, hint = "other files are being read", "try again in a moment"
        return ReadersBusy(
            name, "the whole file", found=actual, expected="a free reader", hint=hint
        )
    if isinstance(failure, ChildIdle):
        return _limit_error(name, f"a file whose reader neither read nor computed for {IDLE} s")
    if isinstance(failure, ChildTimeout):
        actual = f"a file that takes more than {pool.seconds} s of processor time to read"
        return _limit_error(name, actual, pool.setting)
    return _limit_error(name, "a file on which its reader ended")


def _limit_error(name: str, actual: str, setting: str = "") -> FormatError:
    setting_advice = f", or ask whoever runs Plateau to raise {setting}" if setting else ""
    return _whole_file_error(
        name, found_text=actual, expected="less in one file", hint=f"split it{setting_advice}"
    )


def _whole_file_error(name: str, *, found_text: str, expected: str, hint: str) -> FormatError:
    return FormatError(name, "the whole file", found=found_text, expected=expected, hint=hint)


def _problem(error_fields: list[str], *, is_large: bool = False) -> FormatError:
    file, where, actual, expected, hint = error_fields
    error_class = TooLarge if is_large else FormatError
    return error_class(file, where, found=actual, expected=expected, hint=hint)
