"""Laaber et al.'s rule of the divergence: stop when a further step no longer changes the density.

Samples of all steps up to this one and up to the one before are drawn, and their densities are
compared. How alike they are is mostly chance: with another seed the answer is another one.
"""

from __future__ import annotations

import math

import numpy as np

from detectors.api import Source, Values, parameter
from detectors.contract import seed_parameter
from detectors.kernels.laaber import likeness
from detectors.rules.online import stopping

ROUNDING = 1e-9  # a mean so near to the threshold is computed, not bounded


class LaaberKld(stopping.StoppingRule):
    slug, version = "laaber-kld", "2"
    title = "Laaber's rule, Kullback-Leibler divergence"
    code, slot = "KLD", 6
    source = Source(
        "Laaber, Würsten, Gall & Leitner 2020, Dynamically reconfiguring software "
        "microbenchmarks: reducing execution time without sacrificing result quality",
        doi="10.1145/3368089.3409683",
        url="https://github.com/sealuzh/jmh",
    )
    family = "Published detectors"
    uses = ("samples",)
    cost = "quick"
    label = "similarity of the densities with and without the step"
    judged = "mean similarity of the steps judged together"

    class Params(stopping.StopParameters):
        min_steps: int = stopping.min_steps_parameter(6)
        threshold: float = parameter(
            0.99, low=0.0, high=1.0, help="The mean similarity must be larger."
        )
        grid: int = parameter(
            1000, low=2, high=100_000, unit="points", help="Where the densities are compared."
        )
        range_factor: float = parameter(
            1.5,
            low=0.0,
            high=1000.0,
            unit="interquartile ranges",
            help="So far beyond the quartiles the densities are compared.",
        )
        seed: int = seed_parameter()

        def check(self) -> None:
            stopping.check_steps(self, first=2)

    params: Params

    def statistic(self) -> stopping.StepStatistic:
        return KldStatistic(self.params)


class KldStatistic(stopping.StepStatistic):
    """Likeness by step, computed only where the answer needs it.

    No likeness is above 1. So when those known of a window lack more than the mean may, the
    others do not matter; the newest is looked at first, because later windows have it too.
    """

    def __init__(self, params: LaaberKld.Params) -> None:
        self.params = params
        self.pool = stopping.DrawPool(params)
        self.samples: dict[int, Values] = {}
        self.likeness: dict[int, float] = {}

    def add(self, values: Values, weights: Values) -> None:
        self.pool.add(values, weights)

    def figure_at(self, step: int) -> float:
        if step < 2:
            return math.nan
        if step not in self.likeness:
            p = self.params
            new_sample, old_sample = self._sample(step), self._sample(step - 1)
            self.likeness[step] = likeness(new_sample, old_sample, p.grid, p.range_factor)
        return self.likeness[step]

    def judged(self, step: int) -> float:
        if step <= self.params.history:
            return math.nan
        return float(np.mean([self.figure_at(earlier_step) for earlier_step in self._window(step)]))

    def holds(self, step: int) -> bool:
        window = self._window(step)
        may_lack = (1 - self.params.threshold) * len(window) + ROUNDING
        missing_share = sum(
            1 - self.likeness[window_step] for window_step in window if window_step in self.likeness
        )
        for window_step in reversed(window):
            if missing_share > may_lack:
                return False
            if window_step not in self.likeness:
                missing_share += 1 - self.figure_at(window_step)
        return self.judged(step) > self.params.threshold

    def enough(self, forks: int) -> bool:
        return self.figure_at(forks) > self.params.threshold

    def _window(self, step: int) -> range:
        return range(step - self.params.history + 1, step + 1)

    def _sample(self, step: int) -> Values:
        if step not in self.samples:
            self.samples[step] = np.sort(self.pool.sample(step)[0])
        return self.samples[step]
