"""A second setting beside the first: the same figure there, its change, and the rank there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.comparison.inputs import ComparisonInputs
from analysis.comparison.kept_results import keep_results
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import DEFAULT_SORT, ComparisonResult, measured_row
from analysis.statistics.leaderboard_figures import FIGURES
from analysis.statistics.paired_bootstrap import FigureSample, differences


@dataclass(frozen=True, slots=True)
class AlternativeRow:
    """One row by the second setting: its figure there, here − there, and its rank there.

    low, high  paired bootstrap interval of the change: series are drawn anew, and both settings
               count those of the draw that they have; None for columns without one
    """

    second_value: float | None
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


def alternative_rows(comparison: ComparisonResult) -> dict[str, AlternativeRow]:
    """Every row of the leaderboard that the second setting has, too, by name."""
    second_result, column = comparison.other, key_figure(comparison.asked)
    if second_result is None:
        return {}
    second_entries = {entry.name: entry for entry in second_result.entries}
    rows = {}
    for entry in comparison.entries:
        if second_entry := second_entries.get(entry.name):
            figure, second_figure = (row.figures[column] for row in (entry, second_entry))
            change = None if figure is None or second_figure is None else figure - second_figure
            interval = _interval(comparison.inputs, second_result.inputs, entry.name, column)
            rows[entry.name] = AlternativeRow(second_figure, change, *interval, second_entry.rank)
    return rows


@keep_results
def _interval(
    first_inputs: ComparisonInputs, second_inputs: ComparisonInputs, name: str, column: str
) -> tuple[float | None, float | None]:
    """Bounds of the change of one row's column, over the series of both settings."""
    both_inputs = first_inputs, second_inputs
    pks = dict.fromkeys(line.pk for inputs in both_inputs for line in inputs.lines)
    index_by_pk = {pk: series_index for series_index, pk in enumerate(pks)}
    samples = []
    for inputs in both_inputs:
        answers = measured_row(inputs, name)
        sample = None if answers is None else FIGURES[column].sample(answers)
        if sample is None:
            return None, None
        values = np.full(len(pks), np.nan)  # series that a setting lacks do not count
        values[[index_by_pk[line.pk] for line in inputs.lines]] = sample.values
        samples.append(FigureSample(values, sample.kind))
    difference = differences({column: (samples[0], samples[1])})[column]
    return difference.low, difference.high
