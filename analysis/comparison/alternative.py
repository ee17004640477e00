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
from analysis.statistics.rows import FIGURES


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


def key_figure(query: ComparisonQuery) -> str:
    """The figure that two settings are compared by: the sorted column, else the median error."""
    column = query.sort.removeprefix("-")
    if column in FIGURES:
        return column
    return "median_abs_seconds" if query.unit == "seconds" else DEFAULT_SORT


def alternative_rows(compared: ComparisonResult) -> dict[str, AlternativeRow]:
    """Every row of the leaderboard that the second setting has, too, by name."""
    second_setting = compared.other
    if second_setting is None:
        return {}
    column = key_figure(compared.asked)
    second_entries = {entry.name: entry for entry in second_setting.entries}
    return {
        entry.name: _beside(
            entry,
            second_entries[entry.name],
            column,
            _interval(compared.inputs, second_setting.inputs, entry.name, column),
        )
        for entry in compared.entries
        if entry.name in second_entries
    }


def _beside(
    entry: LeaderboardRow,
    second_row: LeaderboardRow,
    column: str,
    interval: tuple[float | None, float | None],
) -> AlternativeRow:
    first_value, second_value = entry.row.figures[column], second_row.row.figures[column]
    change = None if first_value is None or second_value is None else first_value - second_value
    return AlternativeRow(second_value, change, *interval, second_row.rank)


@lru_cache(maxsize=512)
def _interval(
    first_inputs: ComparisonInputs, second_inputs: ComparisonInputs, name: str, column: str
) -> tuple[float | None, float | None]:
    """Bounds of the change of one row's column."""
    sides = [_sample(inputs, name, column) for inputs in (first_inputs, second_inputs)]
    if sides[0] is None or sides[1] is None:
        return None, None
    keys = [[line.pk for line in inputs.lines] for inputs in (first_inputs, second_inputs)]
    index_by_pk = {
        pk: series_index for series_index, pk in enumerate(dict.fromkeys([*keys[0], *keys[1]]))
    }
    first, second = (
        _spread(side, [index_by_pk[pk] for pk in side_keys], len(index_by_pk))
        for side, side_keys in zip((sides[0], sides[1]), keys, strict=True)
    )
    difference = differences({column: (first, second)})[column]
    return difference.low, difference.high


def _sample(inputs: ComparisonInputs, name: str, column: str) -> FigureSample | None:
    sides = measured_row(inputs, name)
    return None if sides is None else FIGURES[column].sample(sides)


def _spread(side: FigureSample, series_indices: list[int], n: int) -> FigureSample:
    """The sample over the series of both settings; those that it lacks do not count."""
    values = np.full(n, np.nan)
    values[series_indices] = side.values
    return FigureSample(values, side.kind)
