"""The breakdown: the same figures within groups of series, and as a table of the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from analysis.comparison.columns import ALL_COLUMNS, LeaderboardColumn
from analysis.comparison.inputs import ComparedSeries, ComparisonInputs
from analysis.comparison.query import GROUPED, GROUPINGS, ComparisonLink, Grouping
from analysis.comparison.table import ComparisonResult, comparison_statistics
from analysis.methods.method_style import MethodStyle
from analysis.statistics.answers import Number
from analysis.statistics.breakdown import BreakdownGroup, breakdown

MOST: Final = 40
"""Groups on a page; a file has all."""

NAMES: Final[Mapping[str, Callable[[ComparedSeries], str]]] = {
    "system": lambda line: line.system,
    "dataset": lambda line: line.dataset,
    "benchmark": lambda line: " ".join(part for part in (line.short_name, line.params) if part),
    "unit": lambda line: line.unit,
    "length": lambda line: str(line.n),
    "recording": lambda line: line.recording,
    "fork": lambda line: str(line.fork),
    "shape": lambda line: line.shape or "",
    "noise": lambda line: line.noise or "",
}


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Groups by one property; `of` is how many there are, of which the largest are here."""

    by: Grouping
    groups: tuple[BreakdownGroup, ...]
    of: int


@lru_cache(maxsize=32)
def grouping_properties(inputs: ComparisonInputs) -> tuple[Grouping, ...]:
    """What these series can be grouped by: whatever makes two groups."""
    return tuple(by for by in GROUPINGS if _makes_two(inputs, by))


def _makes_two(inputs: ComparisonInputs, by: Grouping) -> bool:
    every = _each_name(inputs, by)
    first = next(every, None)
    return any(name != first for name in every)


def breakdown_by_property(compared: ComparisonResult, most: int | None = None) -> Breakdown | None:
    """The breakdown that is asked for, else by the first property that makes two groups."""
    there = grouping_properties(compared.inputs)
    by = compared.asked.group or (there[0] if there else "")
    if by == "" or by not in there:
        return None
    counts = Counter(names(compared.inputs, by))
    return Breakdown(by, _groups(compared.inputs, by, most), len(counts))


def names(inputs: ComparisonInputs, by: Grouping) -> tuple[str, ...]:
    """The group of each series; `–` where it has none."""
    return tuple(_each_name(inputs, by))


def _each_name(inputs: ComparisonInputs, by: Grouping) -> Iterator[str]:
    if by == "agreement":
        return (word or "–" for word in inputs.truth.words)
    return (NAMES[by](line) or "–" for line in inputs.lines)


@lru_cache(maxsize=32)
def _groups(inputs: ComparisonInputs, by: Grouping, most: int | None) -> tuple[BreakdownGroup, ...]:
    found = names(inputs, by)
    largest = {name for name, _ in Counter(found).most_common(most)}
    kept = [name if name in largest else "" for name in found]
    groups = breakdown(kept, inputs.methods, comparison_statistics(inputs).scope)
    return tuple(sorted((each for each in groups if each.name), key=_natural))


def _natural(group: BreakdownGroup) -> list[tuple[int, int, str]]:
    """2 before 10, whatever stands around them."""
    parts = re.split(r"(\d+)", group.name)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part]


# --- the table --------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group: its name, its series, one figure a method; `href` narrows the page to it.

    best  title of the method with the best figure; empty in a group of few series
    """

    group: BreakdownGroup
    href: str
    texts: Sequence[str]
    best: str = ""


@dataclass(frozen=True, slots=True)
class BreakdownTable:
    """The breakdown as a table: a row a group, a column a method."""

    by: str
    figure: str
    groupings: Sequence[ComparisonLink]
    figures: Sequence[ComparisonLink]
    looks: Sequence[MethodStyle]
    rows: Sequence[GroupRow]
    of: int

    @property
    def finding(self) -> str:
        """In how many groups of enough series which method is best."""
        best = Counter(row.best for row in self.rows if row.best)
        if not best:
            return f"No group by {self.by} has 10 series or more."
        title, groups = best.most_common(1)[0]
        return f"{title} has the best {self.figure} in {groups} of {best.total()} groups."


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
            ComparisonLink(GROUPINGS[by], asked.changed(group=by), chosen=by == found.by)
            for by in grouping_properties(compared.inputs)
        ],
        figures=[
            ComparisonLink(words, asked.changed(grouped=key), chosen=key == asked.grouped)
            for key, words in GROUPED.items()
        ],
        looks=[compared.looks[name] for name in compared.inputs.methods],
        rows=[_group_row(group, column, compared, narrowing) for group in found.groups],
        of=found.of,
    )


def _group_row(
    group: BreakdownGroup,
    column: LeaderboardColumn,
    compared: ComparisonResult,
    narrowing: str | None,
) -> GroupRow:
    href = compared.asked.changed(**{narrowing: group.name}).query() if narrowing else ""
    values = {row.method: row.columns()[column.key] for row in group.rows}
    numbers = {name: None if isinstance(value, str) else value for name, value in values.items()}
    texts = [column.write(number) for number in numbers.values()]
    best = "" if group.few else _best(numbers, column, compared)
    return GroupRow(group, href if group.name != "–" else "", texts, best)


def _best(
    numbers: Mapping[str, Number | None], column: LeaderboardColumn, compared: ComparisonResult
) -> str:
    """Title of the ranked method with the best number: the least error, the largest share."""
    ranked = {each.name: each.title for each in compared.entries if each.rank is not None}
    known = {name: value for name, value in numbers.items() if value is not None and name in ranked}
    if not known:
        return ""
    sign = 1 if column.first else -1
    return ranked[min(known, key=lambda name: (sign * abs(known[name]), ranked[name]))]
