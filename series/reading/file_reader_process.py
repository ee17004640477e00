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
from series.reading import import_summary, staged_series
from series.reading.staging import SeriesHeader, StagedFile, read_together

log = logging.getLogger(__name__)
PART: Final = 65_536  # bytes for which there is room always


def main() -> int:
    logging.basicConfig()  # to the standard error of the server: its log
    gc.freeze()  # nothing that is loaded is garbage, however often a large file has it looked for
    return serve(respond, memory=int(sys.argv[1]))


def respond(asked: Question, inbox: BinaryIO, say: Say) -> None:
    """Do the task. Whatever a reader raises is told, and never ends this process."""
    left = asked["bytes"]
    try:
        data, left = inbox.read(left), 0
        with Path(asked["path"]).open("rb") if asked["path"] else io.BytesIO(data) as stream:
            TASKS[asked["task"]](asked, stream, say)
        end: dict[str, Any] = {}
    except FormatError as refused:
        end = {"refused": refused.args, "large": isinstance(refused, TooLarge)}
    except MemoryError:
        _skip(inbox, left)
        end = {"memory": True}
    except Exception as fault:
        log.exception("reading %s failed", asked["name"])
        end = {"fault": type(fault).__name__}
    say({"ended": True, "held": held_memory(), **end})


def _skip(inbox: BinaryIO, left: int) -> None:
    """Read on to the next question: what found no room was not read."""
    while part := inbox.read(min(left, PART)):
        left -= len(part)


# --- tasks ------------------------------------------------------------------------------------
def _look(asked: Question, stream: BinaryIO, say: Say) -> None:
    """What the file holds; its series are listed in the file `list`."""
    series: list[SeriesHeader] = []
    found = formats.preview(
        stream,
        asked["name"],
        format=asked["format"],
        options=options_of(asked),
        on_series=lambda one: series.append(SeriesHeader.of(one)),
    )
    staged_series.write(Path(asked["list"]), series)
    say({"found": import_summary.summary(found, series)})


def _take(asked: Question, stream: BinaryIO, say: Say) -> None:
    """Each series, drawn, its values in the file `spool`; then problems and notes."""
    with Path(asked["spool"]).open("wb") as spool:
        intake = StagedFile(asked["name"], spool)
        collect = intake.note_problem if asked["collect"] else None
        for part in read_together(_read(asked, stream, collect)):
            intake.take(part)
            say({"series": [staged_series.incoming_as_row(one) for one in intake.series]})
            intake.series.clear()
    problems = [each.args for each in intake.problems]
    say({"problems": problems, "count": intake.problem_count, "notes": dict(intake.notes)})


def _problems(asked: Question, stream: BinaryIO, say: Say) -> None:
    """Every problem of the file."""
    for _ in _read(asked, stream, lambda problem: say({"problem": problem.args})):
        pass


def _measurements(asked: Question, stream: BinaryIO, say: Say) -> None:
    """Every series with its values."""
    for one in _read(asked, stream, None):
        names = ("benchmark", "label", "unit", "mode")
        said: dict[str, Any] = {name: getattr(one, name) for name in names}
        values = base64.b64encode(one.values.astype("<f8", copy=False).tobytes()).decode()
        say({"measurement": {**said, "settings": dict(one.settings), "values": values}})


TASKS: Final[Mapping[str, Callable[[Question, BinaryIO, Say], None]]] = {
    "look": _look,
    "take": _take,
    "problems": _problems,
    "measurements": _measurements,
}


def _read(
    asked: Question, stream: BinaryIO, collect: Callable[[FormatError], None] | None
) -> Iterator[Measurement]:
    return formats.read(
        stream,
        asked["name"],
        format=asked["format"],
        options=options_of(asked),
        on_problem=collect,
    )


def options_of(asked: Question) -> ReadOptions:
    said = dict(asked["options"])
    limits, columns = ReadLimits(**said.pop("limits")), tuple(said.pop("series_columns"))
    return ReadOptions(**said, limits=limits, series_columns=columns)


def as_question(options: ReadOptions) -> dict[str, Any]:
    """What `options_of` reads."""
    return dataclasses.asdict(options)


if __name__ == "__main__":
    raise SystemExit(main())
