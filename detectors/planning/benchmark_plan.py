"""Plan of a benchmark run: warm-up, iterations and forks for a wished precision in the least time.

From recorded forks two variances are estimated: between the steady means of forks, and within a
fork, as the long-run variance of its iterations, which counts that they depend on one another.
The result of f forks of m measured iterations has the standard deviation

    √(B / f + W / (f · m)),

the level of a fork having variance B and W being the long-run variance. Repeating an iteration
costs its time, repeating a fork also its start and its warm-up (Kalibera & Jones 2013, Rigorous
benchmarking in reasonable time, sections 6 to 8). Few forks say little about B, so what is known
of other benchmarks counts as a little more than one further fork, and a plan takes the upper bound
of the variance that holds with the probability `assurance`. If the recorded forks differ more in
the very iterations that would be measured, that variance counts. And forks that are called steady
may still creep: how far the mean of these iterations lay from the steady mean counts against the
target, too. `docs/design/planner.md` says how often plans are kept.

Iterations of a plan count from the start of the process, in the length of the recorded ones: a
fork may have run warm-up before its first recorded value. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Final, Literal

import numpy as np

from detectors.contract import NEVER, Values
from detectors.intervals.quantiles import chi_squared_quantile
from detectors.intervals.steady_interval import Indices, long_run_variance
from detectors.planning.plan_trial_results import PlanTrials, nearest_trials

CONFIDENCE: Final = 0.95
ASSURANCE: Final = 0.98
"""The least at which nine of ten plans are kept at ±1, 2, 5 and 10 %, in both halves."""

LEAST_FORKS: Final = 3
"""With fewer steady forks nothing is said about the variance between them."""

LEAST_STEADY: Final = 20  # steady iterations of a fork from which its variance is estimated
ROUNDED: Final = 10  # warm-ups are multiples of it
COVERED: Final = 0.9
"""The share of steady forks that the warm-up covers."""

MOST_NEVER: Final = 0.4
"""The share of forks that may never become steady; such a fork counts with its second half."""

FAR_OFF: Final = 2.0
"""A fork that needs more than so many times the warm-up of the others is left uncovered."""

MOST_FORKS: Final = 30
FORKS: Final = np.arange(2, MOST_FORKS + 1)
ITERATIONS: Final = (
    *(1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 160, 200, 250, 300, 400, 500),
    *(600, 800, 1000, 1200, 1600, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 10_000),
)
LONGER: Final = (
    0.5,
    0.6,
    0.75,
    1.0,
    1.25,
    1.5,
    2.0,
    2.5,
    3.0,
    4.0,
    5.0,
    6.0,
    8.0,
    10.0,
    15.0,
    20.0,
    30.0,
)
"""Warm-ups that are tried, as multiples of what covers the forks; shorter ones where little is off
before.
"""

FROM_NONE: Final = (0, 10, 20, 30, 50, 100, 150, 200, 300, 500)
RESAMPLES: Final = 2000

PRIOR_FREEDOM: Final = 1.2
"""Further forks that knowledge of other benchmarks is worth, for the variance between forks."""

PRIOR_SCALE: Final = 0.064
PRIOR_POWER: Final = 0.68
"""Forks differ by PRIOR_SCALE · w^PRIOR_POWER, w being the standard error of the mean of one second
within a fork; both shares of the mean. Fitted with PRIOR_FREEDOM: the difference of two forks then
is Student-distributed, by greatest likelihood on 331 published benchmarks of Traini et al. 2023
that no plan is tried on.
"""

CREEP_ERRORS: Final = 1.25
"""Standard errors by which the recorded creep is widened; chosen on trials."""

CREEP_WINDOWS: Final = 16
"""So many later windows are looked at for creep."""

MOST_TIMES: Final = 5.0
"""A test that takes longer than so many times the present one is no advice."""

FRUGAL: Final = 2.0
"""A test is recommended that takes at most so many times as long as the forks suggest."""

ROUND_PRECISIONS: Final = tuple(
    round(mantissa * power, 6)
    for power in (0.001, 0.01, 0.1)
    for mantissa in (1, 1.5, 2, 3, 4, 5, 7)
    if mantissa * power <= 0.5
)
"""Precisions that are tried in turn where the target is out of reach."""

Lacking = Literal[
    "", "never steady", "too few forks", "too short", "alike", "out of reach", "too long"
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
    def level_start(self) -> int:
        """First value that counts for the level: the steady start, else half of all values."""
        return self.start if self.steady else self.values.size // 2

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

    between, within  estimates: of the level of a fork, and the long-run variance of an iteration
                     within one
    total_variance   of the levels of recorded forks, with what is known of other benchmarks
    noise_variance   part of it that comes from the iterations within forks
    inflation        factor of a variance for its upper bound, with the plan's assurance
    even_inflation   this factor with an assurance of one half: what the forks suggest
    fork_levels      float64 (forks,): those of the forks that were used, as shares of the mean
    away             of these forks, summed up: by how much every iteration that all of them have
                     lies off the fork's own level, as a share of the mean of all; float64
                     (forks, recorded - first + 1), beginning with 0
    first            iterations of the process before the first that all forks have
    """

    mean: float
    between: float
    within: float
    total_variance: float
    noise_variance: float
    inflation: float
    even_inflation: float
    fork_levels: Values = field(repr=False)
    away: Values = field(repr=False)
    first: int = 0

    @property
    def forks(self) -> int:
        return self.fork_levels.size

    @property
    def recorded(self) -> int:
        """Iterations of the process until the last that all forks have."""
        return self.first + int(self.away.shape[1]) - 1

    def bias(self, warm_up: int, iterations: Indices) -> tuple[Values, Values]:
        """Deviation of these iterations from the steady mean, a share of it; and its upper bound.

        warm_up     at least `first`: nobody knows what earlier iterations took
        iterations  int64 (lengths,), so many each; both results are float64 (lengths,)
        The bound of its size is the greatest of these iterations and of later ones, as many: few
        forks hide by chance what shows a little later. Beyond what is recorded, of those that are;
        0 where none of them is.
        """
        begin, sizes = warm_up - self.first, np.minimum(iterations, self.recorded - warm_up)
        if warm_up >= self.recorded:
            return np.zeros(iterations.size), np.zeros(iterations.size)
        last_begins = self.away.shape[1] - 1 - sizes
        shares = np.linspace(0, 1, CREEP_WINDOWS)[:, np.newaxis] ** 2
        begins = begin + (shares * (last_begins - begin)).astype(np.int64)
        window_means = (self.away[:, begins + sizes] - self.away[:, begins]) / sizes
        errors = window_means.std(axis=0, ddof=1) / math.sqrt(self.forks)
        means = window_means.mean(axis=0)
        return means[0], (np.abs(means) + CREEP_ERRORS * errors).max(axis=0)

    def deviation(self, warm_up: int, iterations: Indices) -> Values:
        """Upper bound of the standard deviation of a fork's result, a share of the mean.

        By the levels of variance, or by these very iterations where forks differ more in them;
        float64 (lengths,) of int64 (lengths,) iterations.
        """
        between = max(self.total_variance - self.noise_variance, 0.0)
        squared = (between + self.within / iterations) / self.mean**2
        begin = warm_up - self.first
        is_recorded = (begin >= 0) & (warm_up + iterations <= self.recorded)
        ends = begin + iterations[is_recorded]
        if ends.size:
            sums = self.away[:, ends] - self.away[:, begin, np.newaxis]
            results = self.fork_levels[:, np.newaxis] + sums / iterations[is_recorded]
            squared[is_recorded] = np.maximum(squared[is_recorded], results.var(axis=0, ddof=1))
        return np.sqrt(self.inflation * squared)


