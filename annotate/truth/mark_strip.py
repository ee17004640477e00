"""Marks of one series on the axis that all series of a campaign share, as percentages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p
from typing import Final

from annotate.models import Mark
from annotate.truth.results import SeriesResult, Vote

TINT_BEYOND: Final = 1.2  # percent of the width that the tint reaches beyond its outer marks


@dataclass(frozen=True, slots=True)
class MarkAxis:
    """Logarithmic axis of 1 + iteration, from 0 to `last`."""

    last: int

    def place(self, iteration: int) -> float:
        """Percentage of the width, 0 at the left."""
        return round(100 * log1p(iteration) / log1p(max(self.last, 1)), 2)

    @property
    def ticks(self) -> list[tuple[int, float]]:
        """Labelled iterations with their places: 0, and powers of ten that have room."""
        powers = [10**power for power in range(1, 10) if 10**power <= self.last]
        return [(value, self.place(value)) for value in (0, *powers) if self.place(value) < 97]


@dataclass(frozen=True, slots=True)
class StripMark:
    """One steady mark: its place, who set it, and whether it counts."""

    place: float
    iteration: int
    people: str
    counts: bool


@dataclass(frozen=True, slots=True)
class MarkStrip:
    """One row of the drawing.

    tint   place and width of the group that counts; None without one
    truth  place of the ground truth; None where there is no iteration
    signs  a sign for each vote without an iteration: ○ never, ? unclear
    words  the drawing in words
    """

    marks: tuple[StripMark, ...]
    tint: tuple[float, float] | None
    truth: float | None
    signs: str
    signs_words: str
    words: str

    @classmethod
    def from_result(cls, result: SeriesResult, axis: MarkAxis) -> MarkStrip:
        """The row of one series."""
        steady_votes = [vote for vote in result.votes if vote.mark and vote.mark.index is not None]
        marks = tuple(_strip_marks(steady_votes, axis))
        start = result.settled.steady_start
        votes_without_mark = [vote for vote in result.votes if vote.human and vote.mark]
        never_votes = [vote for vote in votes_without_mark if _vote_kind(vote) == Mark.Kind.NEVER]
        unclear_votes = [
            vote for vote in votes_without_mark if _vote_kind(vote) == Mark.Kind.UNCLEAR
        ]
        mark_words = [f"{mark.people} {mark.iteration}" for mark in marks]
        signs = [f"{_names(never_votes)} never"] if never_votes else []
        signs += [f"{_names(unclear_votes)} unclear"] if unclear_votes else []
        return cls(
            marks,
            _tint([mark.place for mark in marks if mark.counts]),
            None if start is None else axis.place(start),
            "○" * len(never_votes) + "?" * len(unclear_votes),
            ", ".join(signs),
            ", ".join([*mark_words, *signs]) or "no answer yet",
        )


def _strip_marks(votes: Sequence[Vote], axis: MarkAxis) -> list[StripMark]:
    """Marks from left to right; people who set the same one share a tick."""
    votes_by_iteration: dict[int, list[Vote]] = {}
    for vote in votes:
        if vote.mark is not None and vote.mark.index is not None:
            votes_by_iteration.setdefault(vote.mark.index, []).append(vote)
    return [
        StripMark(
            axis.place(iteration),
            iteration,
            _names(iteration_votes),
            any(vote.clustered for vote in iteration_votes),
        )
        for iteration, iteration_votes in sorted(votes_by_iteration.items())
    ]


def _vote_kind(vote: Vote) -> str:
    return vote.mark.kind if vote.mark else ""


def _names(votes: Sequence[Vote]) -> str:
    return ", ".join(vote.pseudonym.upper() for vote in votes)


def _tint(places: Sequence[float]) -> tuple[float, float] | None:
    if not places:
        return None
    low_edge = max(min(places) - TINT_BEYOND, 0.0)
    return round(low_edge, 2), round(min(max(places) + TINT_BEYOND, 100.0) - low_edge, 2)


def marks_words(result: SeriesResult) -> str:
    """Say in a few words how far the marks of a series agree: 4 of 5 close."""
    truth, answered_count = result.truth, result.answered
    match result.truth_class:
        case "waiting":
            asked_count = sum(vote.asked for vote in result.votes if vote.human)
            return f"{answered_count} of {asked_count} answered"
        case "scattered":
            return "scattered"
        case "undecided":
            is_undecided = truth.agreement == "screened-undecided"
            return "screening, no majority" if is_undecided else "undecided"
        case "never":
            if truth.agreement == "screened-never":
                return "screening"
            never_count = sum(
                _vote_kind(vote) == Mark.Kind.NEVER for vote in result.votes if vote.human
            )
            return f"{never_count} of {answered_count} never" if answered_count else "published"
    return f"{len(truth.cluster)} of {answered_count} close"
