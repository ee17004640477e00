"""Rows of the harness page: figures of each rule over the steady series. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analysis.harness.outcomes import HarnessOutcome
from analysis.harness.reads import HarnessRuns
from analysis.harness.rules import HarnessChoice
from analysis.statistics.answers import Floats
from analysis.statistics.bootstrap import BootstrapSettings, median_interval
from analysis.statistics.multiple_comparisons import LEAST_SERIES
from analysis.statistics.result_quality import Quartiles, quartiles

BOOTSTRAP = BootstrapSettings()


@dataclass(frozen=True, slots=True, eq=False)
class HarnessRow:
    """One rule over the steady series.

    n         of so many steady series it would have measured something
    of        steady series
    seconds   of warm-up, of each of the n, sorted
    warmup    quartiles of these
    error     quartiles of the error of the result, and the 95 % interval of the median; none of
              fewer than 10 series
    early     mean share of measured iterations before the steady start
    past      share of the series of which the warm-up reaches the steady start
    wasted    median, and the sum over all
    reason    why it would have measured nothing of the others: the most frequent one
    """

    choice: HarnessChoice
    n: int
    of: int
    seconds: Floats
    warmup: Quartiles
    error: Quartiles
    interval: tuple[float, float] | None
    early: float | None
    past: float | None
    wasted: float | None
    wasted_total: float | None
    reason: str


@dataclass(frozen=True, eq=False)  # no slots: figures are computed when they are asked for
class HarnessTable:
    """Table of harness rules by their median warm-up, those without one last."""

    runs: HarnessRuns

    @cached_property
    def seconds(self) -> Floats:
        """Until the steady state, of each steady series, sorted."""
        return np.sort(np.array([series.seconds for series in self.runs.series], np.float64))

    @cached_property
    def truth(self) -> Quartiles:
        return quartiles(self.seconds)

    @property
    def n(self) -> int:
        """Steady series."""
        return len(self.runs.series)

    @property
    def is_reliable(self) -> bool:
        return self.n >= LEAST_SERIES

    @cached_property
    def rows(self) -> tuple[HarnessRow, ...]:
        rows = [
            _row(choice, [series.outcomes[choice.name] for series in self.runs.series])
            for choice in self.runs.choices
        ]
        rows.sort(key=lambda row: np.inf if row.warmup.q50 is None else row.warmup.q50)
        return tuple(rows)

    @property
    def measuring(self) -> tuple[HarnessRow, ...]:
        return tuple(row for row in self.rows if row.n)


def _row(choice: HarnessChoice, outcomes: Sequence[HarnessOutcome]) -> HarnessRow:
    measured_outcomes = [outcome for outcome in outcomes if not outcome.reason]
    errors = np.array([outcome.error for outcome in measured_outcomes], np.float64)
    reasons = Counter(outcome.reason for outcome in outcomes if outcome.reason)
    seconds = np.sort(np.array([outcome.seconds for outcome in measured_outcomes], np.float64))
    known_errors = errors[~np.isnan(errors)]
    enough = known_errors.size >= LEAST_SERIES
    return HarnessRow(
        choice=choice,
        n=len(measured_outcomes),
        of=len(outcomes),
        seconds=seconds,
        warmup=quartiles(seconds),
        error=quartiles(known_errors if enough else []),
        interval=median_interval(known_errors, BOOTSTRAP) if enough else None,
        early=_mean([outcome.early for outcome in measured_outcomes]),
        past=_mean([outcome.early == 0 for outcome in measured_outcomes]),
        wasted=float(np.median([outcome.wasted for outcome in measured_outcomes]))
        if measured_outcomes
        else None,
        wasted_total=sum(outcome.wasted for outcome in measured_outcomes)
        if measured_outcomes
        else None,
        reason=reasons.most_common(1)[0][0] if reasons else "",
    )


def _mean(numbers: Sequence[float]) -> float | None:
    return float(np.mean(numbers)) if numbers else None
