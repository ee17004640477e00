"""Columns of a table: what each is for, from its name and its first cells. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from formats.numbers import parse_number
from formats.options import Role
from formats.units import header_unit

ROLES: Final[tuple[Role, ...]] = (
    *("recording", "build", "measured_at"),
    *("system", "benchmark", "params", "fork", "unit", "iteration", "value"),
)
CellKind = Literal["numbers", "texts", "times", "nothing"]

COUNTERS: Final = {
    *("iteration", "iterations", "iter", "index", "i", "#", "repetition", "rep"),
    *("unnamed: 0", "column 1"),
}
_CLOCKS: Final = {
    *("timestamp", "time stamp", "date", "datetime", "epoch", "started", "start time", "when")
}
OF_A_ROW: Final = frozenset({"benchmark", "fork", "iteration", "recording", "build", "measured_at"})
"""Columns beside which a column `value` makes a row one value."""
OF_RECORDINGS: Final = frozenset({"recording", "build", "measured_at"})
_OF_BUILDS: Final = frozenset({"commit", "revision", "build number", "build_number", "build id"})
# Names of columns in tables of other tools, beside the roles themselves.
_OTHER_NAMES: Final[Mapping[Role, frozenset[str]]] = {
    "build": _OF_BUILDS,
    "measured_at": frozenset({"measured at"}),
    "system": frozenset({"suite", "project"}),
    "benchmark": frozenset(
        {"name", "test", "test case", "label", "method", "workload", "scenario", "metric_name"}
    ),
    "params": frozenset({"parameters"}),
    "fork": frozenset({"process", "invocation"}),
    "unit": frozenset({"units", "time_unit"}),
    "value": frozenset(
        {"time", "latency", "duration", "elapsed", "runtime", "score", "result", "metric_value"}
        | {"real_time", "measurement", "response time", ""}
    ),
}
_CLOCK_CELL = re.compile(r"\d{4}-\d\d-\d\d.*|\d\d?:\d\d(:\d\d)?.*|\d\d?[./]\d\d?[./]\d{2,4}.*")
_UNIX_SECONDS = re.compile(r"1\d{9}(\d{3})?")  # or milliseconds: 2001 to 2033
_BEGINS, _ENDS = "+-.,0123456789", ".,0123456789"
_NOT_FINITE: Final = {"nan", "inf", "infinity"}
_LEAST_COUNTED = 3  # cells that count by one are no measurements


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Meaning of the columns of a table: `roles` where a row is a value, else `series`.

    `left_out` are those of neither that hold texts or times of day, or are called so. Where
    `row_is_build`, each of `series` is a benchmark, and a row has what was measured of one build.
    """

    row_is_value: bool
    roles: Mapping[Role, int]
    series: tuple[str, ...]
    left_out: tuple[str, ...]
    row_is_build: bool = False


def columns_of(
    names: tuple[str, ...], rows: Sequence[Sequence[str]], *, header: bool
) -> TableColumns:
    """Find what the columns called `names` are for; `rows` are the first ones below the header.

    A column `value` beside one of `OF_A_ROW` has its name's role, as all others then have. Else
    a column of names, of forks or of builds, and one of numbers make a row one value; one of builds
    and several of numbers make a row one build. In any other table a column is a series, but for a
    first one that counts and those without numbers.
    """
    cells_by_column = [
        [row[index] for row in rows if index < len(row)] for index in range(len(names))
    ]
    kinds = [_cell_kind(name, cells) for name, cells in zip(names, cells_by_column, strict=True)]
    roles = {
        role: column_index
        for role in ROLES
        if (column_index := _role_column(names, role)) is not None
    }
    row_is_value = "value" in roles and bool(roles.keys() & OF_A_ROW)
    if not row_is_value and (measured_columns := _benchmark_columns(names, kinds, roles)):
        return TableColumns(
            row_is_value=True, roles=roles, series=measured_columns, left_out=(), row_is_build=True
        )
    if not row_is_value and len(names) > 1 and (guessed := _guessed_roles(names, kinds, rows)):
        row_is_value, roles = True, guessed
    counter = len(names) > 1 and _numbers_rows(names[0], rows, header=header)
    kind_by_column = dict(list(zip(names, kinds, strict=True))[counter:])
    no_series = _unnumbered_columns(kind_by_column)
    no_series += tuple(
        name for name in kind_by_column if _names_recording(name) and name not in no_series
    )
    unnamed_columns = {name for number, name in enumerate(names, 1) if name == f"column {number}"}
    empty_columns = {
        name for name, kind in kind_by_column.items() if kind == "nothing"
    } & unnamed_columns
    series = tuple(
        name for name in kind_by_column if name not in no_series and name not in empty_columns
    )
    return TableColumns(row_is_value, roles, series, no_series)


def is_number(cell: str) -> bool:
    """Return whether `cell` is a number with either decimal sign."""
    # Most texts are told by their ends: a table may have a million of them.
    has_number_ends = cell[:1] in _BEGINS and cell[-1:] in _ENDS
    if not cell or not (has_number_ends or cell.lstrip("+-").lower() in _NOT_FINITE):
        return False
    return any(parse_number(cell, sign) is not None for sign in (".", ","))


