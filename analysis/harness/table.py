"""Rows of the harness page: figures of each rule over the steady series. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from analysis.harness.outcomes import HarnessOutcome
from analysis.harness.reads import HarnessRuns
from analysis.harness.rules import HarnessChoice
from analysis.statistics.answers import Floats
from analysis.statistics.bootstrap import BootstrapSettings, median_interval
from analysis.statistics.multiple_comparisons import LEAST_SERIES
from analysis.statistics.result_quality import Quartiles, quartiles

BOOTSTRAP = BootstrapSettings()


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
    def rows(self) -> tuple[dict[str, Any], ...]:
        rows = [
            _row(choice, [series.outcomes[choice.name] for series in self.runs.series])
            for choice in self.runs.choices
        ]
        rows.sort(key=lambda row: np.inf if row["warm_up_q50"] is None else row["warm_up_q50"])
        return tuple(rows)

    @property
    def measuring_rows(self) -> tuple[dict[str, Any], ...]:
        return tuple(row for row in self.rows if row["n"])


def _row(choice: HarnessChoice, outcomes: Sequence[HarnessOutcome]) -> dict[str, Any]:
    """One rule over the steady series: cells by column of the file.

    n         of so many steady series it would have measured something
    warm_up   quartiles of seconds over the n
    error     quartiles of the error of the result, and the 95 % interval of the median; none of
              fewer than 10 series
    early     mean share of measured iterations before the steady start
    past      share of the series of which the warm-up reaches the steady start
    wasted    median, and the sum over all
    reason    why it would have measured nothing of the others: the most frequent one
    """
    measured_outcomes = [outcome for outcome in outcomes if not outcome.reason]
    errors = np.array([outcome.error for outcome in measured_outcomes], np.float64)
    reasons = Counter(outcome.reason for outcome in outcomes if outcome.reason)
    wasted_seconds = [outcome.wasted for outcome in measured_outcomes]
    errors = errors[~np.isnan(errors)]
    if errors.size < LEAST_SERIES:
        errors = errors[:0]
    low, high = median_interval(errors, BOOTSTRAP) or (None, None)
    return {
        "harness": choice.name,
        "rule": choice.words,
        "method": choice.rule.key,
        "n": len(measured_outcomes),
        "of": len(outcomes),
        **quartiles(outcome.seconds for outcome in measured_outcomes).cells("warm_up"),
        **quartiles(errors).cells("error"),
        "error_low": low,
        "error_high": high,
        "early": _mean([outcome.early for outcome in measured_outcomes]),
        "past": _mean([outcome.early == 0 for outcome in measured_outcomes]),
        "wasted_q50": float(np.median(wasted_seconds)) if wasted_seconds else None,
        "wasted_total": sum(wasted_seconds) if wasted_seconds else None,
        "reason": reasons.most_common(1)[0][0] if reasons else "",
    }


def _mean(numbers: Sequence[float]) -> float | None:
    return float(np.mean(numbers)) if numbers else None
