"""Answers of a panel of people: the kinds of evidence that a model is fitted on.

*Marked* series, whose aggregated answer is known; and *shown* series, whose single marks and
steady/never label are known. They may be the same series, or other forks. Beside them, simulated
series of which the answer is *known*: no people saw these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from detectors.contract import NEVER, Values

Group = Literal["system", "benchmark"]
SHOWN_WEIGHT: Final = 0.3  # of a row of a shown series: one or two people, not a panel


@dataclass(frozen=True, slots=True, eq=False)
class MarkedSeries:
    """A series with the panel's answer; `marks` are those of each person, by name."""

    group: str  # what must not be on both sides of a fold: the system
    values: Values
    start: int
    clustered: bool = False
    marks: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class ShownSeries:
    """A series with single marks of people (only steady ones), and whether it counts as steady."""

    group: str
    values: Values
    marks: tuple[int, ...]
    steady: bool | None


@dataclass(frozen=True, slots=True, eq=False)
class KnownSeries:
    """A simulated series with its first steady iteration, or NEVER.

    group: what must not be on both sides of a fold, the workload of its noise.
    """

    group: str
    values: Values
    start: int

    @property
    def steady(self) -> bool:
        return self.start != NEVER


@dataclass(frozen=True, slots=True, eq=False)
class PanelAnswers:
    """All that is known of a panel's answers.

    group: what the groups of its series are; where all are of one system, benchmarks.
    """

    marked: Sequence[MarkedSeries]
    shown: Sequence[ShownSeries]
    group: Group = "system"
    known: Sequence[KnownSeries] = ()
