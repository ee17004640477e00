"""A comparison as lines of a terminal: few columns, the same figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis.comparison.columns import LEADERBOARD
from analysis.comparison.method_names import short_name
from analysis.comparison.second_setting import key_figure
from analysis.comparison.table import ComparisonResult
from analysis.web.aligned_lines import aligned_lines
from analysis.web.page_tables import TableRows
from formats.tables import Cell

SHOWN = (
    "method",
    "n",
    "agreements",
    "fp",
    "fn",
    "balanced_accuracy",
    "manhattan",
    "manhattan_clustered",
    "manhattan_scattered",
    "mean_error",
    "sd_error",
    "mean_abs",
    "median_abs",
    "within_15",
    "within_50",
    "within_100",
    "within_250",
    "within_500",
)


def comparison_text(
    comparison: ComparisonResult, table_name: str, table: TableRows
) -> Iterator[str]:
    """Heading, aligned columns, and what was left out."""
    is_leaderboard = table_name == "leaderboard"
    short_names = {look.name: short_name(look) for look in comparison.inputs.looks}
    yield f"{comparison.yardstick.title} · {_counts(comparison)} · errors predicted − truth\n"
    if is_leaderboard and comparison.other is not None:
        second_result = comparison.other
        change = f"change of {key_figure(comparison.asked)}, first − second setting"
        yield (
            f"Second setting: {second_result.yardstick.title} · {_counts(second_result)}; "
            f"{change}\n"
        )
    columns = (*SHOWN, *table.columns[len(LEADERBOARD) :]) if is_leaderboard else table.columns
    column_indices = [table.columns.index(name) for name in columns]
    rows = [
        [_cell(row[column_index], short_names) for column_index in column_indices]
        for row in table.rows
    ]
    if is_leaderboard:
        for texts, entry in zip(rows, comparison.entries, strict=True):
            texts[0] = short_names.get(entry.name, entry.name)
    yield from aligned_lines([list(columns), *rows])
    yield from _footer_lines(comparison, short_names)


def _footer_lines(comparison: ComparisonResult, short_names: Mapping[str, str]) -> Iterator[str]:
    """Lines of training overlaps, unranked methods, and series left out."""
    for name, overlap in comparison.inputs.known.items():
        if overlap.sentence:
            yield f"{short_names.get(name, name)}: {overlap.sentence}\n"
    for entry in comparison.entries:
        if entry.unranked:
            yield f"{short_names.get(entry.name, entry.name)}: not ranked, {entry.unranked}\n"
    for _, sentence, n in comparison.left_out:
        if n:
            yield f"{n} left out of distances: {sentence}\n"
    if comparison.inputs.excluded:
        yield f"{len(comparison.inputs.excluded)} left out by a decision\n"


def _counts(comparison: ComparisonResult) -> str:
    """Counts of series that the figures rest on."""
    result, index = comparison.result, comparison.asked.index
    n = f"{result.n_distances} of {result.n_series} series"
    if result.common:
        return f"{n} whose error counts, {result.n_yes_no} in yes/no, by {index}"
    own_series_words = f"each method on those that it answers ({result.n_common} common)"
    return f"{n} steady by the yardstick, {own_series_words}, by {index}"


def _cell(cell: Cell, short_names: Mapping[str, str]) -> str:
    """A figure with at most three decimals; of a method its short name."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.3f}".rstrip("0").rstrip(".")
    return short_names.get(str(cell), str(cell))
