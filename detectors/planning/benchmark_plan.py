"""Plan of a benchmark run: warm-up, iterations and forks for a wished precision in the least time.

From recorded forks two variances are estimated: between the steady means of forks, and within a
fork, as the long-run variance of its iterations, which counts that they depend on one another.
With f forks of m measured iterations each the mean is then known to

    t(f - 1) · √(B / f + W / (f · m)),

the level of a fork having variance B and W being the long-run variance. Repeating an iteration
costs its time, repeating a fork also its start and its warm-up (Kalibera & Jones 2013, Rigorous
benchmarking in reasonable time, sections 6 to 8). Both variances are estimated from few forks, so
a plan takes upper bounds of them that hold with the probability `assurance`. And forks that are
called steady may still creep: how far the mean of the iterations that would be measured lay from
the steady mean in the recorded forks counts against the target, too.

Iterations of a plan count from the start of the process, in the length of the recorded ones: a
fork may have run warm-up before its first recorded value. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from detectors.contract import NEVER, Values
from detectors.intervals.quantiles import chi_squared_quantile, student_quantile
from detectors.intervals.steady_interval import BATCHES, long_run_variance

CONFIDENCE: Final = 0.95
ASSURANCE: Final = 0.95
LEAST_FORKS: Final = 3
"""With fewer steady forks nothing is said about the variance between them."""

LEAST_STEADY: Final = 20  # steady iterations of a fork from which its variance is estimated
ROUNDED: Final = 10  # warm-ups are multiples of it
COVERED: Final = 0.9
"""The share of forks that are to be steady after the warm-up."""

FAR_OFF: Final = 2.0
"""A fork that needs more than so many times the warm-up of the others is left uncovered."""

MOST_FORKS: Final = 30
ITERATIONS: Final = (
    *(1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 160, 200, 250, 300, 400, 500),
    *(600, 800, 1000, 1200, 1600, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 10_000),
)
LONGER: Final = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0)
"""Warm-ups that are tried, as multiples of what covers the forks."""

FROM_NONE: Final = (0, 10, 20, 30, 50, 100, 150, 200, 300, 500)
RESAMPLES: Final = 2000

MOST_TIMES: Final = 5.0
"""A test that takes longer than so many times the present one is no advice."""

WIDEST: Final = 0.5
"""A result that is off by more than this share of the mean is no advice: its interval is wider than
the mean."""

Lacking = Literal[
    "",
    "never steady",
    "too few forks",
    "too short",
    "alike",
    "out of reach",
    "too long",
    "too wide",
]


@dataclass(frozen=True, slots=True)
class MeasuredFork:
    """One recorded fork: float64 (n,) values, in the order measured, and its first steady one.

    start  0-based; NEVER where the fork does not become steady
    recorded_from  iterations that the process ran before the first value
    """

    values: Values
    start: int
    recorded_from: int = 0

    @property
    def steady(self) -> bool:
        return self.start != NEVER

    @property
    def warm_up(self) -> int:
        """Iterations of the process before the first steady one, of a fork that becomes steady."""
        return self.recorded_from + self.start

    @property
    def recorded_to(self) -> int:
        """Iterations of the process until its last value."""
        return self.recorded_from + self.values.size


@dataclass(frozen=True, slots=True)
class RepeatCosts:
    """Costs of repeating, in seconds: an iteration, and the start of a fork."""

    iteration: float
    fork: float

    def seconds(self, warm_up: int, iterations: int, forks: int) -> float:
        """Machine time of `forks` forks, each with its start, warm-up and measured iterations."""
        return forks * (self.fork + (warm_up + iterations) * self.iteration)


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Iterations to leave out, from the start of the process.

    iterations  the least multiple of ten that covers the forks it is meant to cover
    low, high   95 % interval of the start that it covers, by resampling forks
    covered     steady forks that are steady by then, of `steady`
    steady      forks that become steady, of `forks`
    unrecorded  of the iterations, those that were run before the first recorded value
    """

    iterations: int
    low: int
    high: int
    covered: int
    steady: int
    forks: int
    unrecorded: int = 0

    @property
    def never(self) -> int:
        return self.forks - self.steady


