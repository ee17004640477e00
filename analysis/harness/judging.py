"""One series as the harness page counts it: where it becomes steady, and what rules do. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.harness.outcomes import HarnessOutcome, outcomes_of
from analysis.harness.rules import HARNESSES
from analysis.references.iteration_seconds import seconds_until
from detectors.contract import NEVER, Context, Detector, DetectorError, Values
from formats.iterations import IterationLength

NEVER_STEADY: Final = "never"
UNANSWERED: Final = "unanswered"
UNTIMED: Final = "untimed"


@dataclass(frozen=True, slots=True, eq=False)
class AskedSeries:
    """Input of the judgement of a series, with its context: an owner may change the iteration
    length.

    start  first steady iteration; None: nobody has marked, and the judge is asked
    """

    values: Values
    context: Context
    unit: str
    length: IterationLength | None
    start: int | None


@dataclass(frozen=True, slots=True)
class JudgedSeries:
    """First steady iteration, the seconds until it, and what each rule does, by its name."""

    start: int
    seconds: float
    outcomes: Mapping[str, HarnessOutcome]


Judgement = JudgedSeries | str
"""Or why a series is not counted: one of the words above."""


def judge_series(series: AskedSeries, judge: Detector) -> Judgement:
    """Judge one series; `judge` says where it becomes steady if no person does."""
    start = series.start
    if start is None:
        try:
            start = judge.answer(series.values, series.context).steady_start
        except DetectorError:
            return UNANSWERED
        if start == NEVER:
            return NEVER_STEADY
    elapsed = seconds_until(series.values, series.unit, series.length)
    if elapsed is None:
        return UNTIMED
    start = min(start, series.values.size - 1)
    outcomes = outcomes_of(HARNESSES, series.values, series.context, elapsed, start)
    return JudgedSeries(start, float(elapsed[start]), outcomes)


# --- between two processes ------------------------------------------------------------------------
PlainJudgement = str | tuple[int, float, Sequence[Sequence[float | str | None]]]
"""A judgement as JSON: figures of rules in their order, None for NaN."""
FIGURES: Final = ("warmup", "seconds", "measured", "error", "early", "wasted", "spent", "reason")


def plain_judgement(judgement: Judgement) -> PlainJudgement:
    if isinstance(judgement, str):
        return judgement
    rows = [
        [_json(getattr(judgement.outcomes[choice.name], name)) for name in FIGURES]
        for choice in HARNESSES
    ]
    return judgement.start, judgement.seconds, rows


def judgement_from_json(plain_form: PlainJudgement) -> Judgement:
    """Judgement from the JSON that `plain_judgement` made."""
    if isinstance(plain_form, str):
        return plain_form
    start, seconds, rows = plain_form
    outcomes = {
        choice.name: HarnessOutcome(*[np.nan if figure is None else figure for figure in row])  # type: ignore[arg-type]
        for choice, row in zip(HARNESSES, rows, strict=True)
    }
    return JudgedSeries(start, seconds, outcomes)


def _json(figure: float | str) -> float | str | None:
    return None if isinstance(figure, float) and math.isnan(figure) else figure
