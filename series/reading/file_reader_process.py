"""Reads files for a web process: `python -m series.reading.file_reader_process BYTES`, asked by
`reading`.

BYTES bounds its address space, of which it needs 150 MB before any file is read. A question names
a task, a file and how it is to be read; the last line of the answer has `ended`. Django is not
loaded, so the process starts in a fifth of a second.
"""

from __future__ import annotations

import base64
import dataclasses
import gc
import io
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

import formats
from formats import FormatError, Measurement, ReadLimits, ReadOptions, TooLarge
from formats.child_process import Question, Say, held_memory, serve
from formats.events.event_files import read_event_files
from formats.events.file_names import NameMatch
from formats.events.lanes import EventTarget
from formats.events.packed import packed_lane
from series.reading import import_summary, staged_series
from series.reading.staging import SeriesHeader, StagedFile, group_measurements

log = logging.getLogger(__name__)
PART: Final = 65_536  # bytes for which there is room always


def main() -> int:
    logging.basicConfig()  # to the standard error of the server: its log
    gc.freeze()  # nothing that is loaded is garbage, however often a large file has it looked for
    return serve(respond, memory=int(sys.argv[1]))


def respond(question: Question, inbox: BinaryIO, say: Say) -> None:
    """Do the task. Whatever a reader raises is told, and never ends this process."""
    unread_bytes = question["bytes"]
    try:
        data, unread_bytes = inbox.read(unread_bytes), 0
        with Path(question["path"]).open("rb") if question["path"] else io.BytesIO(data) as stream:
            TASKS[question["task"]](question, stream, say)
        end: dict[str, Any] = {}
    except FormatError as error:
        end = {"refused": error.args, "large": isinstance(error, TooLarge)}
    except MemoryError:
        _skip(inbox, unread_bytes)
        end = {"memory": True}
    except Exception as fault:
        log.exception("reading %s failed", question["name"])
        end = {"fault": type(fault).__name__}
    say({"ended": True, "held": held_memory(), **end})


def _skip(inbox: BinaryIO, unread_bytes: int) -> None:
    """Read on to the next question: what found no room was not read."""
    while chunk := inbox.read(min(unread_bytes, PART)):
        unread_bytes -= len(chunk)


# --- tasks ------------------------------------------------------------------------------------
def _look(question: Question, stream: BinaryIO, say: Say) -> None:
    """Look at what the file holds; its series are listed in the file `list`."""
    series: list[SeriesHeader] = []
    preview = formats.preview(
        stream,
        question["name"],
        format=question["format"],
        options=read_options(question),
        on_series=lambda measurement: series.append(SeriesHeader.from_measurement(measurement)),
    )
    staged_series.write_staged(Path(question["list"]), series)
    say({"found": import_summary.summary(preview, series)})


def _take(question: Question, stream: BinaryIO, say: Say) -> None:
    """Each series, drawn, its values in the file `spool`; then problems and notes."""
    with Path(question["spool"]).open("wb") as spool:
        intake = StagedFile(question["name"], spool)
        collect = intake.note_problem if question["collect"] else None
        for batch in group_measurements(_read_measurements(question, stream, collect)):
            intake.take(batch)
            say({"series": [staged_series.incoming_as_row(series) for series in intake.series]})
            intake.series.clear()
    problems = [problem.args for problem in intake.problems]
    say({"problems": problems, "count": intake.problem_count, "notes": dict(intake.notes)})


def _problems(question: Question, stream: BinaryIO, say: Say) -> None:
    """Every problem of the file."""
    for _ in _read_measurements(question, stream, lambda problem: say({"problem": problem.args})):
        pass


def _measurements(question: Question, stream: BinaryIO, say: Say) -> None:
    """Every series with its values."""
    for measurement in _read_measurements(question, stream, None):
        names = ("benchmark", "label", "unit", "mode")
        fields: dict[str, Any] = {name: getattr(measurement, name) for name in names}
        values = base64.b64encode(measurement.values.astype("<f8", copy=False).tobytes()).decode()
        say({"measurement": {**fields, "settings": dict(measurement.settings), "values": values}})


def _events(question: Question, stream: BinaryIO, say: Say) -> None:
    """Lanes of events of each series, then its number and notes on what was left out."""
    targets = [EventTarget(**target) for target in question["targets"]]
    indices = {target: number for number, target in enumerate(targets)}
    name_match = NameMatch([targets[number] for number in question["matched"]], question["flaw"])
    for target, event_file in read_event_files(
        stream, question["name"], targets, name_match, read_options(question)
    ):
        for lane in event_file.lanes:
            say({"lane": packed_lane(lane)})
        say({"series": indices[target], "title": event_file.title, "notes": event_file.notes})


TASKS: Final[Mapping[str, Callable[[Question, BinaryIO, Say], None]]] = {
    "look": _look,
    "take": _take,
    "problems": _problems,
    "measurements": _measurements,
    "events": _events,
}


def _read_measurements(
    question: Question, stream: BinaryIO, collect: Callable[[FormatError], None] | None
) -> Iterator[Measurement]:
    return formats.read_series_of_file(
        stream,
        question["name"],
        format=question["format"],
        options=read_options(question),
        on_problem=collect,
    )


def read_options(question: Question) -> ReadOptions:
    fields = dict(question["options"])
    limits, columns = ReadLimits(**fields.pop("limits")), tuple(fields.pop("series_columns"))
    return ReadOptions(**fields, limits=limits, series_columns=columns)


def as_question(options: ReadOptions) -> dict[str, Any]:
    """Fields that `read_options` reads."""
    return dataclasses.asdict(options)


if __name__ == "__main__":
    raise SystemExit(main())
