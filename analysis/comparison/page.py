"""Figures of a comparison that the page offers in several ways: breakdown and average ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.comparison import drawings
from analysis.comparison.breakdown import MOST, available, broken_down
from analysis.comparison.columns import ALL_COLUMNS, Column
from analysis.comparison.query import ALPHAS, GROUPED, GROUPINGS, Asked, Grouping
from analysis.comparison.table import Compared, rank_pairs, well_covered
from analysis.methods.method_style import Look
from analysis.statistics import Group, RankTest, TooFew


# --- choices within a figure ------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Choice:
    """One of several ways to show a figure, as a link."""

    text: str
    asked: Asked
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

    group: Group
    href: str
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Groups:
    """The breakdown as a table: a row a group, a column a method."""

    by: str
    figure: str
    groupings: Sequence[Choice]
    figures: Sequence[Choice]
    looks: Sequence[Look]
    rows: Sequence[GroupRow]
    of: int


NARROWING: Final[Mapping[Grouping, str]] = {
    "system": "system",
    "dataset": "dataset",
    "recording": "recording",
}


def groups(compared: Compared) -> Groups | None:
    """The chosen figure of every method in every group; None where there are not two groups."""
    found = broken_down(compared, MOST)
    if found is None:
        return None
    asked, column = compared.asked, ALL_COLUMNS[compared.asked.grouped]
    narrowing = NARROWING.get(found.by)
    return Groups(
        by=GROUPINGS[found.by],
        figure=GROUPED[asked.grouped],
        groupings=[
            Choice(GROUPINGS[by], asked.changed(group=by), chosen=by == found.by)
            for by in available(compared)
        ],
        figures=[
            Choice(words, asked.changed(grouped=key), chosen=key == asked.grouped)
            for key, words in GROUPED.items()
        ],
        looks=[compared.looks[name] for name in compared.inputs.methods],
        rows=[_group_row(group, column, asked, narrowing) for group in found.groups],
        of=found.of,
    )


def _group_row(group: Group, column: Column, asked: Asked, narrowing: str | None) -> GroupRow:
    href = asked.changed(**{narrowing: group.name}).query() if narrowing else ""
    values = (row.columns()[column.key] for row in group.rows)
    texts = [column.write(None if isinstance(value, str) else value) for value in values]
    return GroupRow(group, href if group.name != "–" else "", texts)


# --- ranks ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Ranks:
    """The diagram with its sentences; without one, why."""

    alphas: Sequence[Choice]
    sentence: str
    also: str = ""
    drawing: drawings.RankDrawing | None = None
    test: RankTest | None = None


def ranks(compared: Compared) -> Ranks:
    """Average ranks of the chosen methods but baselines, on series that all have answered."""
    test = rank_pairs(compared.inputs, compared.asked.alpha)
    alphas = [
        Choice(f"{each:g}", compared.asked.changed(alpha=each), chosen=each == compared.asked.alpha)
        for each in ALPHAS
    ]
    looks, without = compared.looks, _without(compared)
    if isinstance(test, TooFew):
        return Ranks(alphas, f"{test.sentence}{without}")
    pairs = [f"{looks[a].code} – {looks[b].code}" for a, b in test.also]
    also = f"Also not told apart: {', '.join(pairs)}." if pairs else ""
    return Ranks(
        alphas,
        f"{_with_titles(test.sentence, compared)}{without}",
        also,
        drawings.rank_drawing(test, looks),
        test,
    )


def _without(compared: Compared) -> str:
    """Who has answered too few series to be in the test."""
    kept = well_covered(compared.inputs)
    codes = [compared.looks[name].code for name in compared.inputs.ranked if name not in kept]
    return f" Not among them, having answered too few series: {', '.join(codes)}." if codes else ""


def _with_titles(sentence: str, compared: Compared) -> str:
    """The sentence with codes instead of keys; longest names first, as one may begin another."""
    for name in sorted(compared.looks, key=len, reverse=True):
        sentence = sentence.replace(name, compared.looks[name].code)
    return sentence
