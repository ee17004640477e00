"""CSV: separator, decimal sign, header and layout of a text table, and its rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

from formats.columns import ROLES, TableColumns, columns_of, is_number
from formats.errors import FormatError
from formats.numbers import DecimalSign, decimal_of
from formats.options import ReadOptions, Role
from formats.source import InputSource
from formats.tables import unguard_cell

_SEPARATORS = ("\t", ";", ",", "|")  # a comma may be a decimal sign, a bar stands in JMH's labels
_NAMES = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "bar"}
_LOOKED_AT = 50  # rows
MOST_NAME = 2_000  # characters of a column's name: a label is benchmark, parameters and fork
_SEPARATOR_LINE = re.compile(r"\"?sep=[,;|\t]?\"?", re.IGNORECASE)  # of Excel, above the header


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDialect:
    """Dialect of a text table. `columns` are unique names, one a column."""

    separator: str
    decimal: str
    header: bool
    layout: Literal["wide", "long"]
    columns: tuple[str, ...]
    roles: Mapping[Role, int]  # place of the column for each role of the long layout
    series: tuple[str, ...]  # columns of the wide layout that are series
    left_out: tuple[str, ...]  # columns without numbers
    either: str  # a number that the other decimal sign would make another one; mostly empty
    first_row: int  # of the file, counted from 1; the header's if there is one
    row_is_build: bool = False  # then `series` are benchmarks, each with a value a row


def table_reason(text: str, options: ReadOptions) -> str:
    """Why a text that begins so is a table; empty if it is one number a line."""
    separator = _explicit_option(options.separator) or _separator(text, options)
    rows = _some_rows(text, separator or ";")
    if not rows:
        return ""
    if separator is not None and len(rows[0]) > 1:
        return f"{len(rows[0])} columns separated by a {_NAMES[separator]}: CSV"
    if len(rows) > 1 and _is_header(rows) and is_number(rows[1][0]):
        return "a header above numbers: CSV"
    return ""


class _Beginning(NamedTuple):
    """The first rows of a table, and what they say at once."""

    text: str
    separator: str
    rows: list[list[str]]
    header: bool


def _beginning(source: InputSource) -> _Beginning:
    options, text = source.options, source.head_text()
    separator = _explicit_option(options.separator) or _separator(text, options) or ";"
    rows = _some_rows(text, separator)
    if not rows:
        raise source.problem("end of file", found="no row", expected="rows of numbers")
    return _Beginning(text, separator, rows, _has_header(options, rows))


def ambiguous_first_row(source: InputSource) -> str:
    """The first row of a table such as ``9,5``, which is 9.5, or 9 and 5; else nothing.

    Only where every row is one, and neither separator nor decimal sign was chosen.
    """
    head, options = _beginning(source), source.options
    is_settled = head.header or options.separator != "auto" or options.decimal != "auto"
    if is_settled or head.separator != "," or not all(map(_is_ambiguous, head.rows)):
        return ""
    return ",".join(head.rows[0])


def examine(source: InputSource) -> TableDialect:
    """The dialect of the file, what the options say first; nothing is consumed."""
    options = source.options
    text, separator, rows, header = _beginning(source)
    if ambiguous_cell := ambiguous_first_row(source):
        raise source.problem(
            f"row {_first_row(text)}",
            found=repr(ambiguous_cell),
            expected="either a decimal comma or two columns",
            hint="choose the decimal comma, or the comma as separator",
        )
    columns = _columns(source, rows[0], header=header)
    table_columns = columns_of(columns, rows[header:], header=header)
    sign, ambiguous_cell = decimal_of(cell for row in rows[header:] for cell in row)
    return TableDialect(
        separator=separator,
        decimal=_explicit_option(options.decimal)
        or sign
        or _decimal_sign(separator, ambiguous_cell),
        header=header,
        layout=_layout(options, table_columns),
        columns=columns,
        roles=table_columns.roles,
        series=table_columns.series,
        left_out=table_columns.left_out,
        either=ambiguous_cell,
        first_row=_first_row(text),
        row_is_build=table_columns.row_is_build and not options.columns,
    )


def numbered_rows(source: InputSource, dialect: TableDialect) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each row below the header; rows count from 1, as in a spreadsheet."""
    numbered = records(source, dialect.separator)
    for number_, cells in islice(_filled_records(numbered), int(dialect.header), None):
        if len(cells) > len(dialect.columns):
            raise _too_many_cells(source, dialect, number_, cells)
        yield number_, cells


