"""CSV, long: a row a value, with the columns of `formats.columns.ROLES`."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from formats.builds_table import rows_of_builds
from formats.checks import A_NUMBER, bad_value, check_count, read_only_values
from formats.columns import ROLES
from formats.errors import FormatError
from formats.jmh_names import series_label
from formats.measurement import Measurement, RecordingHint
from formats.names import MOST
from formats.numbers import hint_for, parse_number
from formats.occasions import EXPECTED_TIME, Occasion, OccasionTable, is_time
from formats.options import Role
from formats.params import canonical_text
from formats.separated import MOST_NAME, TableDialect, column_of, numbered_rows
from formats.source import InputSource
from formats.tables import unguard_cell
from formats.units import Unit, header_unit, storage_unit

_KEY: tuple[Role, ...] = (
    *("recording", "build", "measured_at"),
    *("system", "benchmark", "params", "fork", "unit"),
)
_NAMED_COLUMNS = 10  # in a message


class _Key(NamedTuple):
    """Identity that the rows of one series share."""

    occasion: Occasion
    system: str
    benchmark: str
    params: str
    fork: int

    def place(self) -> str:
        params_text = f" ({self.params})" if self.params else ""
        label = next(filter(None, self.occasion), "")
        recording_words = f" of recording {label}" if label else ""
        return f"benchmark {self.benchmark}{params_text}, fork {self.fork}{recording_words}"


@dataclass(slots=True)
class _Series:
    """One series while its rows come in."""

    key: _Key
    unit: Unit
    unit_text: str
    values: array[float] = field(default_factory=lambda: array("d"))
    iterations: array[int] = field(default_factory=lambda: array("q"))
    broken: bool = False


class _Table:
    """The columns of the table, and the series that its rows make."""

    def __init__(self, source: InputSource, dialect: TableDialect) -> None:
        self._source = source
        self._dialect = dialect
        self._columns = {role: column_of(source, dialect, role) for role in ROLES}
        self.occasions = OccasionTable(counted=self._columns["iteration"] is not None)
        self._series: dict[_Key, _Series] = {}
        self._points = 0
        value = self._columns["value"]
        self._unit = "" if value is None else header_unit(dialect.columns[value])[1]
        key_indices = (self._columns[role] for role in _KEY)
        self._key_places = [
            column_index for column_index in key_indices if column_index is not None
        ]
        self._raw: tuple[str, ...] = ()
        self._known: dict[tuple[str, ...], _Series] = {}  # by the cells that name it
        self._last: _Series | None = None
        self._require_value()

    def _require_value(self) -> None:
        if self._columns["value"] is not None:
            return
        names = self._dialect.columns
        more_words = ", …" if len(names) > _NAMED_COLUMNS else ""
        hint = "choose the column that holds the values"
        if not self._dialect.header:
            hint += "; where each row is a series, let each be a column"
        raise self._source.problem(
            f"row {self._dialect.first_row}",
            found=f"columns {', '.join(map(repr, names[:_NAMED_COLUMNS]))}{more_words}",
            expected="a column 'value'",
            hint=hint,
        )

    def series(self, rows: Iterable[tuple[int, list[str]]]) -> list[_Series]:
        for row, cells in rows:
            self._take(row, cells)
        return list(self._series.values())

    def _take(self, row: int, cells: list[str]) -> None:
        series = self._series_of(row, cells)
        if series is None or series.broken:
            return
        try:
            self._append(series, row, cells)
        except FormatError as problem:
            series.broken = True
            self._source.report(problem)

    def _series_of(self, row: int, cells: list[str]) -> _Series | None:
        """The series of a row: mostly that of the row above, or one whose names came before."""
        key_cells = tuple(
            cells[column_index] for column_index in self._key_places if column_index < len(cells)
        )
        if key_cells != self._raw or self._last is None:
            self._last = self._known.get(key_cells) or self._new_series(row, cells)
            self._raw = key_cells
            if self._last and len(self._known) < self._source.options.limits.series:
                self._known[key_cells] = self._last
        return self._last

    def _new_series(self, row: int, cells: list[str]) -> _Series | None:
        texts = tuple(self._cell(cells, role) for role in _KEY)
        return self._source.attempt(partial(self._series_named, row, texts))

    def _cell(self, cells: list[str], role: Role) -> str:
        column_index = self._columns[role]
        return (
            cells[column_index].strip()
            if column_index is not None and column_index < len(cells)
            else ""
        )

    def _series_named(self, row: int, texts: tuple[str, ...]) -> _Series:
        for role, text in zip(_KEY, texts, strict=True):
            self._source.check_text(self._place(row, role), text, MOST.get(role, MOST_NAME))
        *occasion_texts, system, benchmark, params, fork, unit = map(unguard_cell, texts)
        options = self._source.options
        key = _Key(
            occasion=self._occasion(row, Occasion(*occasion_texts)),
            system=system or options.system,
            benchmark=self._benchmark(row, benchmark),
            params=canonical_text(params or options.params),
            fork=self._fork(row, fork),
        )
        text = unit or self._unit or options.unit
        series = self._series.setdefault(key, _Series(key, storage_unit(text), text))
        if series.unit_text != text:
            series.broken = True
            where = self._place(row, "unit")
            actual = f"{text!r} within {key.place()}"
            raise self._source.problem(where, found=actual, expected=repr(series.unit_text))
        if len(self._series) > options.limits.series:
            raise self._source.limit_error(f"row {row}", "series", found="more series")
        return series

    def _occasion(self, row: int, occasion: Occasion) -> Occasion:
        if occasion.measured_at and not is_time(occasion.measured_at):
            where, actual = self._place(row, "measured_at"), repr(occasion.measured_at[:40])
            raise self._source.problem(where, found=actual, expected=EXPECTED_TIME)
        if known_build := self.occasions.other_build(occasion):
            where, expected = (self._place(row, "build"), f"{known_build!r}, as in the rows before")
            contradiction = f"{occasion.build!r} of recording {occasion.recording}"
            raise self._source.problem(where, found=contradiction, expected=expected)
        return self.occasions.take(occasion)

    def _benchmark(self, row: int, text: str) -> str:
        if self._columns["benchmark"] is None:
            return self._source.options.benchmark or self._source.stem
        if not text:
            where = self._place(row, "benchmark")
            raise self._source.problem(where, found="an empty cell", expected="a benchmark's name")
        return text

    def _fork(self, row: int, text: str) -> int:
        if self._columns["fork"] is None:
            return 0
        if not text.isdecimal() or len(text) > 9:
            actual = repr(text[:40]) if text else "an empty cell"
            expected = "a whole number from 0"
            raise self._source.problem(self._place(row, "fork"), found=actual, expected=expected)
        return int(text)

    def _append(self, series: _Series, row: int, cells: list[str]) -> None:
        text = self._cell(cells, "value")
        value = parse_number(text, self._dialect.decimal)
        if value is not None:
            value = series.unit.convert(value)
        expected = A_NUMBER if value is None else bad_value(value, series.unit)
        if expected or value is None:
            raise self._source.problem(
                f"{self._place(row, 'value')}, {series.key.place()}",
                found=repr(text[:40]) if text else "an empty cell",
                expected=expected,
                hint=hint_for(text) if expected == A_NUMBER else "",
            )
        series.values.append(value)
        series.iterations.append(self._iteration(series, row, cells))
        self._count(series, row)

    def _iteration(self, series: _Series, row: int, cells: list[str]) -> int:
        if self._columns["iteration"] is None:
            return len(series.iterations)
        text = self._cell(cells, "iteration")
        if not text.isdecimal() or len(text) > 18:
            raise self._source.problem(
                f"{self._place(row, 'iteration')}, {series.key.place()}",
                found=repr(text[:40]) if text else "an empty cell",
                expected="a whole number from 0",
            )
        return int(text)

    def _count(self, series: _Series, row: int) -> None:
        limits = self._source.options.limits
        self._points += 1
        if len(series.values) > limits.points_per_series:
            check_count(self._source, series.key.place(), len(series.values))
        if self._points > limits.points:
            raise self._source.limit_error(f"row {row}", "points", found="more values")

    def _place(self, row: int, role: Role) -> str:
        column_index = self._columns[role]
        name = role if column_index is None else self._dialect.columns[column_index]
        return f"row {row}, column {name!r}"


def read(source: InputSource, dialect: TableDialect) -> Iterator[Measurement]:
    """The series of the table, in the order of their first rows.

    Rows may come in any order: `iteration` says where a value stands. All values are in memory
    before the first series is given, since its last row may be the last of the file.
    """
    rows, notes = numbered_rows(source, dialect), _unread_columns_note(source, dialect)
    if dialect.row_is_build:
        rows, dialect, notes = rows_of_builds(rows, dialect)
    table = _Table(source, dialect)
    table_series = table.series(rows)
    hint_by_occasion = table.occasions.recordings(
        (listed_series.key.occasion, listed_series.key[1:]) for listed_series in table_series
    )
    for series in table_series:
        make = partial(_measurement, source, series, hint_by_occasion[series.key.occasion], notes)
        if not series.broken and (measurement := source.attempt(make)) is not None:
            yield measurement


def _unread_columns_note(source: InputSource, dialect: TableDialect) -> tuple[str, ...]:
    """A note that names the columns that are for nothing; none where all are understood."""
    used_indices = {column_of(source, dialect, role) for role in ROLES}
    names = [
        repr(name)
        for column_index, name in enumerate(dialect.columns)
        if column_index not in used_indices
    ]
    more_words = ", …" if len(names) > _NAMED_COLUMNS else ""
    listed_names = ", ".join(names[:_NAMED_COLUMNS]) + more_words
    return (f"columns that are not understood are left out: {listed_names}",) if names else ()


def _measurement(
    source: InputSource, series: _Series, recording: RecordingHint, unread_notes: tuple[str, ...]
) -> Measurement:
    key = series.key
    check_count(source, key.place(), len(series.values))
    values, notes = _ordered_values(source, series)
    return Measurement(
        benchmark=key.benchmark,
        system=key.system,
        params=key.params,
        fork=key.fork,
        values=read_only_values(values),
        label=series_label(key.benchmark, key.params, key.fork),
        unit=series.unit.name,
        recording=recording,
        notes=(*notes, *unread_notes),
    )


def _ordered_values(
    source: InputSource, series: _Series
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.float64]], tuple[str, ...]]:
    """The values by iteration; raises where an iteration is missing or there twice."""
    iterations = np.array(series.iterations, dtype=np.int64)
    order = np.argsort(iterations, kind="stable")
    first = int(iterations[order[0]])
    expected = np.arange(iterations.size) + min(first, 1)
    gaps = np.flatnonzero(iterations[order] != expected)
    if gaps.size:
        raise _gap(source, series, int(iterations[order[gaps[0]]]), int(expected[gaps[0]]))
    values = np.array(series.values, dtype=np.float64)[order]
    note = "iterations are numbered from 1 in this file; its iteration 1 is iteration 0 here"
    return values, (note,) if first == 1 else ()


def _gap(source: InputSource, series: _Series, iteration: int, expected: int) -> FormatError:
    if iteration < expected:
        return source.problem(
            series.key.place(),
            found=f"iteration {iteration} twice",
            expected="every iteration once",
            hint="rows of several recordings need a column 'recording', 'build' or 'measured_at'",
        )
    return source.problem(
        series.key.place(),
        found=f"iteration {iteration} where {expected} is missing",
        expected="iterations without a gap, numbered from 0 or from 1",
    )
