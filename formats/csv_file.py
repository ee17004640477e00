"""CSV of either layout: which of the two a file has, and what its columns may be taken for."""

from __future__ import annotations

from collections.abc import Iterator

from formats import long, separated, wide
from formats.measurement import Measurement
from formats.reader import ColumnChoice, FileReader, FileStart, FirstRows
from formats.source import InputSource


def read(source: InputSource) -> Iterator[Measurement]:
    """The series of the table, in the layout that its columns or the options say."""
    dialect = separated.examine(source)
    reader = long.read if dialect.layout == "long" else wide.read
    return reader(source, dialect)


def _recognise(start: FileStart) -> str:
    return separated.looks_separated(start.text, start.options)


def _first_rows(source: InputSource, count: int) -> FirstRows:
    dialect = separated.examine(source)
    rows = separated.first_rows(source, dialect, count)
    return FirstRows(rows=rows, choice=_choice(source, dialect))


def _choice(source: InputSource, dialect: separated.TableDialect) -> ColumnChoice:
    places = {role: separated.column_of(source, dialect, role) for role in separated.ROLES}
    long_ = dialect.layout == "long"
    return ColumnChoice(
        separator=dialect.separator,
        decimal=dialect.decimal,
        header=dialect.header,
        layout=dialect.layout,
        columns=dialect.columns,
        roles={
            role: dialect.columns[at] for role, at in places.items() if long_ and at is not None
        },
        values=() if long_ else separated.series_columns(source, dialect),
    )


READER = FileReader(
    name="csv",
    title="CSV",
    endings=(".csv", ".tsv", ".txt"),
    recognise=_recognise,
    read=read,
    options=(
        *("unit", "system", "benchmark", "params"),
        *("layout", "separator", "decimal", "header", "columns", "series_columns"),
    ),
    first_rows=_first_rows,
)