@dataclass(frozen=True, slots=True)
class Configuration:
    """Warm-up iterations, measured iterations and forks; what that gives, and costs.

    half_width  how far results lie from their mean by chance, with the plan's confidence, as a
                share of it; None where it is not known
    bias        by how much these very iterations lay off the steady mean in the recorded forks,
                a share of it; None where it is not known
    bias_most   upper bound of its size
    seconds     machine time
    off         largest deviation of the result, with the plan's confidence, a share of the mean;
                infinite where unknown
    """

    warm_up: int
    iterations: int
    forks: int
    half_width: float | None
    bias: float | None
    bias_most: float | None
    seconds: float
    off: float = math.inf

    @property
    def shows(self) -> float | None:
        """The least change between two such results whose intervals of the difference leave 0."""
        return None if self.half_width is None else math.sqrt(2) * self.half_width


@dataclass(frozen=True, slots=True)
class BenchmarkPlan:
    """Recommendation for a benchmark, and what it rests on.

    recommended   shortest test with `precision` that is frugal: it takes at most `FRUGAL` times as
                  long as the forks suggest
    lacking       why `target` itself is not recommended, or empty; `out of reach` and `too long`:
                  `recommended` has the nearest round precision that is in reach, if there is one
    target        wished: a result that is off by this share of the mean at the most
    precision     promised by `recommended`: the target, or the nearest that is in reach
    refused       test of the target that is not frugal or too long; None where none reaches it
    present       seconds that the present test takes; None where nobody says
    most_seconds  machine time that a recommendation may take
    """

    warm_up: WarmUp | None
    levels: VarianceLevels | None
    recommended: Configuration | None
    lacking: Lacking
    target: float
    confidence: float
    costs: RepeatCosts
    precision: float
    refused: Configuration | None = None
    present: float | None = None
    most_seconds: float = math.inf

    @property
    def trials(self) -> PlanTrials | None:
        """Results of trying plans of such a precision; None for a plan of another kind than tried.

        Plans were tried with 95 % confidence.
        """
        is_tried = self.recommended is not None and self.confidence == CONFIDENCE
        return nearest_trials(self.precision) if is_tried else None

    def configuration(self, warm_up: int, iterations: int, forks: int) -> Configuration:
        """Precision, bias and seconds of a configuration."""
        half_width = bias = most_bias = None
        deviation, lengths = math.inf, np.array([iterations])
        if self.levels is not None:
            if warm_up >= self.levels.first:
                bias, most_bias = (float(share[0]) for share in self.levels.bias(warm_up, lengths))
            if forks > 1:
                error = float(self.levels.deviation(warm_up, lengths)[0]) / math.sqrt(forks)
                half_width = NormalDist().inv_cdf((1 + self.confidence) / 2) * error
                if most_bias is not None:
                    deviation = float(largest_deviation(error, most_bias, self.confidence))
        seconds = self.costs.seconds(warm_up, iterations, forks)
        return Configuration(
            warm_up, iterations, forks, half_width, bias, most_bias, seconds, deviation
        )


