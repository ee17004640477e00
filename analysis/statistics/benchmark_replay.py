"""Replay of a benchmark: what had run and been measured if a method had decided.

One replayer for all methods: each gets the same cap and the same length of measurement. Two
accountings of what is run:

published  a method is charged up to the end of its measurement, as publications count, whatever
           it had to see for its answer
honest     a method is charged for all that it had to see: up to its decision if it decides while
           values come, else, and for a "never", the whole series. What is paid for is measured.

Source of the first: Traini, Di Menna & Cortellessa 2024, sections 4.3 and 5.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from analysis.statistics.answers import Answers, Bools, Floats, Indices

Accounting = Literal["published", "honest"]

CAP: Final = 500
"""Warm-up iterations after which the published loop measures, whatever it knows."""

MEASURED: Final = 100
"""Iterations of a measurement, ten seconds of iterations of 0.1 s: as published."""


@dataclass(frozen=True, slots=True)
class ReplayRules:
    """Rules by which a benchmark is run again from its recording.

    cap       iterations of warm-up at most, from the start of the process; None for no limit
    measured  iterations that are measured after the warm-up
    """

    accounting: Accounting = "published"
    cap: int | None = CAP
    measured: int = MEASURED

    def __post_init__(self) -> None:
        if self.measured < 1 or (self.cap is not None and self.cap < 0):
            raise ValueError(
                f"rules: found cap {self.cap} and {self.measured} measured, "
                "expected a cap from 0 on or None, and at least 1 measured"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """Iterations run of each series, all arrays (n,). Iterations start to stop - 1 are measured.

    start   first measured iteration; the length of the series where nothing is measured
    stop    the first that is not run any more: so many iterations are paid for
    given   the method has an answer; start and stop are the length of the series where not
    never   it says never
    capped  the cap ended the warm-up, not the method
    """

    start: Indices
    stop: Indices
    given: Bools
    never: Bools
    capped: Bools

    @property
    def measures(self) -> Bools:
        return self.given & (self.stop > self.start)


def replay(
    answers: Answers,
    decision_ends: Floats,
    lengths: Indices,
    rules: ReplayRules,
    measured_counts: Indices | None = None,
    *,
    unrecorded_counts: Indices | int = 0,
) -> Replay:
    """Replay the answers of one method.

    decision_ends     float64 (n,): the last iteration that the method had to see; NaN for one
                      that had to see the whole series
    lengths           int64 (n,): iterations of each series
    measured_counts   int64 (n,): iterations that are measured of each; None: as the rules say
    unrecorded_counts int64 (n,): warm-up iterations that were run before the first recorded one,
                      of its length; they count for the cap
    """
    replay_rule = _published_spans if rules.accounting == "published" else _honest_spans
    counts = np.full(lengths.shape, rules.measured) if measured_counts is None else measured_counts
    caps = None if rules.cap is None else np.maximum(rules.cap - np.asarray(unrecorded_counts), 0)
    starts, stops, is_capped = replay_rule(answers, decision_ends, lengths, caps, counts)
    return Replay(
        start=np.where(answers.given, starts, lengths),
        stop=np.where(answers.given, stops, lengths),
        given=answers.given,
        never=answers.never,
        capped=is_capped & answers.given,
    )


Spans = tuple[Indices, Indices, Bools]


def _published_spans(
    answers: Answers, _: Floats, lengths: Indices, caps: Indices | None, measured_counts: Indices
) -> Spans:
    """Spans by the published rule: decision times are ignored, a "never" runs into the cap."""
    capped_lengths = lengths if caps is None else np.minimum(lengths, caps)
    answer_starts = _starts(answers, lengths)
    starts = np.minimum(answer_starts, capped_lengths)
    return starts, np.minimum(starts + measured_counts, lengths), answer_starts > capped_lengths


def _honest_spans(
    answers: Answers,
    decision_ends: Floats,
    lengths: Indices,
    caps: Indices | None,
    measured_counts: Indices,
) -> Spans:
    """A method that decides later than the cap is not waited for; one that never does, is."""
    starts = _starts(answers, lengths)
    seen_iterations = iterations_to_see(answers, decision_ends, lengths)
    is_capped = np.zeros(lengths.shape, np.bool_)
    if caps is not None:
        capped_lengths = np.minimum(lengths, caps)
        is_online = answers.steady & ~np.isnan(decision_ends)
        is_capped = is_online & (np.maximum(starts, seen_iterations) > capped_lengths)
        starts, seen_iterations = (
            np.where(is_capped, capped_lengths, starts),
            np.where(is_capped, capped_lengths, seen_iterations),
        )
    stops = np.minimum(np.maximum(starts + measured_counts, seen_iterations), lengths)
    return starts, stops, is_capped


def iterations_to_see(answers: Answers, decision_ends: Floats, lengths: Indices) -> Indices:
    """Number of iterations the method had to see for each answer: all of them for a "never"."""
    is_online = answers.steady & ~np.isnan(decision_ends)
    return np.where(is_online, np.nan_to_num(decision_ends) + 1, lengths).astype(np.int64)


def _starts(answers: Answers, lengths: Indices) -> Indices:
    """First measured iteration as answered; the length of the series where never."""
    starts = np.where(answers.steady, answers.index, lengths)
    return np.clip(np.ceil(starts), 0, lengths).astype(np.int64)
