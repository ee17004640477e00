"""Outcome of one harness on one series, against where the series becomes steady. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from analysis.harness.rules import HarnessChoice
from analysis.statistics.answers import Floats
from detectors.contract import Context, DetectorError, NotAvailable, Values
from detectors.rules.harnesses.configured import HarnessRule
from detectors.rules.harnesses.operations import OperationsRule, RecordedOperations

REASONS: Final = {
    "exhausted": "the series end before its warm-up is over",
    "gave-up": "its calibration gives up",
}
"""By flag: why there is nothing that it would have measured."""
UNRECORDED_RESULT: Final = "it would have begun to measure before the first recorded value"


@dataclass(frozen=True, slots=True)
class HarnessOutcome:
    """One rule on one steady series.

    warmup    recorded iterations before the measurement
    seconds   of warm-up, from the start of the process on
    measured  iterations of the measurement, as far as the series goes
    error     how far the mean of those is from that of the steady state, a share
    early     share of those that are before the steady start
    wasted    seconds of steady iterations before the measurement
    spent     seconds from the start of the process to the end of the measurement
    reason    why there are none of these figures; empty where there are
    """

    warmup: int = 0
    seconds: float = np.nan
    measured: int = 0
    error: float = np.nan
    early: float = np.nan
    wasted: float = np.nan
    spent: float = np.nan
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class HarnessReading:
    """A steady series as rules read it: its operations are counted once for all of them.

    values                as recorded: rates stay rates, and results are means of these
    read_values, context  durations, as `Detector.reads` gives them
    elapsed               seconds from the start of the process to each iteration and to the end:
                          float64 (n + 1,)
    start, steady_mean    first steady iteration, and the mean from there on
    """

    values: Values
    read_values: Values
    context: Context
    elapsed: Floats
    start: int
    steady_mean: float
    operations: dict[float, RecordedOperations] = field(default_factory=dict)

    def windows(self, rule: HarnessRule) -> tuple[int, int]:
        """Iterations of warm-up and of measurement. Raises `DetectorError`."""
        if not isinstance(rule, OperationsRule):
            return rule.windows(self.read_values, self.context)
        length = rule.iteration_time
        if length not in self.operations:
            self.operations[length] = RecordedOperations.from_values(
                self.read_values, self.context, length
            )
        return rule.windows_of(self.operations[length])

    def outcome(self, choice: HarnessChoice) -> HarnessOutcome:
        rule, values, start = choice.rule, self.values, self.start
        try:
            if rule.measures_unrecorded(self.read_values, self.context):
                return HarnessOutcome(reason=UNRECORDED_RESULT)
            warmup, measured_count = self.windows(rule)
            flags = (
                rule.detect(self.read_values, self.context).flags if warmup >= values.size else ()
            )
        except DetectorError as error:
            return HarnessOutcome(reason=error_reason(error))
        if warmup >= values.size:
            reason = next(
                (REASONS[flag] for flag in flags if flag in REASONS), REASONS["exhausted"]
            )
            return HarnessOutcome(reason=reason)
        stop = (
            warmup + measured_count if measured_count else values.size
        )  # without a configured length the measurement goes to the end
        result = float(values[warmup:stop].mean())
        return HarnessOutcome(
            warmup=warmup,
            seconds=float(self.elapsed[warmup]),
            measured=stop - warmup,
            error=abs(result / self.steady_mean - 1) if self.steady_mean else np.nan,
            early=max(min(stop, start) - warmup, 0) / (stop - warmup),
            wasted=max(float(self.elapsed[warmup] - self.elapsed[start]), 0.0),
            spent=float(self.elapsed[stop]),
        )


def error_reason(error: DetectorError) -> str:
    return error.reason if isinstance(error, NotAvailable) else str(error)


def outcomes_of(
    choices: Iterable[HarnessChoice], values: Values, context: Context, elapsed: Floats, start: int
) -> dict[str, HarnessOutcome]:
    """Outcomes of each rule, by its name; an unreadable series has its reason in all outcomes."""
    try:
        read_values, read_context = HarnessRule.reads(values, context)
    except DetectorError as error:
        return {choice.name: HarnessOutcome(reason=error_reason(error)) for choice in choices}
    steady_mean = float(values[start:].mean())
    reading = HarnessReading(values, read_values, read_context, elapsed, start, steady_mean)
    return {choice.name: reading.outcome(choice) for choice in choices}
