"""The breakdown of a comparison as a table, and links that choose how a figure is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.comparison.breakdown import MOST, breakdown_by_property, grouping_properties
from analysis.comparison.columns import ALL_COLUMNS, LeaderboardColumn
from analysis.comparison.query import GROUPED, GROUPINGS, ComparisonQuery, Grouping
from analysis.comparison.table import ComparisonResult
from analysis.methods.method_style import MethodStyle
from analysis.statistics.breakdown import BreakdownGroup


# --- choices within a figure ------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class FigureLink:
    """One of several ways to show a figure, as a link."""

    text: str
    asked: ComparisonQuery
    chosen: bool

    @property
    def id(self) -> str:
        """Of the link, so that the focus finds it again when the page is drawn anew."""
        return "choice-" + self.text.replace(" ", "-").replace("|", "")

    @property
    def href(self) -> str:
        return self.asked.query() or "?"


# --- breakdown --------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group: its name, its series, one figure a method; `href` narrows the page to it."""

    group: BreakdownGroup
    href: str
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class BreakdownTable:
    """The breakdown as a table: a row a group, a column a method."""

    by: str
    figure: str
    groupings: Sequence[FigureLink]
    figures: Sequence[FigureLink]
    looks: Sequence[MethodStyle]
    rows: Sequence[GroupRow]
    of: int


NARROWING: Final[Mapping[Grouping, str]] = {
    "system": "system",
    "dataset": "dataset",
    "recording": "recording",
    "unit": "measured_in",
    "shape": "shape",
    "noise": "noise",
}


def breakdown_table(compared: ComparisonResult) -> BreakdownTable | None:
    """The chosen figure of every method in every group; None where there are not two groups."""
    found = breakdown_by_property(compared, MOST)
    if found is None:
        return None
    asked, column = compared.asked, ALL_COLUMNS[compared.asked.grouped]
    narrowing = NARROWING.get(found.by)
    return BreakdownTable(
        by=GROUPINGS[found.by],
        figure=GROUPED[asked.grouped],
        groupings=[
            FigureLink(GROUPINGS[by], asked.changed(group=by), chosen=by == found.by)
            for by in grouping_properties(compared)
        ],
        figures=[
            FigureLink(words, asked.changed(grouped=key), chosen=key == asked.grouped)
            for key, words in GROUPED.items()
        ],
        looks=[compared.looks[name] for name in compared.inputs.methods],
        rows=[_group_row(group, column, asked, narrowing) for group in found.groups],
        of=found.of,
    )


def _group_row(
    group: BreakdownGroup, column: LeaderboardColumn, asked: ComparisonQuery, narrowing: str | None
) -> GroupRow:
    href = asked.changed(**{narrowing: group.name}).query() if narrowing else ""
    values = (row.columns()[column.key] for row in group.rows)
    texts = [column.write(None if isinstance(value, str) else value) for value in values]
    return GroupRow(group, href if group.name != "–" else "", texts)
