"""pyperf: one value of warm-up, or as many as its calibration finds."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from detectors.api import Detector, Source, Values, parameter
from detectors.rules.harnesses.configured import iteration_time_parameter
from detectors.rules.harnesses.operations import HarnessStages, OperationsRule, RecordedOperations

CALIBRATED: Final = -1
VALUES: Final = 3  # measured in a process
MOST: Final = 300  # values that calibration looks at
SAMPLE: Final = 20
MEAN_BELOW, MEAN_ABOVE, SPREAD, QUARTILE = -0.5, 0.10, 0.10, 0.05  # differences of two samples
OUTLIER: Final = 1.5  # quartile distances above the third quartile


class Pyperf(OperationsRule):
    slug, version = "pyperf", "3"
    title = "pyperf"
    code, slot = "PYP", 51
    source = Source(
        "pyperf; psf/pyperf: pyperf/_worker.py, pyperf/_runner.py",
        url="https://github.com/psf/pyperf",
        section="calibrate_loops, calibrate_warmups and test_calibrate_warmups",
    )
    family = "Harnesses"

    class Params(Detector.Params):
        warmups: int = parameter(
            1,
            low=CALIBRATED,
            high=100_000,
            unit="values",
            help="Values of warm-up; -1: as many as calibration finds, as pyperf does under a "
            "compiling Python when it is told no number.",
        )
        min_time: float = parameter(
            0.1, low=1e-9, high=1e6, unit="s", help="A value takes so long at least."
        )
        iteration_time: float = iteration_time_parameter()

    params: Params

    def stages(self, recording: RecordedOperations) -> HarnessStages:
        loops = self.loops(recording)
        if self.params.warmups != CALIBRATED:
            return HarnessStages(loops * self.params.warmups, VALUES * loops)
        ends = loops * np.arange(MOST + 1.0)
        ends = ends[ends <= recording.ends[-1]]
        values = np.diff(recording.elapsed(ends)) / loops
        settled_indices = np.flatnonzero(looks_settled(values)[1:])
        if not settled_indices.size:
            flags = ("gave-up",) if values.size == MOST else ()
            return HarnessStages(np.inf, 0.0, rounds=ends, flags=flags)
        warmups = int(settled_indices[0]) + 1
        looked_at = ends[: warmups + 2 * SAMPLE + 1]
        return HarnessStages(loops * warmups, VALUES * loops, rounds=looked_at)

    def loops(self, recording: RecordedOperations) -> float:
        """Operations of a value: doubled until each of a few values takes long enough."""
        operations_done, loops, good_count = 0.0, 1.0, 0
        while good_count < 1 + VALUES:
            is_short = recording.round(operations_done, loops) < self.params.min_time
            operations_done += loops
            loops, good_count = (2 * loops, good_count) if is_short else (loops, good_count + 1)
        return loops


Bools = NDArray[np.bool_]


def looks_settled(values: Values) -> Bools:
    """Mask of values from which on 40 values look steady: bool (n - 39,).

    Their halves are alike in mean, spread and quartiles, and the first is no outlier.
    """
    if values.size < 2 * SAMPLE:
        return np.zeros(0, np.bool_)
    samples = np.sort(sliding_window_view(values, SAMPLE), axis=1)
    means = sliding_window_view(values, SAMPLE).mean(axis=1)
    later_values = np.sort(sliding_window_view(values[1:], 2 * SAMPLE - 1), axis=1)
    low, high = _quantile(later_values, 0.25), _quantile(later_values, 0.75)
    mean = _change(means)
    is_alike = values[: high.size] <= high + OUTLIER * (high - low)
    is_alike &= (
        (mean >= MEAN_BELOW) & (mean <= MEAN_ABOVE) & (abs(_change(_spread(samples))) <= SPREAD)
    )
    for share in (0.25, 0.75):
        is_alike &= abs(_change(_quantile(samples, share))) <= QUARTILE
    return is_alike


def _change(figures: Values) -> Values:
    """Change of each sample from the next one that shares no value, as a share; 0 of equal ones."""
    earlier_figures, later_figures = figures[:-SAMPLE], figures[SAMPLE:]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(
            earlier_figures == later_figures, 0.0, (earlier_figures - later_figures) / later_figures
        )


def _quantile(rows: Values, share: float) -> Values:
    """Quantile of sorted rows; the place lies between two values."""
    position = (rows.shape[1] - 1) * share
    low = int(position)
    return np.asarray(rows[:, low] * (low + 1 - position) + rows[:, low + 1] * (position - low))


def _spread(rows: Values) -> Values:
    """Median distance from the median."""
    middle = (rows[:, SAMPLE // 2 - 1] + rows[:, SAMPLE // 2]) / 2
    distances = np.sort(abs(rows - middle[:, None]), axis=1)
    return np.asarray((distances[:, SAMPLE // 2 - 1] + distances[:, SAMPLE // 2]) / 2)
