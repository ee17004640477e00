"""CSV with a build a row and a benchmark a column, as Apache Otava's, as rows of values. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from formats.occasions import is_time, time_stamp
from formats.options import Role
from formats.separated import TableDialect
from formats.units import header_unit

_COLUMNS: Final[tuple[Role, ...]] = (
    *("build", "measured_at", "system", "benchmark", "params", "unit", "value"),
)
_TIMES: Final = ("measured_at", "measured at", "time", "timestamp", "date", "datetime")
_UNIX_TIME = re.compile(r"(1\d{9})(\d{3})?")
_OTAVA = re.compile(
    r"(\d{4})[./](\d\d)[./](\d\d) (\d?\d)(:\d\d(?::\d\d)?)(?: ?([+-]\d\d):?(\d\d))?"
)


def rows_of_builds(
    rows: Iterable[tuple[int, list[str]]], dialect: TableDialect
) -> tuple[Iterator[tuple[int, list[str]]], TableDialect, tuple[str, ...]]:
    """Rows of one value, their dialect, and notes of what is left out.

    A column `branch` tells benchmarks of one name apart: a change between two is none of either.
    """
    lower_names = [name.lower() for name in dialect.columns]
    measured_indices = [dialect.columns.index(name) for name in dialect.series]
    times = [lower_names.index(name) for name in _TIMES if name in lower_names]
    time = next((column for column in times if column not in measured_indices), None)
    branch = lower_names.index("branch") if "branch" in lower_names else None
    used_indices = {
        time,
        branch,
        dialect.roles["build"],
        dialect.roles.get("system"),
        *measured_indices,
    }
    names = ", ".join(repr(name) for i, name in enumerate(dialect.columns) if i not in used_indices)
    notes = (f"columns that are not understood are left out: {names}",) if names else ()

    def value_rows() -> Iterator[tuple[int, list[str]]]:
        heads = [header_unit(name) for name in dialect.series]
        for number, row in rows:
            cells = [cell.strip() for cell in row] + [""] * (len(dialect.columns) - len(row))
            branch_params = f"branch={cells[branch]}" if branch is not None else ""
            moment = _moment(cells[time]) if time is not None else ""
            system = cells[dialect.roles["system"]] if "system" in dialect.roles else ""
            build = cells[dialect.roles["build"]]
            for (name, unit), column in zip(heads, measured_indices, strict=True):
                if cells[column]:  # not measured with this build
                    yield number, [build, moment, system, name, branch_params, unit, cells[column]]

    roles = {role: i for i, role in enumerate(_COLUMNS)}
    return value_rows(), replace(dialect, columns=_COLUMNS, roles=roles, row_is_build=False), notes


def _moment(text: str) -> str:
    """ISO 8601 of a time as Otava takes it or of Unix seconds; any other text as it is."""
    if unix_time := _UNIX_TIME.fullmatch(text):
        return time_stamp(unix_time[1] + (unix_time[2] or "000"))
    if is_time(text) or not (match := _OTAVA.fullmatch(text)):
        return text
    year, month, day, hour, minutes, zone_hours, zone_minutes = match.groups()
    zone = f"{zone_hours}:{zone_minutes}" if zone_hours else ""
    return f"{year}-{month}-{day}T{hour:0>2}{minutes}{zone}"