def largest_deviation(
    error: Values | float, bias: Values | float, confidence: float
) -> Values | float:
    """Deviation that normal results with this standard error and bias exceed as seldom as promised.

    A great bias puts all large deviations on one side. At 95 %, 95.0 to 95.5 % lie within.
    """
    one_sided, two_sided = map(NormalDist().inv_cdf, (confidence, (1 + confidence) / 2))
    return np.hypot(bias, (two_sided - one_sided) * error) + one_sided * error


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

    most_seconds  machine time that a recommendation may take
    present       seconds that the present test takes; what takes more than `MOST_TIMES` as long is
                  not recommended
    Where the target is out of reach, the nearest precision that is in reach is planned.
    """
    warm_up = needed_warm_up(forks)
    levels = None
    if warm_up is not None:
        levels = variance_levels(forks, assurance=assurance, seconds=costs.iteration)
    lack: Lacking = ""
    if warm_up is None:
        lack = "never steady"
    elif warm_up.steady < LEAST_FORKS:
        lack = "too few forks"
    elif len(_long_forks(forks)) < LEAST_FORKS:
        lack = "too short"
    elif levels is None:
        lack = "alike"
    plan = BenchmarkPlan(
        *(warm_up, levels, None, lack, target, confidence, costs, target),
        present=present,
        most_seconds=most_seconds,
    )
    if warm_up is None or levels is None:
        return plan
    return _recommend(plan, warm_up.iterations, levels)


def _recommend(plan: BenchmarkPlan, least_warm_up: int, levels: VarianceLevels) -> BenchmarkPlan:
    """The plan with its recommendation, as far as that is advice."""
    tests = _possible_tests(least_warm_up, levels, plan)
    suggested_tests = _possible_tests(
        least_warm_up, replace(levels, inflation=levels.even_inflation), plan
    )
    bearable_seconds = MOST_TIMES * plan.present if plan.present else math.inf
    most_seconds = min(plan.most_seconds, bearable_seconds)
    for precision in (
        plan.target,
        *(precision for precision in ROUND_PRECISIONS if precision > plan.target),
    ):
        if tests.is_frugal(precision, suggested_tests, most_seconds):
            plan = replace(plan, precision=precision, recommended=tests.cheapest(plan, precision))
            break
    if plan.recommended is not None and plan.precision == plan.target:
        return plan
    refused_choice = tests.cheapest(plan, plan.target)
    is_too_long = refused_choice is not None and refused_choice.seconds > bearable_seconds
    return replace(
        plan, refused=refused_choice, lacking="too long" if is_too_long else "out of reach"
    )


@dataclass(frozen=True, slots=True)
class PossibleTests:
    """Every configuration that was recorded: its deviation and seconds.

    off, seconds  float64 (warm-ups, forks, lengths); off is infinite beyond what was recorded
    """

    warm_ups: Sequence[int]
    off: Values
    seconds: Values

    def least_seconds(self, target: float) -> float:
        return float(np.where(self.off <= target, self.seconds, np.inf).min())

    def is_frugal(self, target: float, suggested_tests: PossibleTests, most_seconds: float) -> bool:
        """Return whether the target takes at most `FRUGAL` times what the forks suggest."""
        least_time = self.least_seconds(target)
        frugal_seconds = FRUGAL * suggested_tests.least_seconds(target)
        return math.isfinite(least_time) and least_time <= min(frugal_seconds, most_seconds)

    def cheapest(self, plan: BenchmarkPlan, target: float) -> Configuration | None:
        """The shortest configuration that reaches the target; None where none does."""
        seconds = np.where(self.off <= target, self.seconds, np.inf)
        if not np.isfinite(seconds).any():
            return None
        w, f, m = np.unravel_index(int(seconds.argmin()), seconds.shape)
        return plan.configuration(self.warm_ups[int(w)], ITERATIONS[int(m)], int(FORKS[f]))


def _possible_tests(
    least_warm_up: int, levels: VarianceLevels, plan: BenchmarkPlan
) -> PossibleTests:
    warm_ups = (
        [_round_up(math.ceil(times * least_warm_up)) for times in LONGER]
        if least_warm_up
        else list(FROM_NONE)
    )
    recorded_warm_ups = [
        warm_up for warm_up in warm_ups if levels.first <= warm_up < levels.recorded
    ]
    warm_ups = recorded_warm_ups or [max(least_warm_up, _round_up(levels.first))]
    lengths = np.array(ITERATIONS)
    bias = np.array([levels.bias(warm_up, lengths)[1] for warm_up in warm_ups])
    deviation = np.array([levels.deviation(warm_up, lengths) for warm_up in warm_ups])
    errors = deviation[:, np.newaxis, :] / np.sqrt(FORKS)[:, np.newaxis]
    deviations = np.asarray(largest_deviation(errors, bias[:, np.newaxis, :], plan.confidence))
    totals = np.array(warm_ups)[:, np.newaxis] + lengths
    seconds = (
        FORKS[:, np.newaxis] * (plan.costs.fork + totals * plan.costs.iteration)[:, np.newaxis]
    )
    # Of what was never recorded nobody knows whether it is steady.
    deviations[np.broadcast_to((totals > levels.recorded)[:, np.newaxis], deviations.shape)] = (
        np.inf
    )
    return PossibleTests(warm_ups, deviations, seconds)


# --- warm-up ----------------------------------------------------------------------------------
def needed_warm_up(forks: Sequence[MeasuredFork], seed: int = 0) -> WarmUp | None:
    """Warm-up that covers the forks that become steady; None where `MOST_NEVER` never do.

    All of them are covered, unless the slowest ones, at most a tenth, need more than twice as
    much as the others.
    """
    starts = np.sort([fork.warm_up for fork in forks if fork.steady])
    if not starts.size or starts.size < round((1 - MOST_NEVER) * len(forks), 9):
        return None
    rng = np.random.default_rng(seed)
    resampled_starts = np.sort(rng.choice(starts, (RESAMPLES, starts.size)), axis=1)
    low, high = np.quantile(
        [_needed_start(row) for row in resampled_starts], [0.025, 0.975], method="nearest"
    )
    iterations = _round_up(_needed_start(starts))
    covered_count = int((starts <= iterations).sum())
    unrecorded_count = max(fork.recorded_from for fork in forks)
    return WarmUp(
        iterations, int(low), int(high), covered_count, starts.size, len(forks), unrecorded_count
    )


def _needed_start(starts: np.ndarray) -> int:
    """The start, of sorted ones, that a warm-up has to reach."""
    last_start = int(starts[-1])
    ordinary_start = int(starts[math.ceil(COVERED * starts.size) - 1])
    return last_start if last_start <= FAR_OFF * max(ordinary_start, ROUNDED) else ordinary_start


def _round_up(start: int) -> int:
    return math.ceil(start / ROUNDED) * ROUNDED


# --- variances --------------------------------------------------------------------------------
def variance_levels(
    forks: Sequence[MeasuredFork], *, assurance: float = ASSURANCE, seconds: float = 0.1
) -> VarianceLevels | None:
    """Mean and variances of the steady state; None where nothing varies, or the mean is 0.

    seconds  length of an iteration
    Forks with too few steady iterations do not count.
    """
    used_forks = _long_forks(forks)
    if len(used_forks) < LEAST_FORKS:
        return None
    steady_parts = [fork.values[fork.level_start :] for fork in used_forks]
    means = np.array([steady_values.mean() for steady_values in steady_parts])
    fork_variances = np.array([long_run_variance(steady_values) for steady_values in steady_parts])
    within_variance = float(fork_variances.mean())
    recorded_variance, mean = float(means.var(ddof=1)), float(means.mean())
    if mean == 0 or recorded_variance == 0 == within_variance:
        return None
    noise = float(np.mean(fork_variances / [steady_values.size for steady_values in steady_parts]))
    # of the means of forks, by their iterations alone
    freedom = PRIOR_FREEDOM + means.size - 1
    prior_deviation = (
        PRIOR_SCALE * (math.sqrt(within_variance * seconds) / abs(mean)) ** PRIOR_POWER * mean
    )
    total = (PRIOR_FREEDOM * prior_deviation**2 + (means.size - 1) * recorded_variance) / freedom
    return VarianceLevels(
        mean=mean,
        between=max(recorded_variance - noise, 0.0),
        within=within_variance,
        total_variance=total,
        noise_variance=noise,
        inflation=freedom / chi_squared_quantile(assurance, freedom),
        even_inflation=freedom / chi_squared_quantile(0.5, freedom),
        fork_levels=means / abs(mean),
        away=_deviations(used_forks, means, mean),
        first=max(fork.recorded_from for fork in used_forks),
    )


def _long_forks(forks: Sequence[MeasuredFork]) -> list[MeasuredFork]:
    """Forks with enough values of their level."""
    return [fork for fork in forks if fork.values.size - fork.level_start >= LEAST_STEADY]


def _deviations(forks: Sequence[MeasuredFork], means: Values, mean: float) -> Values:
    first = max(fork.recorded_from for fork in forks)
    stop = min(fork.recorded_to for fork in forks)
    common_values = [
        fork.values[first - fork.recorded_from : stop - fork.recorded_from] for fork in forks
    ]
    deviations = (np.stack(common_values) - means[:, np.newaxis]) / abs(mean)
    return np.concatenate([np.zeros((means.size, 1)), np.cumsum(deviations, axis=1)], axis=1)