def _role_column(names: Sequence[str], role: Role) -> int | None:
    lower_names = [name.lower() for name in names]
    accepted_names = (
        [role, *sorted(_OTHER_NAMES[role])] if role in OF_RECORDINGS - {"recording"} else [role]
    )
    return next((lower_names.index(name) for name in accepted_names if name in lower_names), None)


def _names_recording(name: str) -> bool:
    return name.lower() in OF_RECORDINGS


def _cell_kind(name: str, cells: Sequence[str]) -> CellKind:
    filled_cells = [cell for cell in cells if cell]
    if filled_cells and name.lower() == "time" and all(map(_UNIX_SECONDS.fullmatch, filled_cells)):
        return "times"
    if any(map(is_number, filled_cells)):
        return "numbers"
    if filled_cells and all(map(_CLOCK_CELL.fullmatch, filled_cells)):
        return "times"
    return "texts" if filled_cells else "nothing"


def _benchmark_columns(
    names: Sequence[str], kinds: Sequence[CellKind], roles: Mapping[Role, int]
) -> tuple[str, ...]:
    """The columns that are benchmarks, where a row has a build; none where it is no such table."""
    stems = [header_unit(name)[0].strip().lower() for name in names]
    other_roles = roles.keys() & {"recording", "fork", "iteration", "unit"}
    if "build" not in roles or other_roles or _indices(stems, "benchmark", [True] * len(stems)):
        return ()
    columns = [
        index
        for index in _columns_of_kind(kinds, "numbers")
        if index not in roles.values() and stems[index] not in COUNTERS | _CLOCKS
    ]
    return tuple(names[index] for index in columns) if len(columns) > 1 else ()


def _guessed_roles(
    names: Sequence[str], kinds: Sequence[CellKind], rows: Sequence[Sequence[str]]
) -> dict[Role, int]:
    """Roles of a table with a value a row; none where it is no such table.

    Without `value` where several columns may hold the values.
    """
    stems = [header_unit(name)[0].strip().lower() for name in names]
    roles: dict[Role, int] = {}
    for role in ROLES:
        role_indices = _indices(stems, role, [_fits(role, kind) for kind in kinds])
        if role not in {"iteration", "value"} and role_indices:
            roles[role] = role_indices[0]
    text_indices = [
        index for index in _columns_of_kind(kinds, "texts") if index not in roles.values()
    ]
    text_indices = [
        index for index in text_indices if all(index < len(row) and row[index] for row in rows)
    ]
    if "benchmark" not in roles and len(text_indices) == 1:
        roles["benchmark"] = text_indices[0]
    roles |= _numeric_roles(stems, kinds, roles)
    enough_roles = {"benchmark", "fork"} | ({"build", "measured_at"} if "value" in roles else set())
    return roles if roles.keys() & enough_roles else {}


def _fits(role: Role, kind: CellKind) -> bool:
    if role in {"fork", "value"}:
        return kind == "numbers"
    if role == "measured_at":
        return kind == "times"
    return kind == "texts" or (role == "build" and kind == "numbers")


def _numeric_roles(
    stems: Sequence[str], kinds: Sequence[CellKind], roles: Mapping[Role, int]
) -> dict[Role, int]:
    """The columns of iterations and of values, beside those found."""
    indices = [index for index in _columns_of_kind(kinds, "numbers") if index not in roles.values()]
    counters = [index for index in indices if stems[index] in COUNTERS]
    value_indices = [i for i in indices if i not in counters and stems[i] not in _CLOCKS]
    if len(value_indices) > 1:
        value_indices = [index for index in value_indices if stems[index] in _OTHER_NAMES["value"]]
    new_roles: dict[Role, int] = {"iteration": counters[0]} if len(counters) == 1 else {}
    return {**new_roles, **({"value": value_indices[0]} if len(value_indices) == 1 else {})}


def _indices(stems: Sequence[str], role: Role, fits: Sequence[bool]) -> list[int]:
    names = {role, *_OTHER_NAMES.get(role, ())}
    return [index for index, name in enumerate(stems) if name in names and fits[index]]


def _columns_of_kind(kinds: Sequence[CellKind], kind: CellKind) -> list[int]:
    return [index for index, column_kind in enumerate(kinds) if column_kind == kind]


def _unnumbered_columns(kinds: Mapping[str, CellKind]) -> tuple[str, ...]:
    """Columns of texts or times beside some of numbers; none where there are no numbers.

    Then all stay series, so that the first bad cell is named.
    """
    if "numbers" not in kinds.values():
        return ()
    return tuple(
        name
        for name, kind in kinds.items()
        if kind in {"texts", "times"} or name.lower() in _CLOCKS
    )


def _numbers_rows(name: str, rows: Sequence[Sequence[str]], *, header: bool) -> bool:
    """Return whether the first column numbers the rows, by its name or its cells."""
    if header and name.lower() in COUNTERS:
        return True
    cells = [row[0] for row in rows if row]
    first_cell = cells[0] if cells else ""
    if len(cells) < _LEAST_COUNTED or first_cell not in {"0", "1"}:
        return False
    return cells == [str(number) for number in range(int(first_cell), int(first_cell) + len(cells))]