@dataclass(frozen=True, slots=True)
class VarianceLevels:
    """Mean of the steady state, and its variance at both levels, in the unit of the values.

    between, within          estimates: of the level of a fork, and the long-run variance of an
                             iteration within one
    between_most, within_most  upper bounds of them with the probability of the plan's assurance
    forks                    that were used
    away                     of these forks, summed up: by how much every iteration that all of them
                             have lies off the fork's own steady mean, as a share of the mean of
                             all; float64 (forks, recorded - first + 1), beginning with 0
    first                    iterations of the process before the first that all forks have
    assurance                of the upper bounds
    """

    mean: float
    between: float
    within: float
    between_most: float
    within_most: float
    forks: int
    away: Values = field(repr=False)
    assurance: float
    first: int = 0

    @property
    def recorded(self) -> int:
        """Iterations of the process until the last that all forks have."""
        return self.first + int(self.away.shape[1]) - 1

    def bias(self, warm_up: int, iterations: int) -> tuple[float, float]:
        """Deviation of these iterations from the steady mean, a share of it; and its upper bound.

        warm_up  at least `first`: nobody knows what earlier iterations took
        At the most: the upper bound of its size, from how much forks differ in it. Beyond what is
        recorded, of those that are; 0 where none of them is.
        """
        end = min(warm_up + iterations, self.recorded) - self.first
        begin = warm_up - self.first
        if begin >= end:
            return 0.0, 0.0
        fork_means = (self.away[:, end] - self.away[:, begin]) / (end - begin)
        error = float(fork_means.std(ddof=1)) / math.sqrt(fork_means.size)
        mean = float(fork_means.mean())
        return mean, abs(mean) + student_quantile(self.assurance, fork_means.size - 1) * error

    def half_width(self, iterations: int, forks: int, confidence: float = CONFIDENCE) -> float:
        """Half of the interval of the mean as a share of it; by the upper bounds."""
        squared = (self.between_most + self.within_most / iterations) / forks
        quantile = student_quantile((1 + confidence) / 2, forks - 1)
        return quantile * math.sqrt(squared) / abs(self.mean)

    def best_iterations(self, fork_cost: float, iteration_cost: float) -> float:
        """Iterations of a fork at which precision costs the least (Kalibera & Jones, section 8).

        fork_cost counts the start of a fork and its warm-up. Infinite where forks do not differ.
        """
        if self.between_most == 0:
            return math.inf
        return math.sqrt(fork_cost / iteration_cost * self.within_most / self.between_most)


@dataclass(frozen=True, slots=True)
class Configuration:
    """Warm-up iterations, measured iterations and forks; what that gives, and costs.

    half_width  half of the interval of the mean as a share of it; None where it is not known
    bias        by how much these very iterations lay off the steady mean in the recorded forks,
                a share of it; None where it is not known
    bias_most   upper bound of its size
    seconds     machine time
    """

    warm_up: int
    iterations: int
    forks: int
    half_width: float | None
    bias: float | None
    bias_most: float | None
    seconds: float

    @property
    def off(self) -> float:
        """Largest deviation of the result, a share of the mean; infinite where unknown."""
        if self.half_width is None or self.bias_most is None:
            return math.inf
        return self.half_width + self.bias_most

    @property
    def shows(self) -> float | None:
        """The least change between two such results whose intervals of the difference leave 0."""
        return None if self.half_width is None else math.sqrt(2) * self.half_width


@dataclass(frozen=True, slots=True)
class BenchmarkPlan:
    """Recommendation for a benchmark, and what it rests on.

    lacking  why there is no recommendation, or empty; `out of reach` and `too long`: `recommended`
             is what comes nearest
    target   wished: a result that is off by this share of the mean at the most
    refused  what would be recommended if it were not too long or too wide
    present  seconds that the present test takes; None where nobody says
    """

    warm_up: WarmUp | None
    levels: VarianceLevels | None
    recommended: Configuration | None
    lacking: Lacking
    target: float
    confidence: float
    costs: RepeatCosts
    refused: Configuration | None = None
    present: float | None = None

    def configuration(self, warm_up: int, iterations: int, forks: int) -> Configuration:
        """Precision, bias and seconds of a configuration."""
        half_width = bias = most = None
        if self.levels is not None:
            if warm_up >= self.levels.first:
                bias, most = self.levels.bias(warm_up, iterations)
            if forks > 1:
                half_width = self.levels.half_width(iterations, forks, self.confidence)
        seconds = self.costs.seconds(warm_up, iterations, forks)
        return Configuration(warm_up, iterations, forks, half_width, bias, most, seconds)


