"""Columns that name a series, with their meanings, and where the models keep them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from formats import tables

NAMING: Final[Mapping[str, str]] = {
    name: tables.NAMING[name]
    for name in (
        *("dataset", "dataset_name", "recording"),
        *("system", "benchmark", "params", "fork", "n", "unit"),
    )
}
_LOOKUPS: Final = {
    "dataset": "benchmark__dataset__slug",
    "dataset_name": "benchmark__dataset__name",
    "recording": "recording__label",
    "system": "benchmark__system",
    "benchmark": "benchmark__name",
    "params": "benchmark__params",
    "unit": "benchmark__unit",
}


def lookups(names: Iterable[str]) -> list[str]:
    """Lookups for `values_list` of series that give these columns or fields of a series."""
    return [_LOOKUPS.get(name, name) for name in names]
