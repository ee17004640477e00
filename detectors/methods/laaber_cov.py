"""Laaber et al.'s rule of the coefficient of variation: stop when its fall has come to an end.

After each step the relative spread of everything so far is taken, as it is to be expected from
the published sample of each step: no random number is needed.
"""

from __future__ import annotations

import numpy as np

from detectors.api import Source, Values, parameter
from detectors.kernels.laaber import moments, variation
from detectors.rules.online import stopping


class LaaberCov(stopping.StoppingRule):
    slug, version = "laaber-cov", "2"
    title = "Laaber's rule, coefficient of variation"
    code, slot = "CV", 7
    source = Source(
        "Laaber, Würsten, Gall & Leitner 2020, Dynamically reconfiguring software "
        "microbenchmarks: reducing execution time without sacrificing result quality",
        doi="10.1145/3368089.3409683",
        url="https://github.com/sealuzh/jmh",
    )
    family = "Published detectors"
    uses = ("samples",)
    label = "coefficient of variation of all steps so far"
    judged = "largest change over the steps judged together"

    class Params(stopping.StopParameters):
        min_steps: int = stopping.min_steps_parameter(5)
        threshold: float = parameter(
            0.01, low=1e-9, high=1e6, help="The largest change must be smaller."
        )
        reading: str = parameter(
            "offline",
            choices=("offline", "online"),
            help="offline: only a fall counts as a change, as in the published evaluation; "
            "online: a rise as well, as in the published program.",
        )

        def check(self) -> None:
            stopping.check_steps(self)

    params: Params

    def statistic(self) -> stopping.StepStatistic:
        return CovStatistic(self.params)


class CovStatistic(stopping.StepStatistic):
    def __init__(self, params: LaaberCov.Params) -> None:
        self.params = params
        self.means: list[float] = []
        self.variances: list[float] = []
        self.variations: list[float] = []

    def add(self, values: Values, weights: Values) -> None:
        mean, variance = moments(values, weights, self.params.outlier_factor)
        self.means.append(mean)
        self.variances.append(variance)
        means, variances = np.array(self.means), np.array(self.variances)
        self.variations.append(variation(means, variances, self.params.sample_size))

    def figure_at(self, step: int) -> float:
        return self.variations[step - 1]

    def judged(self, step: int) -> float:
        if step < self.params.history:
            return float("nan")
        *values_before, last = self.variations[step - self.params.history : step]
        return largest_change(values_before, last, is_signed=self.params.reading == "offline")

    def holds(self, step: int) -> bool:
        return self.judged(step) < self.params.threshold

    def enough(self, forks: int) -> bool:
        """A rise counts here in both readings, as published."""
        return abs(self.figure_at(forks) - self.figure_at(forks - 1)) < self.params.threshold


def largest_change(earlier_values: list[float], last: float, *, is_signed: bool) -> float:
    """Excess of the largest of the values before over the last; either way if not signed."""
    return max(
        (earlier_value - last) if is_signed else abs(earlier_value - last)
        for earlier_value in earlier_values
    )
