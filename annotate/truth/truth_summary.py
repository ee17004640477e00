"""Summary of a ground truth: how many series come to which end, and by when half are steady."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median_low
from typing import Final, Literal

TruthClass = Literal["close", "scattered", "never", "undecided", "waiting"]
CLASSES: Final[Mapping[TruthClass, str]] = {
    "close": "steady, marks close",
    "scattered": "steady, scattered",
    "never": "never",
    "undecided": "undecided",
    "waiting": "not answered by everybody yet",
}
"""Ends that a series comes to, in the order of the bar, with their words."""


def truth_class(*, steady: bool | None, agreement: str, complete: bool) -> TruthClass:
    """The end that a series comes to, from the fields of its ground truth."""
    if not complete:
        return "waiting"
    if steady is None:
        return "undecided"
    if not steady:
        return "never"
    return "close" if agreement == "clustered" else "scattered"


@dataclass(frozen=True, slots=True)
class TruthBarPart:
    """One part of the bar: percentages of its width, and the class that it filters by."""

    code: TruthClass
    words: str
    n: int
    left: float
    width: float


@dataclass(frozen=True, slots=True)
class TruthSummary:
    """Counts of series by the end that they come to, of what a reader may see.

    half_by  the iteration by which half of the steady ones are steady; None without any
    """

    counts: Mapping[TruthClass, int]
    half_by: int | None

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[TruthClass, int | None]]) -> TruthSummary:
        """Summary of series by class and first steady iteration."""
        counts: dict[TruthClass, int] = dict.fromkeys(CLASSES, 0)
        starts = []
        for code, start in rows:
            counts[code] += 1
            if code in {"close", "scattered"} and start is not None:
                starts.append(start)
        return cls(counts, median_low(starts) if starts else None)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def steady(self) -> int:
        return self.counts["close"] + self.counts["scattered"]

    @property
    def decided(self) -> int:
        """Series with a ground truth: steady or never."""
        return self.steady + self.counts["never"]

    @property
    def bar(self) -> list[TruthBarPart]:
        """Parts of the bar, those without a series left out."""
        parts, offset = [], 0.0
        for code, n in self.counts.items():
            if n:
                width = 100 * n / self.total
                parts.append(
                    TruthBarPart(code, CLASSES[code], n, round(offset, 3), round(width, 3))
                )
                offset += width
        return parts

    @property
    def sentence(self) -> str:
        """The outcome in one sentence, or two where some have none."""
        half_words = "" if self.half_by is None else f", half of them by iteration {self.half_by}"
        verb = "becomes" if self.steady == 1 else "become"
        first = f"{self.steady} of {self.total} series {verb} steady{half_words}"
        remaining_words = ", ".join(_rest(self.counts))
        return f"{first}; {remaining_words}." if remaining_words else f"{first}."


def _rest(counts: Mapping[TruthClass, int]) -> list[str]:
    words = []
    if n := counts["never"]:
        words.append(f"{n} never {'does' if n == 1 else 'do'}")
    if n := counts["undecided"]:
        words.append(f"{n} {'is' if n == 1 else 'are'} undecided")
    if n := counts["waiting"]:
        words.append(f"{n} {'waits' if n == 1 else 'wait'} for answers")
    return words
