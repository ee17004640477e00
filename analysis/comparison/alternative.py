"""A second setting beside the first: the same figure there, its change, and the rank there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from analysis.comparison.inputs import ComparisonInputs
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import (
    DEFAULT_SORT,
    ComparisonResult,
    LeaderboardRow,
    measured_row,
)
from analysis.statistics.paired_bootstrap import FigureSample, differences
from analysis.statistics.rows import COLUMNS
from analysis.statistics.samples import sample


@dataclass(frozen=True, slots=True)
class AlternativeRow:
    """One row by the second setting: its figure there, here − there, and its rank there.

    low, high  paired bootstrap interval of the change: series are drawn anew, and both settings
               count those of the draw that they have; None for columns without one
    """

    there: float | None
    change: float | None
    low: float | None
    high: float | None
    rank: int | None


def key_figure(asked: ComparisonQuery) -> str:
    """The figure that two settings are compared by: the sorted column, else the median error."""
    column = asked.sort.removeprefix("-")
    if column in COLUMNS[1:]:
        return column
    return "median_abs_seconds" if asked.unit == "seconds" else DEFAULT_SORT


def alternative_rows(compared: ComparisonResult) -> dict[str, AlternativeRow]:
    """Every row of the leaderboard that the second setting has, too, by name."""
    other = compared.other
    if other is None:
        return {}
    column = key_figure(compared.asked)
    there = {entry.name: entry for entry in other.entries}
    return {
        entry.name: _beside(
            entry,
            there[entry.name],
            column,
            _interval(compared.inputs, other.inputs, entry.name, column),
        )
        for entry in compared.entries
        if entry.name in there
    }


def _beside(
    entry: LeaderboardRow,
    other: LeaderboardRow,
    column: str,
    interval: tuple[float | None, float | None],
) -> AlternativeRow:
    here, there = entry.cells()[column], other.cells()[column]
    if isinstance(here, str) or isinstance(there, str):
        raise TypeError(f"{column}: expected a column of numbers")  # COLUMNS has no other
    change = None if here is None or there is None else here - there
    return AlternativeRow(there, change, *interval, other.rank)


@lru_cache(maxsize=512)
def _interval(
    here: ComparisonInputs, there: ComparisonInputs, name: str, column: str
) -> tuple[float | None, float | None]:
    """Bounds of the change of one row's column."""
    sides = [_sample(inputs, name, column) for inputs in (here, there)]
    if sides[0] is None or sides[1] is None:
        return None, None
    keys = [[line.pk for line in inputs.lines] for inputs in (here, there)]
    places = {pk: at for at, pk in enumerate(dict.fromkeys([*keys[0], *keys[1]]))}
    first, second = (
        _spread(side, [places[pk] for pk in each], len(places))
        for side, each in zip((sides[0], sides[1]), keys, strict=True)
    )
    found = differences({column: (first, second)})[column]
    return found.low, found.high


def _sample(inputs: ComparisonInputs, name: str, column: str) -> FigureSample | None:
    sides = measured_row(inputs, name)
    return None if sides is None else sample(column, sides)


def _spread(side: FigureSample, places: list[int], n: int) -> FigureSample:
    """The sample over the series of both settings; those that it lacks do not count."""
    values = np.full(n, np.nan)
    values[places] = side.values
    return FigureSample(values, side.kind)
