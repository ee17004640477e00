"""Figures of a comparison that the page offers in several ways: breakdown and average ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.comparison import drawings
from analysis.comparison.breakdown import MOST, breakdown_by_property, grouping_properties
from analysis.comparison.columns import ALL_COLUMNS, LeaderboardColumn
from analysis.comparison.query import ALPHAS, GROUPED, GROUPINGS, ComparisonQuery, Grouping
from analysis.comparison.table import ComparisonResult, rank_pairs, well_covered
from analysis.methods.method_style import MethodStyle
from analysis.statistics import BreakdownGroup, NoRankTest, RankTest


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


# --- ranks ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class RankSection:
    """The diagram with its sentences; without one, why."""

    alphas: Sequence[FigureLink]
    sentence: str
    also: str = ""
    drawing: drawings.RankDrawing | None = None
    test: RankTest | None = None


def rank_section(compared: ComparisonResult) -> RankSection:
    """Average ranks of the chosen methods but baselines, on series that all have answered."""
    test = rank_pairs(compared.inputs, compared.asked.alpha)
    alphas = [
        FigureLink(
            f"{each:g}", compared.asked.changed(alpha=each), chosen=each == compared.asked.alpha
        )
        for each in ALPHAS
    ]
    looks, without = compared.looks, _without(compared)
    if isinstance(test, NoRankTest):
        return RankSection(alphas, f"{test.sentence}{without}")
    pairs = [f"{looks[a].code} – {looks[b].code}" for a, b in test.also]
    also = f"Also without a significant difference: {', '.join(pairs)}." if pairs else ""
    return RankSection(
        alphas,
        f"{_with_titles(test.sentence, compared)}{without}",
        also,
        drawings.rank_drawing(test, looks),
        test,
    )


def _without(compared: ComparisonResult) -> str:
    """Who has answered too few series to be in the test."""
    kept = well_covered(compared.inputs)
    codes = [compared.looks[name].code for name in compared.inputs.ranked if name not in kept]
    return f" Not among them, having answered too few series: {', '.join(codes)}." if codes else ""


def _with_titles(sentence: str, compared: ComparisonResult) -> str:
    """The sentence with codes instead of keys; longest names first, as one may begin another."""
    for name in sorted(compared.looks, key=len, reverse=True):
        sentence = sentence.replace(name, compared.looks[name].code)
    return sentence