def benchmark_plan(
    forks: Sequence[MeasuredFork],
    costs: RepeatCosts,
    *,
    target: float = 0.01,
    confidence: float = CONFIDENCE,
    assurance: float = ASSURANCE,
    most_seconds: float = math.inf,
    present: float | None = None,
) -> BenchmarkPlan:
    """The shortest test whose mean is off by `target` of it at the most, from recorded forks.

    most_seconds  machine time that a recommendation may take; where the target takes more, the
                  most exact configuration within it is recommended
    present       seconds that the present test takes; what takes more than `MOST_TIMES` as long is
                  not recommended
    """
    warm_up = needed_warm_up(forks)
    levels = None if warm_up is None else variance_levels(forks, warm_up.iterations, assurance)
    lacking: Lacking = ""
    if warm_up is None:
        lacking = "never steady"
    elif warm_up.steady < LEAST_FORKS:
        lacking = "too few forks"
    elif len(_long_enough(forks, warm_up.iterations)) < LEAST_FORKS:
        lacking = "too short"
    elif levels is None:
        lacking = "alike"
    plan = BenchmarkPlan(warm_up, levels, None, lacking, target, confidence, costs, present=present)
    if warm_up is None or levels is None:
        return plan
    return _recommended(plan, warm_up.iterations, levels, most_seconds)


def _recommended(
    plan: BenchmarkPlan, least: int, levels: VarianceLevels, most_seconds: float
) -> BenchmarkPlan:
    """The plan with its recommendation, as far as that is advice."""
    best = _cheapest(least, levels, plan, most_seconds)
    is_reached = best is not None and best.off <= plan.target
    lacking: Lacking = "" if is_reached else "out of reach"
    refused = None
    if best is not None and plan.present and best.seconds > MOST_TIMES * plan.present:
        refused, lacking = best, "too long" if is_reached else "out of reach"
        best = _cheapest(least, levels, plan, MOST_TIMES * plan.present)
    if best is not None and best.off > WIDEST:
        refused, lacking, best = best, "too wide", None
    return replace(plan, recommended=best, lacking=lacking, refused=refused)


def _cheapest(
    least: int, levels: VarianceLevels, plan: BenchmarkPlan, most_seconds: float
) -> Configuration | None:
    """The best configuration; None where none is short enough."""
    warm_ups = (
        [_rounded(math.ceil(times * least)) for times in LONGER] if least else list(FROM_NONE)
    )
    warm_ups = [warm_up for warm_up in warm_ups if warm_up < levels.recorded] or [least]
    forks = range(2, MOST_FORKS + 1)
    half_widths = np.array(
        [[levels.half_width(m, f, plan.confidence) for m in ITERATIONS] for f in forks]
    )
    bias = np.array([[levels.bias(w, m)[1] for m in ITERATIONS] for w in warm_ups])
    off = half_widths + bias[:, np.newaxis, :]
    seconds = np.array(
        [[[plan.costs.seconds(w, m, f) for m in ITERATIONS] for f in forks] for w in warm_ups]
    )
    off[seconds > most_seconds] = np.inf
    # Of what was never recorded nobody knows whether it is steady.
    is_recorded = np.array([[w + m <= levels.recorded for m in ITERATIONS] for w in warm_ups])
    off[~np.broadcast_to(is_recorded[:, np.newaxis, :], off.shape)] = np.inf
    if not np.isfinite(off).any():
        return None
    is_reached = off <= plan.target
    best_place = (
        np.where(is_reached, seconds, np.inf).argmin() if is_reached.any() else off.argmin()
    )
    w, f, m = np.unravel_index(int(best_place), off.shape)
    return plan.configuration(warm_ups[w], ITERATIONS[m], forks[f])


