"""Sailfish: ten operations of warm-up, or until the last six look steady."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from detectors.api import Detector, Source, Values, parameter
from detectors.rules.harnesses.configured import iteration_time_parameter
from detectors.rules.harnesses.operations import HarnessStages, OperationsRule, RecordedOperations

WINDOW: Final = 6
DRIFT: Final = 0.05  # of the medians of the window's halves
VARIATION: Final = 0.15  # of the window: standard deviation over mean
MEASURED: Final = 20


class Sailfish(OperationsRule):
    slug, version = "sailfish", "3"
    title = "Sailfish"
    code, slot = "SAIL", 56
    source = Source(
        "Sailfish; paulegradie/Sailfish: source/Sailfish/Execution/TestCaseIterator.cs, "
        "SteadyStateWarmupDetector.cs",
        url="https://github.com/paulegradie/Sailfish",
        section="fixed and steady-state warm-up",
    )
    family = "Harnesses"

    class Params(Detector.Params):
        warmup_operations: int = parameter(
            10, low=0, high=1_000_000, unit="operations", help="So many; until steady: at least."
        )
        rule: str = parameter(
            "fixed",
            choices=("fixed", "until-steady"),
            help="So many operations (fixed), or until the last six look steady.",
        )
        most: int = parameter(
            50, low=WINDOW, high=1_000_000, unit="operations", help="Until steady: at most."
        )
        iteration_time: float = iteration_time_parameter()

    params: Params

    def stages(self, recording: RecordedOperations) -> HarnessStages:
        p = self.params
        if p.rule == "fixed":
            return HarnessStages(p.warmup_operations, MEASURED)
        least_operations = max(p.warmup_operations, WINDOW)
        ends = np.arange(max(least_operations, p.most) + 1.0)
        recorded_ends = ends[ends <= recording.ends[-1]]
        steady_indices = np.flatnonzero(
            steady_mask(np.diff(recording.elapsed(recorded_ends)))[least_operations - WINDOW :]
        )
        if steady_indices.size:
            warmup = least_operations + int(steady_indices[0])
            return HarnessStages(warmup, MEASURED, rounds=recorded_ends[: warmup + 1])
        is_capped = recorded_ends.size > max(p.warmup_operations, p.most)
        flags = ("capped",) if is_capped else ()
        return HarnessStages(float(ends[-1]), MEASURED, rounds=recorded_ends, flags=flags)


def steady_mask(durations: Values) -> Values:
    """Mask of windows of six durations in a row that look steady: bool (n - 5,)."""
    if durations.size < WINDOW:
        return np.zeros(0, np.bool_)
    windows = sliding_window_view(durations, WINDOW)
    prior_medians, recent_medians = np.median(windows.reshape(-1, 2, WINDOW // 2), axis=2).T
    drift = abs(recent_medians - prior_medians) / prior_medians
    variation = windows.std(axis=1, ddof=1) / windows.mean(axis=1)
    return np.asarray((drift <= DRIFT) & (variation <= VARIATION))
