"""Marks CSV: one row an answer, read and written with the columns of `COLUMNS`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, BinaryIO, Literal, TypeAlias, cast

from formats import names
from formats.errors import FormatError
from formats.limits import ReadLimits
from formats.options import ReadOptions
from formats.params import canonical_text
from formats.separated import records
from formats.source import InputSource, open_source
from formats.tables import columns_of, unguard_cell, write_rows

Answer: TypeAlias = Literal["steady", "never", "unclear", "changes"]

NEVER = -1
ANSWERS = ("steady", "never", "unclear", "changes")
NO_CHANGE = "none"
# Characters of a cell, as many as its column in the database has.
MOST = {**names.MOST, "annotator": 40, "series_digest": 64}
REQUIRED = ("benchmark", "fork", "annotator", "answer", "steady_start")
_TRUE = {"1", "true", "yes"}
_FALSE = {"", "0", "false", "no"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkRow:
    """One answer of one person for one series; the fields are the columns of the file.

    `steady_start` is the first steady iteration, 0-based, -1 for never, None for unclear and for
    the answers of a screening. `when` is ISO 8601 text as in the file; `difficulty` is 1 (easy)
    to 5 (hard). What the file does not say is empty or None.
    """

    dataset: str = ""
    dataset_name: str = ""
    recording: str = ""
    system: str = ""
    benchmark: str
    params: str = ""
    fork: int
    annotator: Annotated[str, "pseudonym"]
    answer: Annotated[Answer, "steady, never, unclear or changes"]
    steady_start: Annotated[
        int | None, "first steady iteration, 0-based; -1 never; empty if unclear"
    ]
    unsure: Annotated[bool, "1 if the annotator asked for discussion"] = False
    revision: Annotated[int | None, "1 is the first answer; the largest one counts"] = None
    seconds: Annotated[float | None, "seconds that the series was shown"] = None
    note: Annotated[str, "note of the annotator"] = ""
    when: Annotated[str, "when it was saved, ISO 8601"] = ""
    series_digest: str = ""
    difficulty: Annotated[int | None, "1 easy to 5 hard, where the campaign asks; else empty"] = (
        None
    )
    changes: Annotated[
        str, "all changes of level: first iterations of new levels, or none; else empty"
    ] = ""

    @property
    def change_positions(self) -> list[int] | None:
        """Positions of an answer that is changes of level, rising; None of another answer."""
        if self.answer != "changes":
            return None
        return sorted({int(word) for word in self.changes.split() if word != NO_CHANGE})


def changes_text(positions: Iterable[int]) -> str:
    """The cell `changes` of an answer that is changes of level."""
    return " ".join(map(str, sorted(positions))) or NO_CHANGE


COLUMNS = columns_of(MarkRow)


def marks_text(marks: Iterable[MarkRow]) -> Iterator[str]:
    """The marks CSV, as pieces of text."""
    return write_rows(COLUMNS, marks)


def read_marks(
    stream: BinaryIO, name: str, *, limits: ReadLimits | None = None
) -> Iterator[MarkRow]:
    """The marks in a file, row by row; raises `FormatError` at the first that is wrong.

    The columns of `REQUIRED` must be there, in any order; other columns than `COLUMNS` are not
    read. Separators are comma, semicolon or tab, whichever the header has.
    """
    source = open_source(stream, name, ReadOptions(limits=limits or ReadLimits()), None)
    head = source.head_text()
    rows = records(source, _separator(head.splitlines()[0] if head.strip() else ""))
    columns = _columns(source, next(rows, (1, []))[1])
    for row, cells in rows:
        if any(cells):
            yield _MarkCells(source, row, columns, cells).mark()


@dataclass(frozen=True, slots=True)
class _MarkCells:
    source: InputSource
    row: int
    columns: Mapping[str, int]
    cells: list[str]

    def mark(self) -> MarkRow:
        text = self._text("answer").strip().lower()
        if text not in ANSWERS:
            raise self._problem("answer", "steady, never, unclear or changes")
        answer = cast("Answer", text)
        return MarkRow(
            dataset=self._text("dataset"),
            dataset_name=self._text("dataset_name"),
            recording=self._text("recording"),
            system=self._text("system"),
            benchmark=self._required_text("benchmark", "a benchmark's name"),
            params=canonical_text(self._text("params")),
            fork=self._whole_number("fork"),
            annotator=self._required_text("annotator", "an annotator's name"),
            answer=answer,
            steady_start=self._start(answer),
            unsure=self._is_unsure(),
            revision=self._whole_number("revision") if self._text("revision") else None,
            seconds=self._seconds(),
            note=self._text("note"),
            when=self._text("when"),
            series_digest=self._text("series_digest"),
            difficulty=self._difficulty(),
            changes=self._changes(answer),
        )

    def _text(self, column: str) -> str:
        column_index = self.columns.get(column, -1)
        text = unguard_cell(self.cells[column_index]) if 0 <= column_index < len(self.cells) else ""
        where = f"row {self.row}, column {column!r}"
        self.source.check_text(where, text, MOST.get(column, names.MOST_TEXT))
        return text

    def _required_text(self, column: str, expected: str) -> str:
        if text := self._text(column).strip():
            return text
        raise self._problem(column, expected)

    def _start(self, answer: Answer) -> int | None:
        """The iteration of a steady mark; other answers have none, and may not have one."""
        if answer == "steady":
            return self._whole_number("steady_start")
        allowed_texts = {"", str(NEVER)} if answer == "never" else {""}
        if self._text("steady_start").strip() not in allowed_texts:
            expected = f"{NEVER} or an empty cell" if answer == "never" else "an empty cell"
            raise self._problem("steady_start", f"{expected}, since the answer is {answer}")
        return NEVER if answer == "never" else None

    def _whole_number(self, column: str) -> int:
        text = self._text(column).strip()
        if text.isdecimal() and len(text) < 10:
            return int(text)
        raise self._problem(column, "a whole number from 0")

    def _changes(self, answer: Answer) -> str:
        """Positions with spaces between them, or none; other answers have an empty cell."""
        words = self._text("changes").lower().split()
        if answer != "changes":
            if words:
                raise self._problem("changes", f"an empty cell, since the answer is {answer}")
            return ""
        if words == [NO_CHANGE]:
            return NO_CHANGE
        if not words or not all(word.isdecimal() and len(word) < 10 for word in words):
            raise self._problem("changes", f"iterations with spaces between them, or {NO_CHANGE}")
        return changes_text({int(word) for word in words})

    def _difficulty(self) -> int | None:
        text = self._text("difficulty").strip()
        if text not in {"", *"12345"}:
            raise self._problem("difficulty", "a whole number from 1 to 5, or an empty cell")
        return int(text) if text else None

    def _is_unsure(self) -> bool:
        text = self._text("unsure").strip().lower()
        if text not in _TRUE | _FALSE:
            raise self._problem("unsure", "1, 0 or an empty cell")
        return text in _TRUE

    def _seconds(self) -> float | None:
        text = self._text("seconds").strip()
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or value < 0:
            raise self._problem("seconds", "a number of seconds from 0")
        return value

    def _problem(self, column: str, expected: str) -> FormatError:
        return self.source.cell_problem(self.row, column, self._text(column), expected)


def _separator(header: str) -> str:
    return max(",;\t", key=header.count)


def _columns(source: InputSource, names: list[str]) -> dict[str, int]:
    index_by_column = {
        name.strip().lower(): column_index for column_index, name in enumerate(names)
    }
    missing_columns = [name for name in REQUIRED if name not in index_by_column]
    if missing_columns:
        raise source.problem(
            "row 1",
            found=f"columns {', '.join(map(repr, names))}" if names else "an empty file",
            expected=f"also {', '.join(map(repr, missing_columns))}",
        )
    return index_by_column
