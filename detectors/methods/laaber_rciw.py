"""Laaber et al.'s rule of the relative width of a bootstrap confidence interval of the mean.

Of all steps so far a sample is resampled step by step and value by value; its mean's interval
must be narrow for several steps. Most widths need not be computed to the end: see `RciwStatistic`.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from detectors.api import Source, Values, parameter
from detectors.contract import seed_parameter
from detectors.kernels import laaber as kernels
from detectors.rules.online import stopping

BLOCK = 25  # simulations that are made together


class LaaberRciw(stopping.StoppingRule):
    slug, version = "laaber-rciw", "2"
    title = "Laaber's rule, width of the confidence interval"
    code, slot = "RC", 8
    source = Source(
        "Laaber, Würsten, Gall & Leitner 2020, Dynamically reconfiguring software "
        "microbenchmarks: reducing execution time without sacrificing result quality",
        doi="10.1145/3368089.3409683",
        url="https://github.com/chrstphlbr/pa",
    )
    family = "Published detectors"
    uses = ("samples",)
    cost = "quick"
    label = "relative width of the mean's bootstrap interval"

    class Params(stopping.StopParameters):
        min_steps: int = stopping.min_steps_parameter(5)
        threshold: float = parameter(
            0.03, low=1e-9, high=1e6, help="What is judged of the widths must be smaller."
        )
        reading: str = parameter(
            "offline",
            choices=("offline", "online"),
            help="offline: judged is the largest width, as in the published evaluation; "
            "online: the largest difference to the newest width, as in the published program.",
        )
        bootstrap: int = parameter(
            1000, low=100, high=100_000, help="Simulations of a step's interval."
        )
        alpha: float = parameter(
            0.01, low=1e-6, high=0.5, help="Share of the simulations outside of the interval."
        )
        index_rule: str = parameter(
            "folded",
            choices=("folded", "uniform"),
            help="How one of several is drawn: as the published tool does, which folds a normal "
            "number and rarely draws the last ones, or uniformly.",
        )
        seed: int = seed_parameter()

        def check(self) -> None:
            stopping.check_steps(self)

    params: Params

    @property
    def judged(self) -> str:  # type: ignore[override]  # what it is depends on the reading
        is_offline = self.params.reading == "offline"
        return "largest width of the steps judged" if is_offline else "largest difference of widths"

    def statistic(self) -> stopping.StepStatistic:
        return RciwStatistic(self.params)


class RciwStatistic(stopping.StepStatistic):
    """Widths by step, each simulated only as far as the answer needs.

    Simulations can only move the sixth smallest mean down and the fifth largest up: a width that
    is too large after a few of them stays so. And no window with a width too large can pass, so
    that the newest step of a window is looked at first.
    """

    def __init__(self, params: LaaberRciw.Params) -> None:
        self.params = params
        self.pool = stopping.DrawPool(params)
        self.widths: dict[int, float] = {}
        self.wide_steps: set[int] = set()

    def add(self, values: Values, weights: Values) -> None:
        self.pool.add(values, weights)

    def figure_at(self, step: int) -> float:
        if step not in self.widths:
            self.widths[step] = self._width(step, math.inf)
        return self.widths[step]

    def judged(self, step: int) -> float:
        if step < self.params.history:
            return math.nan
        *values_before, last = (self.figure_at(earlier_step) for earlier_step in self._window(step))
        if self.params.reading == "offline":
            return max(*values_before, last)
        return max(abs(earlier_value - last) for earlier_value in values_before)

    def holds(self, step: int) -> bool:
        if self.params.reading == "online":
            return self.judged(step) < self.params.threshold
        window = self._window(step)
        if self.wide_steps.intersection(window):
            return False
        return all(self._is_narrow(window_step) for window_step in reversed(window))

    def enough(self, forks: int) -> bool:
        return self._is_narrow(forks)

    def _window(self, step: int) -> range:
        return range(step - self.params.history + 1, step + 1)

    def _is_narrow(self, step: int) -> bool:
        if step not in self.widths:
            width = self._width(step, self.params.threshold)
            if width >= self.params.threshold:
                self.wide_steps.add(step)
                return False
            self.widths[step] = width
        return self.widths[step] < self.params.threshold

    def _width(self, step: int, enough_width: float) -> float:
        """The width of a step; or less, but at least `enough_width`."""
        p = self.params
        sample, steps = self.pool.sample(step)
        groups = StepGroups(sample, steps, p.index_rule)
        words = stopping.stream(p.seed, stopping.OF_THE_BOOTSTRAP, step)
        low = math.ceil(p.bootstrap * p.alpha / 2)
        high = p.bootstrap - min(math.floor(p.bootstrap * (1 - p.alpha / 2)), p.bootstrap - 1)
        means = np.empty(0)
        for block in range(-(-p.bootstrap // BLOCK)):
            count = min(BLOCK, p.bootstrap - block * BLOCK)
            means = np.sort(np.concatenate([means, groups.means(words, block, count)]))
            if means.size > max(low, high):
                width = float(means[-high] - means[low]) / groups.mean
                if width >= enough_width:
                    return width
        return width


class StepGroups:
    """Values in groups, step by step, and how to draw from them."""

    def __init__(self, sample: Values, steps: kernels.Places, rule: str) -> None:
        order = np.argsort(steps, kind="stable")
        values = kernels.scale_by_power(sample[order], math.frexp(float(sample.max()))[1])
        self.sizes = np.unique(steps, return_counts=True)[1]
        starts = np.cumsum(self.sizes) - self.sizes
        self.mean = float((np.add.reduceat(values, starts) / self.sizes).mean())
        tables = [cached_alias_table(int(size), rule) for size in self.sizes]
        alias_places = np.concatenate(
            [start + table[0] for start, table in zip(starts, tables, strict=True)]
        )
        self.cut = np.concatenate([table[1] for table in tables])
        # About the mean, so that sums of many draws lose nothing.
        self.own = values - self.mean
        self.other = self.own[alias_places]
        self.group_other, self.group_cut = cached_alias_table(self.sizes.size, rule)

    def means(self, words: kernels.Words, block: int, count: int) -> Values:
        with np.errstate(over="ignore"):  # the hash wraps around, also uncompiled
            return self.mean + kernels.simulated_means(
                self.own,
                self.other,
                self.cut,
                self.sizes,
                self.group_other,
                self.group_cut,
                words,
                block,
                count,
            )


@lru_cache(maxsize=4096)
def cached_alias_table(count: int, rule: str) -> tuple[kernels.Places, kernels.Words]:
    """The alias table for one of `count`; read only."""
    shares = kernels.folded_chances(count) if rule == "folded" else np.full(count, 1 / count)
    arrays = kernels.alias_table(shares)
    for array in arrays:
        array.setflags(write=False)
    return arrays