def first_rows(source: InputSource, dialect: TableDialect, count: int) -> list[list[str]]:
    """The first rows below the header as they stand in the file; nothing is consumed."""
    top_rows = _some_rows(source.head_text(), dialect.separator)
    return top_rows[int(dialect.header) :][:count]


def series_columns(source: InputSource, dialect: TableDialect) -> tuple[str, ...]:
    """The columns of a wide table that are series: those chosen, else see `formats.columns`."""
    if chosen_columns := source.options.series_columns:
        return tuple(dialect.columns[position(source, dialect, name)] for name in chosen_columns)
    return dialect.series


def column_of(source: InputSource, dialect: TableDialect, role: Role) -> int | None:
    """Index of the column for `role`; None where the table has none.

    A name in the options that is no column of the table is an error.
    """
    column_by_role = source.options.columns
    if role in column_by_role:
        name = column_by_role[role]
        return position(source, dialect, name) if name else None
    detected_column = dialect.roles.get(role)
    if not column_by_role or detected_column is None:
        return detected_column
    is_free = dialect.columns[detected_column] not in column_by_role.values()
    return detected_column if is_free and source.options.others_as_detected else None


def position(source: InputSource, dialect: TableDialect, name: str) -> int:
    """Index of the column called `name`; an error that lists the columns if there is none."""
    if name in dialect.columns:
        return dialect.columns.index(name)
    raise source.problem(
        f"row {dialect.first_row}",
        found=f"columns {', '.join(map(repr, dialect.columns))}",
        expected=f"a column {name!r}",
    )


def _explicit_option(option: str) -> str | None:
    return None if option == "auto" else option


def _content(text: str) -> list[str]:
    """The first lines that are neither empty nor comments; the last may be cut off."""
    lines = text.splitlines()[: _LOOKED_AT * 4]
    return [line for line in lines if line.strip() and not _is_comment(line)][:_LOOKED_AT]


def _is_comment(line: str) -> bool:
    """A line after ``#``, which may also be the whole name of a column that counts."""
    if line.startswith("#"):
        return line[1:2] not in _SEPARATORS
    return _SEPARATOR_LINE.fullmatch(line.strip()) is not None


def _first_row(text: str) -> int:
    for line_number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not _is_comment(line):
            return line_number
    return 1


def _some_rows(text: str, separator: str) -> list[list[str]]:
    try:
        parsed_rows = list(csv.reader(_content(text), delimiter=separator))
    except csv.Error:
        return []
    return [[cell.strip() for cell in row] for row in parsed_rows]


def _separator(text: str, options: ReadOptions) -> str | None:
    """The separator that cuts at least half of the rows into as many cells as the first.

    A comma that is the decimal sign separates nothing.
    """
    for separator in _SEPARATORS:
        if separator == options.decimal:
            continue
        parsed_rows = _some_rows(text, separator)
        width = len(parsed_rows[0]) if parsed_rows else 0
        if width > 1 and 2 * sum(len(row) == width for row in parsed_rows) >= len(parsed_rows):
            return separator
    return None


