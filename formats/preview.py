"""The preview of a file, before anything is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import BinaryIO

import numpy as np

from formats.encodings import title_of, windows_1252_at, word_at
from formats.errors import FormatError
from formats.iterations import NOT_KNOWN, length_of
from formats.measurement import Measurement, RecordingHint
from formats.names import normal
from formats.options import Format, ReadOptions
from formats.reader import ColumnChoice, Doubt, Remedy
from formats.reading import accepted_from, open_measurements
from formats.registry import reader_of, titles
from formats.sniff import sniff
from formats.source import InputSource

ROWS_SHOWN = 5
SERIES_DRAWN = 8
PROBLEMS_LISTED = 100
ONE_VALUE = "one value: enough for a trend over recordings, not for a steady state"
_CELL_SHOWN = 120  # characters
_OFFERED_UNITS = {"s": "s", "ms": "ms", "µs": "us", "ns": "ns"}


@dataclass(slots=True, kw_only=True)
class Preview:
    """A summary of one file. `problems` holds the first hundred; `problem_count` all of them.

    `fatal` is the problem that ended the reading, if one did; it is the last of `problems`.
    Counts are of what could be read. `median` is that of the first series, in its unit.
    """

    file: str
    format: Format = "auto"
    why: str = ""
    encoding: str = ""  # as pages call it; empty for UTF-8 and what is no text
    rows: list[list[str]] = field(default_factory=list)
    choice: ColumnChoice | None = None
    benchmarks: int = 0
    series: int = 0
    points: int = 0
    stored_bytes: int = 0  # of all values and samples
    least_iterations: int = 0
    most_iterations: int = 0
    units: list[str] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)
    better: str = ""  # which way was chosen to be better
    measures: dict[tuple[str, str], None] = field(default_factory=dict)  # unit and mode, in order
    iterations: list[str] = field(default_factory=list)  # how long they last, as pages say it
    recording: RecordingHint = field(default_factory=RecordingHint)  # what all series say
    recordings: set[str] = field(default_factory=set)  # labels; empty for what has none
    median: float | None = None
    medians: tuple[float, float] | None = None  # least and greatest of all series
    drawn: list[Measurement] = field(default_factory=list)
    notes: dict[str, int] = field(default_factory=dict)  # as warnings
    warnings: dict[str, int] = field(default_factory=dict)  # sentence → series it is about
    doubts: list[Doubt] = field(default_factory=list)
    problems: list[FormatError] = field(default_factory=list)
    problem_count: int = 0
    fatal: FormatError | None = None

    def add_problem(self, problem: FormatError) -> None:
        self.problem_count += 1
        if len(self.problems) < PROBLEMS_LISTED:
            self.problems.append(problem)


def preview(
    stream: BinaryIO,
    name: str,
    *,
    format: Format = "auto",
    options: ReadOptions | None = None,
    on_series: Callable[[Measurement], None] | None = None,
) -> Preview:
    """Read the whole file as an import would, and keep what a person needs to see.

    Never raises `FormatError`: every problem is in the summary. Each series that can be read is
    handed to `on_series`, since the summary keeps but the first few of them.
    """
    found = Preview(file=name, format=format, better=options.better if options else "")
    try:
        source = open_measurements(stream, name, options, found.add_problem)
        _look(found, source)
        series = _shown_to(on_series, accepted_from(source, found.format))
        _count(found, series)
    except FormatError as fatal:
        found.fatal = fatal
        found.problems = [*found.problems[: PROBLEMS_LISTED - 1], fatal]
        found.problem_count += 1
    return found


def _shown_to(
    on_series: Callable[[Measurement], None] | None, measurements: Iterator[Measurement]
) -> Iterator[Measurement]:
    for one in measurements:
        if on_series:
            on_series(one)
        yield one


def _look(found: Preview, source: InputSource) -> None:
    """What the first bytes say: format, reason, first rows, columns."""
    if found.format == "auto":
        found.format, found.why = sniff(source.head(), source.name, source.options)
    else:
        found.why = "chosen by hand"
    reader = reader_of(found.format)
    found.encoding = title_of(source.encoding)
    found.doubts = [*_encoding_doubt(source), *reader.doubts(source)]
    first = reader.first_rows(source, ROWS_SHOWN)
    found.choice = first.choice
    found.rows = [[normal(cell[:_CELL_SHOWN]) for cell in row] for row in first.rows]


def _count(found: Preview, measurements: Iterator[Measurement]) -> None:
    benchmarks: set[tuple[str, str, str]] = set()
    notes: Counter[str] = Counter()
    warnings: Counter[str] = Counter()
    try:
        for one in measurements:
            benchmarks.add((one.system, one.benchmark, one.params))
            _add(found, one)
            notes.update(one.notes)
            warnings.update(_warnings(one))
    finally:  # what was read before a problem that ended it is told, too
        found.benchmarks = len(benchmarks)
        found.notes, found.warnings = _once(notes), dict(warnings)
        found.doubts += _doubts(found)
    if not found.series and not found.problem_count:
        raise FormatError(found.file, "end of file", found="no series", expected=titles())


def _add(found: Preview, one: Measurement) -> None:
    size = one.values.size
    median = 2 * float(np.median(one.values / 2))  # the sum of two may pass float64
    low, high = found.medians or (median, median)
    found.medians = (min(low, median), max(high, median))
    if not found.series:
        found.recording, found.median = one.recording, median
    elif found.recording != one.recording:
        found.recording = _common(found.recording, one.recording)
    found.recordings.add(one.recording.label)
    found.least_iterations = min(found.least_iterations or size, size)
    found.most_iterations = max(found.most_iterations, size)
    found.series += 1
    found.points += size
    found.stored_bytes += one.stored_bytes
    length = str(length_of(one.unit, one.mode, one.settings) or NOT_KNOWN)
    seen = (one.unit, found.units), (one.mode, found.modes), (length, found.iterations)
    found.measures.setdefault((one.unit, one.mode), None)
    for text, texts in seen:
        if text not in texts and len(texts) < PROBLEMS_LISTED:
            texts.append(text)
    if len(found.drawn) < SERIES_DRAWN:
        found.drawn.append(one)


def _common(one: RecordingHint, other: RecordingHint) -> RecordingHint:
    """What both say."""
    names = [each.name for each in fields(RecordingHint)]
    said = {name: getattr(one, name) for name in names}
    return RecordingHint(
        **{name: text for name, text in said.items() if getattr(other, name) == text}
    )


def _warnings(one: Measurement) -> list[str]:
    """What is allowed, but rarely meant."""
    found = []
    if one.values.size == 1:
        found.append(ONE_VALUE)
    elif one.values[0] == one.values.min() == one.values.max():
        found.append("all values are the same")
    if one.unit in {"s", "s/op"} and not one.values.all():
        found.append("a time is exactly zero")
    return found


def _once(notes: Counter[str]) -> dict[str, int]:
    """Notes that differ after a colon only, as in a command for each benchmark, become one."""
    alike: dict[str, list[str]] = {}
    for text in notes:
        alike.setdefault(text.partition(": ")[0], []).append(text)
    shown = islice(alike.values(), PROBLEMS_LISTED)
    return {_first_of(texts): sum(notes[text] for text in texts) for texts in shown}


def _first_of(texts: list[str]) -> str:
    further = len(texts) - 1
    also = "another benchmark" if further == 1 else f"{further:,} other benchmarks"
    return f"{texts[0]} (and alike for {also})" if further else texts[0]


def _encoding_doubt(source: InputSource) -> list[Doubt]:
    """Of bytes that are no UTF-8, and read as Windows-1252."""
    head = source.head()
    place = windows_1252_at(head) if source.options.encoding == "auto" else None
    if place is None:
        return []
    now = (
        f"Byte {place + 1:,} (0x{head[place]:02X}) is no UTF-8; it is read as in "
        f"“{word_at(head, place)}”."
    )
    yes = Remedy(label="Yes", options={"encoding": "windows-1252"}, keeps=True)
    no = Remedy(label="No, as UTF-8", options={"encoding": "utf-8"})
    return [Doubt(name="encoding", question="Windows-1252?", now=now, remedies=(no, yes))]


def _doubts(found: Preview) -> list[Doubt]:
    """Of a file that names no unit: which one it is, unless the better way alone was chosen."""
    wanted = "" in found.units and "unit" in reader_of(found.format).options
    return [_unit_doubt(found)] if wanted and not found.better else []


def _unit_doubt(found: Preview) -> Doubt:
    remedies = tuple(
        Remedy(label=label, options={"unit": unit}) for label, unit in _OFFERED_UNITS.items()
    )
    score = Remedy(label="None, more is better", options={"better": "more"})
    count = Remedy(label="None, less is better", options={"better": "less"})
    now = f"The file names none; the median of its first series is {found.median:.4g}."
    return Doubt(
        name="unit", question="In which unit?", now=now, remedies=(*remedies, score, count)
    )
