"""Picture of who lies where against the others: a row a person on one axis, as percentages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, log1p
from typing import Final, Self

from analysis.statistics.annotator_agreement import MarkOffsets

EDGE: Final = 4.0  # percent of the width that stay free at both ends
LEAST: Final = 9.0  # iterations that the axis reaches at least


@dataclass(frozen=True, slots=True)
class OffsetRow:
    """One person: the figures, and the places of the five quantiles."""

    offsets: MarkOffsets
    low: float
    first_quartile: float
    middle: float
    third_quartile: float
    high: float

    @property
    def half_width(self) -> float:
        """Width of the band that holds half of the marks."""
        return round(self.third_quartile - self.first_quartile, 2)


@dataclass(frozen=True, slots=True)
class OffsetPicture:
    """Rows from the earliest person to the latest; ticks are iterations with their places."""

    rows: tuple[OffsetRow, ...]
    ticks: tuple[tuple[int, float], ...]

    @classmethod
    def from_people(cls, people: Sequence[MarkOffsets]) -> Self:
        """The picture of all people on a symmetric logarithmic axis of sign(x) log(1 + |x|)."""
        reach = max((abs(value) for person in people for value in person.quantiles), default=0.0)
        reach = max(reach, LEAST)
        rows = tuple(
            OffsetRow(person, *(_axis_percent(value, reach) for value in person.quantiles))
            for person in people
        )
        sizes = [10**power for power in range(1, 10) if 10**power <= reach] or [1]
        values = [*(-size for size in reversed(sizes)), 0, *sizes]
        return cls(rows, tuple((value, _axis_percent(value, reach)) for value in values))


def _axis_percent(value: float, reach: float) -> float:
    share = copysign(log1p(abs(value)), value) / log1p(reach)
    return round(50 + (50 - EDGE) * share, 2)
