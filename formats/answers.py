"""Answers CSV: what a detector from elsewhere says of each series, one row a series.

The columns that name a series are those of every other table that Plateau writes, so that one of
them can be filled in and brought back. Which column holds the answer, and how it counts, is
stated by a `Convention`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Final, Literal, TypeAlias

from formats.errors import FormatError
from formats.limits import ReadLimits
from formats.options import ReadOptions
from formats.params import canonical_text
from formats.separated import records
from formats.source import InputSource, open_source
from formats.tables import ANSWER_MEANINGS, NAMING, unguard_cell

Convention: TypeAlias = Literal["steady-start", "first", "first-from-1", "last-warm-up"]

NEVER: Final = -1
MOST_BYTES: Final = 20_000_000  # 100,000 rows with long names
CONVENTIONS: Final[Mapping[Convention, str]] = {
    "steady-start": "steady_start: the first steady iteration, counted from 0",
    "first": "published_index: the first steady iteration, counted from 0",
    "first-from-1": "published_index: the first steady iteration, counted from 1",
    "last-warm-up": "published_index: the last warm-up iteration, counted from 0",
}
COLUMNS: Final[Mapping[str, str]] = {
    "dataset": "slug or name of the data set; needed where the study has several",
    "recording": "label of the recording; needed where a benchmark has several",
    "system": NAMING["system"],
    "benchmark": f"{NAMING['benchmark']}; required, unless series_digest is there",
    "params": NAMING["params"],
    "fork": f"{NAMING['fork']}; required, unless series_digest is there",
    "steady_start": ANSWER_MEANINGS["steady_start"],
    "published_index": ANSWER_MEANINGS["published_index"],
    "decided_at": ANSWER_MEANINGS["decided_at"],
    "seconds": ANSWER_MEANINGS["milliseconds"],
    "answer": "steady or never; read only where the index cannot tell",
    "method_params": "parameters of the method as name=value, joined by &; the same in every row",
    "series_digest": f"{NAMING['series_digest']}, as every export has it",
}
MISSING: Final = frozenset({"", "na", "nan", "null", "none"})  # how other languages write no number
_WHOLE = re.compile(r"([+-]?\d{1,9})(?:[.,]0)?")  # a column with gaps becomes 322.0 in many tools
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PAIR = r"[A-Za-z_][A-Za-z0-9_.-]*=[^&\s\x00-\x1f]*"
_PARAMS = re.compile(f"{_PAIR}(&{_PAIR})*")
MOST_SECONDS: Final = 1e9
HEADER_SHOWN: Final = 12  # columns


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """One answer for one series. `row` counts from 1 as in a spreadsheet, the header is row 1.

    `steady_start` is 0-based, NEVER for never, None for no answer; whatever the file does not say
    is empty or None. `contradicted`: the column `answer` says otherwise than the index.
    """

    row: int
    dataset: str = ""
    recording: str = ""
    system: str = ""
    benchmark: str = ""
    params: str = ""
    fork: int | None = None
    series_digest: str = ""
    steady_start: int | None = None
    published_index: int | None = None
    decided_at: int | None = None
    seconds: float | None = None
    method_params: str = ""
    contradicted: bool = False

    @property
    def name(self) -> str:
        """The series as the row names it."""
        fork = "" if self.fork is None else f"fork {self.fork}"
        parts = (self.dataset, self.recording, self.system, self.benchmark, self.params, fork)
        return " · ".join(text for text in parts if text) or self.series_digest


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """A file of answers: the columns that are read, the others, and its rows."""

    read: tuple[str, ...]
    unread: tuple[str, ...]
    rows: Iterator[AnswerRow]


def read_answers(
    stream: BinaryIO,
    name: str,
    *,
    convention: Convention = "steady-start",
    on_problem: Callable[[FormatError], None] | None = None,
    limits: ReadLimits | None = None,
) -> AnswerTable:
    """The answers of a file, row by row; problems of a row go to `on_problem`, or are raised.

    Separators are comma, semicolon or tab, whichever the header has most; a byte order mark, the
    spreadsheet guard `'` and numbers such as ``322.0`` are understood, and a decimal comma where
    the separator is not one. Raises FormatError for a header without the columns that it takes.
    """
    options = ReadOptions(limits=limits or ReadLimits(file_bytes=MOST_BYTES))
    source = open_source(stream, name, options, on_problem)
    head = source.head_text()
    separator = max(",;\t", key=(head.splitlines() or [""])[0].count)
    numbered_rows = records(source, separator)
    names = [cell.strip().lower() for cell in next(numbered_rows, (1, []))[1]]
    _check_header(source, names, convention)
    index_by_column = {
        column: column_index for column_index, column in enumerate(names) if column in COLUMNS
    }
    unread_columns = tuple(column for column in names if column and column not in COLUMNS)
    rows = _rows(
        source, numbered_rows, _Columns(index_by_column, len(names), separator), convention
    )
    return AnswerTable(tuple(index_by_column), unread_columns, rows)


@dataclass(frozen=True, slots=True)
class _Columns:
    places: Mapping[str, int]
    count: int
    separator: str


def _check_header(source: InputSource, names: list[str], convention: Convention) -> None:
    answer = "steady_start" if convention == "steady-start" else "published_index"
    naming_columns = [] if "series_digest" in names else ["benchmark", "fork"]
    missing_columns = [column for column in (*naming_columns, answer) if column not in names]
    if missing_columns:
        has_published_index = "published_index" in names and missing_columns == ["steady_start"]
        raise source.problem(
            "row 1",
            found=_header_words(names) if any(names) else "an empty file",
            expected=f"also {', '.join(map(repr, missing_columns))}",
            hint="say how published_index counts" if has_published_index else "",
        )
    repeated_columns = sorted({name for name in names if name in COLUMNS and names.count(name) > 1})
    if repeated_columns:
        raise source.problem(
            "row 1", found=f"{repeated_columns[0]!r} twice", expected="each column once"
        )


def _header_words(names: list[str]) -> str:
    """The columns of a header; not a whole picture, if somebody chose one by mistake."""
    first = ", ".join(repr(name[:40]) for name in names[:HEADER_SHOWN])
    return f"columns {first}" + (" …" if len(names) > HEADER_SHOWN else "")


def _rows(
    source: InputSource,
    rows: Iterator[tuple[int, list[str]]],
    columns: _Columns,
    convention: Convention,
) -> Iterator[AnswerRow]:
    for number, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        answer_cells = _AnswerCells(source, number, columns, cells)
        answer_row = source.attempt(lambda row_cells=answer_cells: row_cells.answer(convention))  # type: ignore[misc]
        if answer_row is not None:
            yield answer_row


@dataclass(frozen=True, slots=True)
class _AnswerCells:
    source: InputSource
    row: int
    columns: _Columns
    cells: list[str]

    def answer(self, convention: Convention) -> AnswerRow:
        self._check_width()
        answer_word = self._answer_word()
        index = self._optional_integer("published_index", low=NEVER)
        start = self._start(convention, index, answer_word)
        if index is None and start == NEVER and convention != "steady-start":
            index = NEVER
        digest = self._digest()
        return AnswerRow(
            row=self.row,
            dataset=self._text("dataset"),
            recording=self._text("recording"),
            system=self._text("system"),
            benchmark=self._benchmark(digest),
            params=canonical_text(self._text("params")),
            fork=self._fork(digest),
            series_digest=digest,
            steady_start=start,
            published_index=None if start is None else index,
            decided_at=self._optional_integer("decided_at", low=NEVER),
            seconds=self._seconds(),
            method_params=self._params(),
            contradicted=start is not None
            and answer_word in {"steady", "never"}
            and (answer_word == "never") != (start == NEVER),
        )

    def _check_width(self) -> None:
        if any(cell.strip() for cell in self.cells[self.columns.count :]):
            raise self.source.problem(
                f"row {self.row}",
                found=f"{len(self.cells)} cells",
                expected=f"{self.columns.count}, as the header has",
                hint='put cells that hold the separator in quotes: "a,b"',
            )

    def _start(self, convention: Convention, index: int | None, answer_word: str) -> int | None:
        """The first steady iteration, from 0; what the convention cannot say, `answer` does."""
        if convention == "steady-start":
            index = self._optional_integer("steady_start", low=NEVER)
        if index is None:
            return NEVER if answer_word == "never" else None
        if convention == "last-warm-up":
            return self._first_steady_index(index, answer_word)
        if convention == "first-from-1" and index == 0:
            raise self._problem("published_index", "an iteration counted from 1, or -1 for never")
        return index - 1 if convention == "first-from-1" and index > 0 else index

    def _first_steady_index(self, index: int, answer_word: str) -> int:
        if answer_word == "never":
            return NEVER
        if index == NEVER and answer_word != "steady":
            raise self.source.problem(
                f"row {self.row}, column 'published_index'",
                found="-1, which is “never” as well as “no warm-up” where the last warm-up "
                "iteration is printed",
                expected="steady or never in the column 'answer'",
            )
        return index + 1

    def _text(self, column: str) -> str:
        column_index = self.columns.places.get(column, -1)
        text = (
            unguard_cell(self.cells[column_index]).strip()
            if 0 <= column_index < len(self.cells)
            else ""
        )
        self.source.check_text(f"row {self.row}, column {column!r}", text)
        return text

    def _answer_word(self) -> str:
        return self._text("answer").lower()

    def _benchmark(self, digest: str) -> str:
        text = self._text("benchmark")
        if not text and not digest:
            raise self._problem("benchmark", "a benchmark's name")
        return text

    def _fork(self, digest: str) -> int | None:
        fork = self._optional_integer("fork", low=0)
        if fork is None and not digest:
            raise self._problem("fork", "a whole number from 0")
        return fork

    def _digest(self) -> str:
        text = self._text("series_digest").lower()
        if text and not _DIGEST.fullmatch(text):
            raise self._problem("series_digest", "64 hexadecimal digits or an empty cell")
        return text

    def _optional_integer(self, column: str, *, low: int) -> int | None:
        text = self._text(column)
        if text.lower() in MISSING:
            return None
        match = _WHOLE.fullmatch(text)
        if match is None or int(match[1]) < low:
            words = "-1 for never, " if low == NEVER and column != "decided_at" else ""
            raise self._problem(column, f"a whole number from 0, {words}or an empty cell")
        return int(match[1])

    def _seconds(self) -> float | None:
        text = self._text("seconds")
        if text.lower() in MISSING:
            return None
        comma = "," in text and self.columns.separator == ","
        if comma or not _NUMBER.fullmatch(text) or _float(text) > MOST_SECONDS:
            raise self._problem("seconds", "a number of seconds from 0 with a decimal point")
        return _float(text)

    def _params(self) -> str:
        text = self._text("method_params")
        if text and not _PARAMS.fullmatch(text):
            raise self._problem("method_params", "name=value, joined by &, without spaces")
        return text

    def _problem(self, column: str, expected: str) -> FormatError:
        return self.source.cell_problem(self.row, column, self._text(column), expected)


def _float(text: str) -> float:
    return float(text.replace(",", "."))
