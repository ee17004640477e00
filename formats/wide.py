"""CSV, wide: a column a series, a row an iteration; shorter columns end in empty cells."""

from __future__ import annotations

import re
import string
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from formats.checks import A_NUMBER, bad_value, check_count, read_only_values
from formats.errors import FormatError
from formats.measurement import Measurement
from formats.numbers import hint_for, parse_number
from formats.params import canonical_text
from formats.separated import TableDialect, numbered_rows, series_columns
from formats.source import InputSource
from formats.units import Unit, header_unit, storage_unit

_LABEL = re.compile(r"(?P<benchmark>[^|]+)\|(?P<params>[^|]*(?:\|[^|]*)*)\|(?P<fork>\d+)")
_FORK = re.compile(r"\bfork[\s_.-]*(?P<fork>\d+)\Z", re.IGNORECASE)


@dataclass(slots=True)
class _Column:
    """One series while its cells come in."""

    place: int  # among all columns
    order: int  # among the columns that are series
    name: str
    unit: Unit
    values: array[float] = field(default_factory=lambda: array("d"))
    ended: int = 0  # row of the first empty cell; 0 while there is none
    problem: FormatError | None = None

    def take(self, source: InputSource, row: int, text: str, decimal: str) -> None:
        if self.problem is not None:
            return
        if not text:
            self.ended = self.ended or row
        elif self.ended:
            self._refuse(source, self.ended, "", "a value, as other rows below have one")
        else:
            self._append(source, row, text, decimal)

    def _append(self, source: InputSource, row: int, text: str, decimal: str) -> None:
        value = parse_number(text, decimal)
        if value is not None:
            value = self.unit.convert(value)
        expected = A_NUMBER if value is None else bad_value(value, self.unit)
        if expected or value is None:
            self._refuse(source, row, text, expected)
        else:
            self.values.append(value)

    def _refuse(self, source: InputSource, row: int, text: str, expected: str) -> None:
        self.problem = source.problem(
            f"row {row}, column {self.name!r}",
            found=repr(text[:40]) if text else "an empty cell",
            expected=expected,
            hint=hint_for(text) if expected == A_NUMBER else "",
        )
        source.report(self.problem)


def read(source: InputSource, dialect: TableDialect) -> Iterator[Measurement]:
    """The columns as series, from left to right."""
    columns = _columns(source, dialect)
    most_values, value_count = source.options.limits.points_per_series, 0
    for row, cells in numbered_rows(source, dialect):
        for column in columns:
            cell = cells[column.place].strip() if column.place < len(cells) else ""
            column.take(source, row, cell, dialect.decimal)
        if columns and len(columns[0].values) > most_values:
            check_count(source, f"column {columns[0].name!r}", len(columns[0].values))
        value_count += len(cells)
        if value_count > source.options.limits.points:
            raise source.limit_error(f"row {row}", "points", found="more values")
    for column in columns:
        make = partial(_measurement, source, dialect, column)
        if column.problem is None and (measurement := source.attempt(make)) is not None:
            yield measurement


def _columns(source: InputSource, dialect: TableDialect) -> list[_Column]:
    index_by_column = {name: column_index for column_index, name in enumerate(dialect.columns)}
    return [
        _Column(
            index_by_column[name],
            order,
            name,
            storage_unit(header_unit(name)[1] or source.options.unit),
        )
        for order, name in enumerate(series_columns(source, dialect))
    ]


def _measurement(source: InputSource, dialect: TableDialect, column: _Column) -> Measurement:
    check_count(source, f"column {column.name!r}", len(column.values))
    benchmark, params, fork = _identity(source, dialect, column)
    names = ", ".join(map(repr, dialect.left_out))
    return Measurement(
        benchmark=benchmark,
        system=source.options.system,
        params=canonical_text(params),
        fork=fork,
        values=read_only_values(np.array(column.values, dtype=np.float64)),
        label=column.name,
        unit=column.unit.name,
        notes=(f"columns that hold no measurements are left out: {names}",) if names else (),
    )


def _identity(source: InputSource, dialect: TableDialect, column: _Column) -> tuple[str, str, int]:
    """Benchmark, parameters and fork that a column's name speaks of.

    ``org.Sort|size=10|3`` is taken apart; ``fork 3``, ``sort fork 3`` and ``3`` are forks; a
    table without header has a fork a column. Any other name is a benchmark, unless the options
    name one: then columns are its forks, from left to right.
    """
    default = source.options.benchmark or source.stem
    params = source.options.params
    if not dialect.header:
        return default, params, column.order
    name = header_unit(column.name)[0]
    if match := _LABEL.fullmatch(name):
        return match["benchmark"], match["params"], int(match["fork"])
    if match := _FORK.search(name):
        name_before = name[: match.start()].rstrip(string.whitespace + "_.-")
        return name_before or default, params, int(match["fork"])
    if name.isdecimal():
        return default, params, int(name)
    if source.options.benchmark:
        return default, params, column.order
    return name or default, params, 0
