"""The breakdown: the same figures within groups of series."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from analysis.comparison.inputs import ComparedSeries, ComparisonInputs
from analysis.comparison.query import GROUPINGS, Grouping
from analysis.comparison.table import ComparisonResult, comparison_statistics
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


def grouping_properties(compared: ComparisonResult) -> list[Grouping]:
    """What these series can be grouped by: whatever makes two groups."""
    return [by for by in GROUPINGS if len(set(names(compared.inputs, by))) > 1]


def breakdown_by_property(compared: ComparisonResult, most: int | None = None) -> Breakdown | None:
    """The breakdown that is asked for, else by the first property that makes two groups."""
    there = grouping_properties(compared)
    by = compared.asked.group or (there[0] if there else "")
    if by == "" or by not in there:
        return None
    counts = Counter(names(compared.inputs, by))
    return Breakdown(by, _groups(compared.inputs, by, most), len(counts))


def names(inputs: ComparisonInputs, by: Grouping) -> tuple[str, ...]:
    """The group of each series; `–` where it has none."""
    if by == "agreement":
        return tuple(word or "–" for word in inputs.truth.words)
    return tuple(NAMES[by](line) or "–" for line in inputs.lines)


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
