"""CSV for people and spreadsheets: UTF-8, `\\n`, RFC 4180, and no cell that runs as a formula."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

Cell: TypeAlias = str | int | float | bool | None

GUARD = "'"
_CHUNK = 65_536  # characters, about what one piece of a streamed answer should hold
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_QUOTED = re.compile(r'[",\r\n]')
_STARTS = ("=", "+", "-", "@", "\t", "\r")


def write(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The table as pieces of text, made while `rows` is read.

    None is an empty cell, a bool is ``1`` or ``0``, a float has the digits that give the same
    float back. Raises ValueError for a row of another length than `columns`.
    """
    return in_pieces(_lines(columns, rows))


def in_pieces(lines: Iterable[str]) -> Iterator[str]:
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
    return guarded(str(cell))


def guarded(text: str) -> str:
    """`text` with ``'`` before it where a spreadsheet would run it; plain numbers are left.

    Text that begins with ``'`` before such a sign gets one more, so that `without_guard` always
    gives back what was written.
    """
    if _NUMBER.fullmatch(text) or not text.lstrip(GUARD).startswith(_STARTS):
        return text
    return GUARD + text


def without_guard(text: str) -> str:
    """The text that `guarded` was given."""
    if text.startswith(GUARD) and text.lstrip(GUARD).startswith(_STARTS):
        return text[1:]
    return text


def line_of(cells: Sequence[Cell]) -> str:
    """One row without its line end."""
    return ",".join([_in_file(cell) for cell in cells])


def _line(row: Sequence[Cell]) -> str:
    """A whole line; a single empty cell is quoted, since an empty line is no row."""
    return (line_of(row) or ('""' if len(row) == 1 else "")) + "\n"


def _in_file(cell: Cell) -> str:
    """RFC 4180: Python's own writer would leave a carriage return bare when lines end in \\n."""
    text = as_text(cell)
    if isinstance(cell, (int, float)) or _QUOTED.search(text) is None:
        return text
    return '"' + text.replace('"', '""') + '"'