def _is_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row has names: a text above a number, or no number at all in any
    row.
    """
    first_row, *rows_below = rows
    text_columns = [index for index, cell in enumerate(first_row) if cell and not is_number(cell)]
    cells_below = (
        is_number(row[index]) for index in text_columns for row in rows_below if index < len(row)
    )
    return any(cells_below) or len(text_columns) == sum(map(bool, first_row)) > 0


def _has_header(options: ReadOptions, rows: Sequence[Sequence[str]]) -> bool:
    """A row of names; or of numbers like 0 1 2 when an empty corner says what they are."""
    if options.header != "auto":
        return options.header == "yes"
    return _is_header(rows) or not rows[0][0]


def _decimal_sign(separator: str, ambiguous_cell: str) -> DecimalSign:
    """The sign of numbers that do not say: Excel writes semicolons where the comma is decimal."""
    return "," if ambiguous_cell and separator != "," else "."


def _is_ambiguous(row: list[str]) -> bool:
    integer, *fractions = row
    return (
        integer.lstrip("+-").isdigit()
        and len(fractions) < 2
        and all(cell.isdigit() for cell in fractions)
    )


def _columns(source: InputSource, first: list[str], *, header: bool) -> tuple[str, ...]:
    """Names of the columns: the header's, or ``column 1`` …; a repeated name is an error."""
    row = f"row {_first_row(source.head_text())}"
    most_columns = source.options.limits.series + len(ROLES)
    if len(first) > most_columns:
        actual, expected = f"{len(first):,} columns", f"at most {most_columns:,} columns"
        raise source.limit_error(row, "series", found=actual, expected=expected)
    if not header:
        return tuple(f"column {column_number}" for column_number in range(1, len(first) + 1))
    names: dict[str, int] = {}
    for column_number, cell in enumerate(first, start=1):
        name = unguard_cell(cell) or f"column {column_number}"
        source.check_text(f"{row}, column {column_number}", name, MOST_NAME)
        if names.setdefault(name, column_number) != column_number:
            actual, hint = f"a second column {name!r}", f"rename it, as in '{name} fork 2'"
            where, expected = f"{row}, column {column_number}", "every name once"
            raise source.problem(where, found=actual, expected=expected, hint=hint)
    return tuple(names)


def _layout(options: ReadOptions, table_columns: TableColumns) -> Literal["wide", "long"]:
    if options.layout != "auto":
        return options.layout
    return "long" if "value" in options.columns or table_columns.row_is_value else "wide"


def records(source: InputSource, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of every record of a CSV file, counted from 1; raises where it is none."""
    reader = csv.reader(source.lines(newline=""), delimiter=separator)
    record_number = 0
    while True:
        record_number += 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            actual = f"a cell that cannot be read ({error})"
            hint = "a quote before it may lack its end"
            raise source.problem(
                f"row {record_number}", found=actual, expected="CSV", hint=hint
            ) from error
        if cells is None:
            return
        yield record_number, cells


def named_rows(source: InputSource) -> Iterator[tuple[int, dict[str, str]]]:
    """Number and cells, by the name of their column, of every record below a comma CSV's header."""
    numbered_records = records(source, ",")
    header = next(numbered_records, (1, list[str]()))[1]
    for record_number, cells in numbered_records:
        yield record_number, dict(zip(header, cells, strict=False))


def _filled_records(
    numbered_records: Iterator[tuple[int, list[str]]],
) -> Iterator[tuple[int, list[str]]]:
    """The rows that are neither empty nor comments."""
    for record_number, cells in numbered_records:
        is_commented = cells[:1] != ["#"] and _is_comment("".join(cells[:1]))
        if any(cell.strip() for cell in cells) and not is_commented:
            yield record_number, cells


def _too_many_cells(
    source: InputSource, dialect: TableDialect, record_number: int, cells: list[str]
) -> FormatError:
    comma = dialect.separator == "," and dialect.decimal == "."
    return source.problem(
        f"row {record_number}",
        found=f"{len(cells)} cells",
        expected=f"at most {len(dialect.columns)}, as in row {dialect.first_row}",
        hint="if the comma is a decimal sign, choose the decimal comma" if comma else "",
    )