# --- warm-up ----------------------------------------------------------------------------------
def needed_warm_up(forks: Sequence[MeasuredFork], seed: int = 0) -> WarmUp | None:
    """Warm-up that covers the forks that become steady; None where more than a tenth never do.

    All of them are covered, unless the slowest ones, at most a tenth, need more than twice as
    much as the others.
    """
    starts = np.sort([fork.warm_up for fork in forks if fork.steady])
    if not starts.size or starts.size < round(COVERED * len(forks), 9):
        return None
    rng = np.random.default_rng(seed)
    resampled_starts = np.sort(rng.choice(starts, (RESAMPLES, starts.size)), axis=1)
    low, high = np.quantile(
        [_covering(row) for row in resampled_starts], [0.025, 0.975], method="nearest"
    )
    iterations = _rounded(_covering(starts))
    covered = int((starts <= iterations).sum())
    unrecorded = max(fork.recorded_from for fork in forks)
    return WarmUp(iterations, int(low), int(high), covered, starts.size, len(forks), unrecorded)


def _covering(starts: np.ndarray) -> int:
    """The start, of sorted ones, that a warm-up has to reach."""
    most = int(starts[-1])
    ordinary = int(starts[math.ceil(COVERED * starts.size) - 1])
    return most if most <= FAR_OFF * max(ordinary, ROUNDED) else ordinary


def _rounded(start: int) -> int:
    return math.ceil(start / ROUNDED) * ROUNDED


# --- variances --------------------------------------------------------------------------------
def variance_levels(
    forks: Sequence[MeasuredFork], warm_up: int, assurance: float = ASSURANCE
) -> VarianceLevels | None:
    """Mean and variances after the warm-up; None where nothing varies, or the mean is 0.

    Forks that never become steady do not count, nor those with too few steady iterations.
    """
    long_enough = _long_enough(forks, warm_up)
    if len(long_enough) < LEAST_FORKS:
        return None
    used, parts = zip(*((fork, fork.values[begin:]) for fork, begin in long_enough), strict=True)
    means = np.array([steady_values.mean() for steady_values in parts])
    fork_variances = np.array([long_run_variance(steady_values) for steady_values in parts])
    within = float(fork_variances.mean())
    total, mean = float(means.var(ddof=1)), float(means.mean())
    if mean == 0 or total == 0 == within:
        return None
    noise = float(
        np.mean(
            [v / steady_values.size for v, steady_values in zip(fork_variances, parts, strict=True)]
        )
    )
    # of the means of forks, by their iterations alone
    return VarianceLevels(
        mean=mean,
        between=max(total - noise, 0.0),
        within=within,
        between_most=max(total * _bound(len(parts) - 1, assurance) - noise, 0.0),
        within_most=within * _bound((BATCHES - 1) * len(parts), assurance),
        forks=len(parts),
        away=_away(used, means, mean),
        assurance=assurance,
        first=max(fork.recorded_from for fork in used),
    )


def _long_enough(forks: Sequence[MeasuredFork], warm_up: int) -> list[tuple[MeasuredFork, int]]:
    """Steady forks with enough steady values after the warm-up, and the first of these."""
    begun = [(fork, max(fork.start, warm_up - fork.recorded_from)) for fork in forks if fork.steady]
    return [(fork, begin) for fork, begin in begun if fork.values.size - begin >= LEAST_STEADY]


def _away(forks: Sequence[MeasuredFork], means: Values, mean: float) -> Values:
    first = max(fork.recorded_from for fork in forks)
    stop = min(fork.recorded_to for fork in forks)
    common = [fork.values[first - fork.recorded_from : stop - fork.recorded_from] for fork in forks]
    away = (np.stack(common) - means[:, np.newaxis]) / abs(mean)
    return np.concatenate([np.zeros((means.size, 1)), np.cumsum(away, axis=1)], axis=1)


def _bound(freedom: float, assurance: float) -> float:
    """Factor of a variance with so many degrees of freedom for its upper bound."""
    return freedom / chi_squared_quantile(assurance, freedom)
