"""CSV: separator, decimal sign, header and layout of a text table, and its rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from formats.errors import FormatError
from formats.numbers import has_comma, has_thousands, number
from formats.options import ReadOptions, Role
from formats.source import InputSource
from formats.tables import without_guard

ROLES: tuple[Role, ...] = (
    "recording",
    "system",
    "benchmark",
    "params",
    "fork",
    "unit",
    "iteration",
    "value",
)
_SEPARATORS = ("\t", ";", ",", "|")  # a comma may be a decimal sign, a bar stands in JMH's labels
_NAMES = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "bar"}
COUNTERS = {"iteration", "iterations", "index", "i", "#", "unnamed: 0", "column 1"}
_LOOKED_AT = 50  # rows
MOST_NAME = 2_000  # characters of a column's name: a label is benchmark, parameters and fork
_DIGITS_POINT = re.compile(r"\d\.\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDialect:
    """How a text table is written. `columns` are unique names, one a column."""

    separator: str
    decimal: str
    header: bool
    layout: Literal["wide", "long"]
    columns: tuple[str, ...]
    first_row: int  # of the file, counted from 1; the header's if there is one


def looks_separated(text: str, options: ReadOptions) -> str:
    """Why a text that begins so is a table; empty if it is one number a line."""
    separator = _chosen(options.separator) or _separator(text, options)
    rows = _some_rows(text, separator or ";")
    if not rows:
        return ""
    if separator is not None and len(rows[0]) > 1:
        return f"{len(rows[0])} columns separated by a {_NAMES[separator]}: CSV"
    if len(rows) > 1 and _is_header(rows[0]) and not _is_header(rows[1]):
        return "a header above numbers: CSV"
    return ""


def examine(source: InputSource) -> TableDialect:
    """The dialect of the file, what the options say first; nothing is consumed."""
    options = source.options
    text = source.head_text()
    separator = _chosen(options.separator) or _separator(text, options) or ";"
    rows = _some_rows(text, separator)
    if not rows:
        raise source.problem("end of file", found="no row", expected="rows of numbers")
    header = _has_header(options, rows)
    _refuse_ambiguous(source, separator, rows, header=header)
    columns = _columns(source, rows[0], header=header)
    return TableDialect(
        separator=separator,
        decimal=_chosen(options.decimal) or _decimal(separator, rows[header:]),
        header=header,
        layout=_layout(options, columns),
        columns=columns,
        first_row=_first_row(text),
    )


def rows(source: InputSource, dialect: TableDialect) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each row below the header; rows count from 1, as in a spreadsheet."""
    numbered = records(source, dialect.separator)
    for number_, cells in islice(_full(numbered), int(dialect.header), None):
        if len(cells) > len(dialect.columns):
            raise _too_many_cells(source, dialect, number_, cells)
        yield number_, cells


def first_rows(source: InputSource, dialect: TableDialect, count: int) -> list[list[str]]:
    """The first rows below the header as they stand in the file; nothing is consumed."""
    found = _some_rows(source.head_text(), dialect.separator)
    return found[int(dialect.header) :][:count]


def series_columns(source: InputSource, dialect: TableDialect) -> tuple[str, ...]:
    """The columns of a wide table that are series: those chosen, else all but a counter.

    A counter is the first of several columns, when its name says that it numbers iterations.
    """
    if chosen := source.options.series_columns:
        return tuple(dialect.columns[position(source, dialect, name)] for name in chosen)
    several = dialect.header and len(dialect.columns) > 1
    return dialect.columns[several and dialect.columns[0].lower() in COUNTERS :]


def column_of(source: InputSource, dialect: TableDialect, role: Role) -> int | None:
    """Where the column for `role` stands; None where the table has none.

    A name in the options that is no column of the table is an error.
    """
    wanted = source.options.columns
    if role not in wanted:
        return None if wanted else _named(dialect.columns, role)
    return position(source, dialect, wanted[role])


def position(source: InputSource, dialect: TableDialect, name: str) -> int:
    """Where the column called `name` stands; an error that lists the columns if nowhere."""
    if name in dialect.columns:
        return dialect.columns.index(name)
    raise source.problem(
        f"row {dialect.first_row}",
        found=f"columns {', '.join(map(repr, dialect.columns))}",
        expected=f"a column {name!r}",
    )


def _named(columns: tuple[str, ...], role: str) -> int | None:
    lowered = [column.lower() for column in columns]
    return lowered.index(role) if role in lowered else None


def _chosen(option: str) -> str | None:
    return None if option == "auto" else option


def _content(text: str) -> list[str]:
    """The first lines that are neither empty nor comments; the last may be cut off."""
    lines = text.splitlines()[: _LOOKED_AT * 4]
    return [line for line in lines if line.strip() and not _is_comment(line)][:_LOOKED_AT]


def _is_comment(line: str) -> bool:
    """A line after ``#``, which may also be the whole name of a column that counts."""
    return line.startswith("#") and line[1:2] not in _SEPARATORS


