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
from formats.reading import accepted_measurements, open_measurements
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
    summary = Preview(file=name, format=format, better=options.better if options else "")
    try:
        source = open_measurements(stream, name, options, summary.add_problem)
        _note_start(summary, source)
        series = _show_each(on_series, accepted_measurements(source, summary.format))
        _count(summary, series)
    except FormatError as error:
        summary.fatal = error
        summary.problems = [*summary.problems[: PROBLEMS_LISTED - 1], error]
        summary.problem_count += 1
    return summary


def _show_each(
    on_series: Callable[[Measurement], None] | None, measurements: Iterator[Measurement]
) -> Iterator[Measurement]:
    for measurement in measurements:
        if on_series:
            on_series(measurement)
        yield measurement


def _note_start(summary: Preview, source: InputSource) -> None:
    """Note what the first bytes say: format, reason, first rows, columns."""
    if summary.format == "auto":
        summary.format, summary.why = sniff(source.head(), source.name, source.options)
    else:
        summary.why = "chosen by hand"
    reader = reader_of(summary.format)
    summary.encoding = title_of(source.encoding)
    summary.doubts = [*_encoding_doubt(source), *reader.doubts(source)]
    first = reader.first_rows(source, ROWS_SHOWN)
    summary.choice = first.choice
    summary.rows = [[normal(cell[:_CELL_SHOWN]) for cell in row] for row in first.rows]


def _count(summary: Preview, measurements: Iterator[Measurement]) -> None:
    benchmarks: set[tuple[str, str, str]] = set()
    notes: Counter[str] = Counter()
    warnings: Counter[str] = Counter()
    try:
        for measurement in measurements:
            benchmarks.add((measurement.system, measurement.benchmark, measurement.params))
            _add(summary, measurement)
            notes.update(measurement.notes)
            warnings.update(_warnings(measurement))
    finally:  # what was read before a problem that ended it is told, too
        summary.benchmarks = len(benchmarks)
        summary.notes, summary.warnings = _merge_notes(notes), dict(warnings)
        lacks_unit = "" in summary.units and "unit" in reader_of(summary.format).options
        summary.doubts += [_unit_doubt(summary)] if lacks_unit and not summary.better else []
    if not summary.series and not summary.problem_count:
        raise FormatError(summary.file, "end of file", found="no series", expected=titles())


def _add(summary: Preview, measurement: Measurement) -> None:
    size = measurement.values.size
    median = 2 * float(np.median(measurement.values / 2))  # the sum of two may pass float64
    low, high = summary.medians or (median, median)
    summary.medians = (min(low, median), max(high, median))
    if not summary.series:
        summary.recording, summary.median = measurement.recording, median
    elif summary.recording != measurement.recording:
        summary.recording = _common_hint(summary.recording, measurement.recording)
    summary.recordings.add(measurement.recording.label)
    summary.least_iterations = min(summary.least_iterations or size, size)
    summary.most_iterations = max(summary.most_iterations, size)
    summary.series += 1
    summary.points += size
    summary.stored_bytes += measurement.stored_bytes
    length = str(length_of(measurement.unit, measurement.mode, measurement.settings) or NOT_KNOWN)
    listings = (
        (measurement.unit, summary.units),
        (measurement.mode, summary.modes),
        (length, summary.iterations),
    )
    summary.measures.setdefault((measurement.unit, measurement.mode), None)
    for text, texts in listings:
        if text not in texts and len(texts) < PROBLEMS_LISTED:
            texts.append(text)
    if len(summary.drawn) < SERIES_DRAWN:
        summary.drawn.append(measurement)


def _common_hint(first: RecordingHint, second_hint: RecordingHint) -> RecordingHint:
    """Keep the texts of a hint that both hints share."""
    names = [field.name for field in fields(RecordingHint)]
    texts = {name: getattr(first, name) for name in names}
    return RecordingHint(
        **{name: text for name, text in texts.items() if getattr(second_hint, name) == text}
    )


def _warnings(measurement: Measurement) -> list[str]:
    """List what is allowed, but rarely meant."""
    warnings = []
    if measurement.values.size == 1:
        warnings.append(ONE_VALUE)
    elif measurement.values[0] == measurement.values.min() == measurement.values.max():
        warnings.append("all values are the same")
    if measurement.unit in {"s", "s/op"} and not measurement.values.all():
        warnings.append("a time is exactly zero")
    return warnings


def _merge_notes(notes: Counter[str]) -> dict[str, int]:
    """Notes that differ after a colon only, as in a command for each benchmark, become one."""
    texts_by_start: dict[str, list[str]] = {}
    for text in notes:
        texts_by_start.setdefault(text.partition(": ")[0], []).append(text)
    shown_groups = islice(texts_by_start.values(), PROBLEMS_LISTED)
    return {_note_of_several(texts): sum(notes[text] for text in texts) for texts in shown_groups}


def _note_of_several(texts: list[str]) -> str:
    rest = len(texts) - 1
    rest_words = "another benchmark" if rest == 1 else f"{rest:,} other benchmarks"
    return f"{texts[0]} (and alike for {rest_words})" if rest else texts[0]


def _encoding_doubt(source: InputSource) -> list[Doubt]:
    """Doubt about bytes that are no UTF-8, and read as Windows-1252."""
    head = source.head()
    byte_index = windows_1252_at(head) if source.options.encoding == "auto" else None
    if byte_index is None:
        return []
    statement = (
        f"Byte {byte_index + 1:,} (0x{head[byte_index]:02X}) is no UTF-8; it is read as in "
        f"“{word_at(head, byte_index)}”."
    )
    consent = Remedy(label="Yes", options={"encoding": "windows-1252"}, keeps=True)
    refusal = Remedy(label="No, as UTF-8", options={"encoding": "utf-8"})
    return [
        Doubt(name="encoding", question="Windows-1252?", now=statement, remedies=(refusal, consent))
    ]


def _unit_doubt(summary: Preview) -> Doubt:
    options = {label: {"unit": unit} for label, unit in _OFFERED_UNITS.items()} | {
        "None, more is better": {"better": "more"},
        "None, less is better": {"better": "less"},
    }
    remedies = tuple(Remedy(label=label, options=option) for label, option in options.items())
    statement = f"The file names none; the median of its first series is {summary.median:.4g}."
    return Doubt(name="unit", question="In which unit?", now=statement, remedies=remedies)
