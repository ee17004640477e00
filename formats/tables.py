"""CSV for people and spreadsheets: UTF-8, `\\n`, RFC 4180, and no cell that runs as a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

Cell: TypeAlias = str | int | float | bool | None

GUARD = "'"
_CHUNK = 65_536  # characters, about what one piece of a streamed answer should hold
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_STARTS = ("=", "+", "-", "@", "\t", "\r")


def write(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The table as pieces of text, made while `rows` is read.

    None is an empty cell, a bool is ``1`` or ``0``, a float has the digits that give the same
    float back. Raises ValueError for a row of another length than `columns`.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"a row has {len(row)} cells, the table {len(columns)} columns")
        writer.writerow([as_text(cell) for cell in row])
        if buffer.tell() > _CHUNK:
            yield _taken(buffer)
    yield _taken(buffer)


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


def _taken(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text