def _first_row(text: str) -> int:
    for place, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not _is_comment(line):
            return place
    return 1


def _some_rows(text: str, separator: str) -> list[list[str]]:
    try:
        found = list(csv.reader(_content(text), delimiter=separator))
    except csv.Error:
        return []
    return [[cell.strip() for cell in row] for row in found]


def _separator(text: str, options: ReadOptions) -> str | None:
    """The separator that cuts at least half of the rows into as many cells as the first.

    A comma that is the decimal sign separates nothing.
    """
    for separator in _SEPARATORS:
        if separator == options.decimal:
            continue
        found = _some_rows(text, separator)
        wide = len(found[0]) if found else 0
        if wide > 1 and 2 * sum(len(row) == wide for row in found) >= len(found):
            return separator
    return None


def _is_number(cell: str) -> bool:
    return number(cell, ".") is not None or has_comma(cell)


def _is_header(row: list[str]) -> bool:
    return any(cell and not _is_number(cell) for cell in row)


def _has_header(options: ReadOptions, found: list[list[str]]) -> bool:
    """A row of names; or of numbers like 0 1 2 when an empty corner says what they are."""
    if options.header != "auto":
        return options.header == "yes"
    return _is_header(found[0]) or not found[0][0]


def _decimal(separator: str, found: list[list[str]]) -> str:
    """A comma only where it cannot separate cells or thousands, and no cell has a point."""
    cells = [cell for row in found for cell in row]
    if separator == "," or any(_DIGITS_POINT.search(cell) for cell in cells):
        return "."
    commas = [cell for cell in cells if has_comma(cell)]
    return "," if any(not has_thousands(cell) for cell in commas) else "."


def _refuse_ambiguous(
    source: InputSource, separator: str, found: list[list[str]], *, header: bool
) -> None:
    """``9,5`` in every row is 9.5, or 9 and 5: nobody but the person can say."""
    options = source.options
    said = header or options.separator != "auto" or options.decimal != "auto"
    if said or separator != ",":
        return
    if all(map(_may_be_one_number, found)):
        raise source.problem(
            f"row {_first_row(source.head_text())}",
            found=repr(",".join(found[0])),
            expected="either a decimal comma or two columns",
            hint="choose the decimal comma, or the comma as separator",
        )


def _may_be_one_number(row: list[str]) -> bool:
    whole, *rest = row
    return whole.lstrip("+-").isdigit() and len(rest) < 2 and all(cell.isdigit() for cell in rest)


def _columns(source: InputSource, first: list[str], *, header: bool) -> tuple[str, ...]:
    """Names of the columns: the header's, or ``column 1`` …; a repeated name is an error."""
    row = f"row {_first_row(source.head_text())}"
    most = source.options.limits.series + len(ROLES)
    if len(first) > most:
        raise source.too_many(row, found=f"{len(first):,} columns", most=most, what="columns")
    if not header:
        return tuple(f"column {place}" for place in range(1, len(first) + 1))
    names: dict[str, int] = {}
    for place, cell in enumerate(first, start=1):
        name = without_guard(cell) or f"column {place}"
        source.check_text(f"{row}, column {place}", name, MOST_NAME)
        if names.setdefault(name, place) != place:
            found = f"a second column {name!r}"
            raise source.problem(f"{row}, column {place}", found=found, expected="every name once")
    return tuple(names)


def _layout(options: ReadOptions, columns: tuple[str, ...]) -> Literal["wide", "long"]:
    if options.layout != "auto":
        return options.layout
    if "value" in options.columns:
        return "long"
    keys: Mapping[str, object] = dict.fromkeys(column.lower() for column in columns)
    return (
        "long" if "value" in keys and keys.keys() & {"benchmark", "fork", "iteration"} else "wide"
    )


def records(source: InputSource, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of every record of a CSV file, counted from 1; raises where it is none."""
    reader = csv.reader(source.lines(newline=""), delimiter=separator)
    place = 0
    while True:
        place += 1
        try:
            cells = next(reader, None)
        except csv.Error as wrong:
            found = f"a cell that cannot be read ({wrong})"
            raise source.problem(f"row {place}", found=found, expected="CSV") from wrong
        if cells is None:
            return
        yield place, cells


def _full(numbered: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    """The rows that are neither empty nor comments."""
    for place, cells in numbered:
        commented = cells[:1] != ["#"] and _is_comment("".join(cells[:1]))
        if any(cell.strip() for cell in cells) and not commented:
            yield place, cells


def _too_many_cells(
    source: InputSource, dialect: TableDialect, place: int, cells: list[str]
) -> FormatError:
    comma = dialect.separator == "," and dialect.decimal == "."
    return source.problem(
        f"row {place}",
        found=f"{len(cells)} cells",
        expected=f"at most {len(dialect.columns)}, as in row {dialect.first_row}",
        hint="if the comma is a decimal sign, choose the decimal comma" if comma else "",
    )
