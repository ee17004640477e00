"""Tally of comparisons with published values: equal, different, missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

EQUAL, DIFFERS, NO_DATA, INCOMPLETE = range(4)
STATUS: Final = """\
Exit status 0: every comparison was made, and every figure is equal or differs for a reason that \
is printed with it; 1: some differ without one; 2: no published data, or a file of it cannot be \
read; 3: nothing differs, but some comparisons were not made, each with a line that says why."""


@dataclass(slots=True)
class ComparisonTally:
    """All comparisons of one run.

    compared   how many were made
    explained  how many of these are not equal, for a reason that is printed with them
    beside     figures that are only put beside the published ones, for a reason printed with them
    differing  a line for each other one that is not equal
    missing    what was not compared, how many figures that is, and why not
    """

    compared: int = 0
    explained: int = 0
    beside: int = 0
    differing: list[str] = field(default_factory=list)
    missing: list[tuple[str, int, str]] = field(default_factory=list)

    def hold(self, subject: str, own_figure: object, their_figure: object) -> bool:
        """Compare two that must be equal; whether they are."""
        self.compared += 1
        if own_figure != their_figure:
            self.differing.append(f"{subject}: {own_figure}, published {their_figure}")
        return own_figure == their_figure

    def miss(self, subject: str, reason: str, figure_count: int = 1) -> str:
        """Note what was not compared; the words for it."""
        self.missing.append((subject, figure_count, reason))
        return f"not computed: {reason}"

    @property
    def status(self) -> int:
        if self.differing:
            return DIFFERS
        return INCOMPLETE if self.missing or not self.compared else EQUAL

    def summary(self) -> Iterator[str]:
        """Lines on what differs, what is missing, and how many are equal."""
        yield from (f"DIFFERS  {difference}" for difference in self.differing)
        for subject, figures, reason in self.missing:
            yield f"not computed  {subject} ({figures}): {reason}"
        equal_count = self.compared - self.explained - len(self.differing)
        open_count = sum(figures for _, figures, _ in self.missing)
        yield (
            f"{equal_count:,} of {self.compared:,} comparisons equal, {self.explained:,} others "
            f"explained, {len(self.differing):,} differ; {open_count:,} not made; {self.beside:,} "
            "only put beside"
        )
