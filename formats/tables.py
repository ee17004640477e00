"""CSV for people and spreadsheets: UTF-8, `\\n`, RFC 4180, and no cell that runs as a formula."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar, get_origin, get_type_hints

import numpy as np

Cell: TypeAlias = str | int | float | bool | None
Row = TypeVar("Row")
Whole = TypeVar("Whole")

GUARD = "'"
_CHUNK = 65_536  # characters, about what one piece of a streamed answer should hold
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_QUOTED = re.compile(r'[",\r\n]')
_STARTS = ("=", "+", "-", "@", "\t", "\r")


NAMING: Final = {
    "dataset": "data set, by its name in addresses and commands",
    "dataset_name": "data set, by its name on pages",
    "recording": "name of the recording of the series",
    "build": "build or commit of the recording",
    "measured_at": "when it was measured, ISO 8601",
    "system": "system of the benchmark",
    "benchmark": "name of the benchmark",
    "params": "its parameters as name=value, joined by &",
    "fork": "number of the fork, from 0",
    "n": "iterations in the series",
    "unit": "unit of the values",
    "series_digest": "SHA-256 of the values (float64, little-endian)",
}
"""Meaning of the columns that name a series, the same in every file."""
ANSWER_MEANINGS: Final = {
    "steady_start": "first steady iteration, 0-based; -1 never; empty: no answer",
    "published_index": "index that the publication would print",
    "decided_at": "iteration at which an online method decided; empty: does not apply",
    "flags": "words that the method's page explains, separated by a space",
    "reason": "what the method saw in the series; empty: it says nothing",
    "milliseconds": "time of the computation",
    "error": "why there is no answer",
}
"""Meaning of the columns of a method's answer, the same in every file that has its fields."""
METHOD_MEANINGS: Final = {
    "method": "slug of the method",
    "version": "version of the method",
    "params": "its parameters, defaults written out",
}
"""Meaning of the columns that name a method where a row is about nothing else."""


@dataclass(frozen=True)  # no slots: Python 3.11 cannot make one by a generic alias
class TableColumn(Generic[Row]):
    """One column of a file: its name, what stands in it for a row, and what that means.

    An empty `meaning` is that of NAMING or ANSWER_MEANINGS.
    """

    name: str
    cell: Callable[[Row], Cell]
    meaning: str = ""

    @property
    def explained(self) -> str:
        return self.meaning or {**NAMING, **ANSWER_MEANINGS}[self.name]

    def column_of_part(self, pick: Callable[[Whole], Row | None]) -> TableColumn[Whole]:
        """Column for the part of a larger row; an empty cell where the row lacks the part."""

        def cell(larger_row: Whole) -> Cell:
            row = pick(larger_row)
            return None if row is None else self.cell(row)

        return TableColumn(self.name, cell, self.explained)


def columns_of(row: type[Row]) -> tuple[TableColumn[Row], ...]:
    """A column a field of a dataclass; ``Annotated[int, "…"]`` says what it means."""
    hints = get_type_hints(row, include_extras=True)
    columns: list[TableColumn[Row]] = []
    for field in fields(row):  # type: ignore[arg-type]  # a dataclass
        hint: Any = hints[field.name]
        meaning = hint.__metadata__[0] if get_origin(hint) is Annotated else ""
        columns.append(TableColumn(field.name, attrgetter(field.name), meaning))
    return tuple(columns)


def column_names(columns: Iterable[TableColumn[Row]]) -> tuple[str, ...]:
    return tuple(column.name for column in columns)


def meanings(columns: Iterable[TableColumn[Row]]) -> dict[str, str]:
    """Meaning of each column by its name."""
    return {column.name: column.explained for column in columns}


def cells(columns: Iterable[TableColumn[Row]], row: Row) -> tuple[Cell, ...]:
    return tuple(column.cell(row) for column in columns)


def attribute_row(columns: Iterable[str], *parts: object, **other_cells: Cell) -> tuple[Cell, ...]:
    """A row whose columns are called as attributes are: of the first of `parts` that has it.

    `other_cells` has the cells of the other columns. Raises AttributeError for a column of neither.
    """
    return tuple(
        other_cells[name] if name in other_cells else getattr(_part_with(name, parts), name)
        for name in columns
    )


def _part_with(name: str, parts: Iterable[object]) -> object:
    return next((row_part for row_part in parts if hasattr(row_part, name)), None)


def write_rows(columns: Sequence[TableColumn[Row]], rows: Iterable[Row]) -> Iterator[str]:
    """The file that `columns` declare, as pieces of text; see `table_text`."""
    return table_text(column_names(columns), (cells(columns, row) for row in rows))


def table_text(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The table as pieces of text, made while `rows` is read.

    None is an empty cell, a bool is ``1`` or ``0``, a float has the digits that give the same
    float back. Raises ValueError for a row of another length than `columns`.
    """
    return join_pieces(_lines(columns, rows))


def join_pieces(lines: Iterable[str]) -> Iterator[str]:
    """`lines` joined to pieces that are worth sending one by one."""
    pieces: list[str] = []
    size = 0
    for line in lines:
        pieces.append(line)
        size += len(line)
        if size > _CHUNK:
            yield "".join(pieces)
            pieces, size = [], 0
    if pieces:
        yield "".join(pieces)


def _lines(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    yield _line(columns)
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"a row has {len(row)} cells, the table {len(columns)} columns")
        yield _line(row)


def as_text(cell: Cell) -> str:
    """A cell as it stands in the file, before quoting."""
    if cell is None:
        return ""
    if isinstance(cell, (bool, np.bool_)):
        return str(int(cell))
    if isinstance(cell, float):
        return repr(float(cell))
    return guard_cell(str(cell))


def guard_cell(text: str) -> str:
    """`text` with ``'`` before it where a spreadsheet would run it; plain numbers are left.

    Text that begins with ``'`` before such a sign gets one more, so that `unguard_cell` always
    gives back what was written.
    """
    if _NUMBER.fullmatch(text) or not text.lstrip(GUARD).startswith(_STARTS):
        return text
    return GUARD + text


def unguard_cell(text: str) -> str:
    """The text that `guard_cell` was given."""
    if text.startswith(GUARD) and text.lstrip(GUARD).startswith(_STARTS):
        return text[1:]
    return text


def csv_line(cells: Sequence[Cell]) -> str:
    """One row without its line end."""
    return ",".join([_csv_cell(cell) for cell in cells])


def _line(row: Sequence[Cell]) -> str:
    """A whole line; a single empty cell is quoted, since an empty line is no row."""
    return (csv_line(row) or ('""' if len(row) == 1 else "")) + "\n"


def _csv_cell(cell: Cell) -> str:
    """RFC 4180: Python's own writer would leave a carriage return bare when lines end in \\n."""
    text = as_text(cell)
    if isinstance(cell, (int, float)) or _QUOTED.search(text) is None:
        return text
    return '"' + text.replace('"', '""') + '"'
