"""The breakdown: the same figures within groups of series, and as a table of the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from analysis.comparison.columns import write
from analysis.comparison.inputs import ComparisonInputs, short_benchmark_name
from analysis.comparison.kept_results import keep_results
from analysis.comparison.query import GROUPED, GROUPINGS, ComparisonLink, Grouping
from analysis.comparison.table import ComparisonResult, comparison_statistics
from analysis.statistics.answers import Number
from analysis.statistics.breakdown import BreakdownGroup, breakdown
from analysis.statistics.leaderboard_figures import FIGURES, Figure

MOST: Final = 40
"""Groups on a page; a file has all."""

GROUP_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "benchmark": ("benchmark", "params"),
    "length": ("n",),
}
"""Fields of a series that name its group, where they are not the property itself."""


@keep_results
def grouping_properties(inputs: ComparisonInputs) -> tuple[Grouping, ...]:
    """Properties by which these series form two groups or more."""
    return tuple(grouping for grouping in GROUPINGS if len(set(group_names(inputs, grouping))) > 1)


def breakdown_by_property(
    comparison: ComparisonResult, most_groups: int | None = None
) -> tuple[Grouping, tuple[BreakdownGroup, ...]] | None:
    """The property that is asked for, else the first that makes two groups, and its groups."""
    groupings = grouping_properties(comparison.inputs)
    grouping = comparison.asked.group or (groupings[0] if groupings else "")
    if grouping == "" or grouping not in groupings:
        return None
    return grouping, _groups(comparison.inputs, grouping, most_groups)


def group_names(inputs: ComparisonInputs, grouping: Grouping) -> tuple[str, ...]:
    """The group of each series; `–` where it has none. Each name is written once."""
    if grouping == "agreement":
        values: Sequence[Any] = inputs.truth.words
    else:
        values = list(map(attrgetter(*GROUP_FIELDS.get(grouping, (grouping,))), inputs.lines))
    name_by_value = {value: _group_name(grouping, value) for value in set(values)}
    return tuple(map(name_by_value.__getitem__, values))


def _group_name(grouping: Grouping, value: Any) -> str:
    if grouping == "benchmark":
        benchmark, params = value
        value = f"{short_benchmark_name(benchmark)} {params}".strip()
    return "–" if value in {None, ""} else str(value)


@keep_results
def _groups(
    inputs: ComparisonInputs, grouping: Grouping, most_groups: int | None
) -> tuple[BreakdownGroup, ...]:
    names = group_names(inputs, grouping)
    largest_names = {name for name, _ in Counter(names).most_common(most_groups)}
    shown_names = [name if name in largest_names else "" for name in names]
    groups = breakdown(shown_names, inputs.methods, comparison_statistics(inputs).scope)
    return tuple(sorted((group for group in groups if group.name), key=_natural_sort_key))


def _natural_sort_key(group: BreakdownGroup) -> list[tuple[int, int, str]]:
    """2 before 10, whatever stands around them."""
    parts = re.split(r"(\d+)", group.name)
    return [(0, int(piece), "") if piece.isdigit() else (1, 0, piece) for piece in parts if piece]


# --- the table --------------------------------------------------------------------------------
FILTERS: Final[Mapping[Grouping, str]] = {
    "system": "system",
    "dataset": "dataset",
    "recording": "recording",
    "unit": "measured_in",
    "shape": "shape",
    "noise": "noise",
}


def breakdown_table(comparison: ComparisonResult) -> dict[str, Any] | None:
    """The chosen figure of every method in every group; None where there are not two groups.

    A row a group, a column a method; `of` groups there are.
    """
    property_breakdown = breakdown_by_property(comparison, MOST)
    if property_breakdown is None:
        return None
    query, (grouping, largest_groups) = comparison.asked, property_breakdown
    property_words, figure_words = GROUPINGS[grouping], GROUPED[query.grouped]
    rows = [_group_row(group, comparison, FILTERS.get(grouping)) for group in largest_groups]
    return {
        "by": property_words,
        "finding": _finding(
            property_words, figure_words, [row["best"] for row in rows if row["best"]]
        ),
        "groupings": [
            ComparisonLink(
                GROUPINGS[choice], query.changed(group=choice), is_chosen=choice == grouping
            )
            for choice in grouping_properties(comparison.inputs)
        ],
        "figures": [
            ComparisonLink(words, query.changed(grouped=key), is_chosen=key == query.grouped)
            for key, words in GROUPED.items()
        ],
        "looks": [comparison.looks[name] for name in comparison.inputs.methods],
        "rows": rows,
        "of": len(set(group_names(comparison.inputs, grouping))),
    }


def _finding(property_words: str, figure_words: str, best_titles: Sequence[str]) -> str:
    """Sentence of the best method, and of the number of groups in which it is best."""
    if not best_titles:
        return f"No group by {property_words} has 10 series or more."
    title, groups = Counter(best_titles).most_common(1)[0]
    return f"{title} has the best {figure_words} in {groups} of {len(best_titles)} groups."


def _group_row(
    group: BreakdownGroup, comparison: ComparisonResult, narrowing: str | None
) -> dict[str, Any]:
    """One group, one figure a method; `href` narrows the page to it.

    best  title of the method with the best figure; empty in a group of few series
    """
    query, figure = comparison.asked, FIGURES[comparison.asked.grouped]
    numbers = {method: figures[figure.key] for method, figures in group.rows.items()}
    narrows = narrowing and group.name != "–"
    return {
        "group": group,
        "href": query.changed(**{str(narrowing): group.name}).query() if narrows else "",
        "texts": [write(figure, number) for number in numbers.values()],
        "best": "" if group.few else _best_title(numbers, figure, comparison),
    }


def _best_title(
    numbers: Mapping[str, Number | None], figure: Figure, comparison: ComparisonResult
) -> str:
    """Title of the ranked method with the best number: the least error, the largest share."""
    title_by_name = {row.name: row.title for row in comparison.entries if row.rank is not None}
    known_numbers = {
        name: value
        for name, value in numbers.items()
        if value is not None and name in title_by_name
    }
    if not known_numbers:
        return ""
    sign = 1 if figure.least_first else -1
    return title_by_name[
        min(known_numbers, key=lambda name: (sign * abs(known_numbers[name]), title_by_name[name]))
    ]
