"""Do plans of benchmarks keep their promise? `python -m evidence.replication.kept_plans [FOLDER]`.

A plan is made from five forks of every published benchmark with ten, and tried on the other five;
twenty random halves a benchmark. Starts are those of `plateau` with its defaults, so that nothing
published is needed but the measurements.

A result is the mean of the planned forks, each measured right after the planned warm-up. Forks that
never become steady are run, too. The true value is the mean level of the five forks: a level is the
mean of the steady part, and of the second half of a fork that never becomes steady. Results are
distributed normally around the mean of the five, with their variance (divisor four) over the
planned number of forks: no fork is drawn twice. A plan is *kept* where at least 95 % of the results
lie within the target of the true value; *within* is the mean share that does.

The *oracle* knows all ten forks: the least machine time, with a warm-up that covers them, at which
95 % of the results lie within the target. Five forks are few, so that they often refute even the
oracle's test. The *trial oracle* is therefore the least time that is kept in 90 % of these very
trials. JMH's default is 5 forks of 5 + 5 iterations of 10 s.

A plan whose target is out of reach promises the nearest precision that is in reach, and is tried at
it. What such a target would take is tried, too: it is no plan.
"""

from __future__ import annotations

import math
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import ndtr

from detectors.contract import Context, Values
from detectors.planning.benchmark_plan import (
    ASSURANCE,
    CONFIDENCE,
    FORKS as FORK_COUNTS,
    ITERATIONS,
    LONGER,
    ROUND_PRECISIONS,
    BenchmarkPlan,
    Configuration,
    MeasuredFork,
    RepeatCosts,
    benchmark_plan,
    needed_warm_up,
)
from detectors.registry import from_key
from evidence.replication.published_files import option, study_command
from evidence.replication.published_study import PublishedStudy
from formats.markdown import head, row

TARGETS: Final = (0.01, 0.02, 0.05, 0.1)
COSTS: Final = RepeatCosts(iteration=0.1, fork=1.0)
JMH_SECONDS: Final = 5 * (COSTS.fork + 10 * 10.0)
FORKS: Final = 10
SPLITS: Final = 20
OFTEN: Final = 0.9
"""Share of trials that the goal asks to be kept."""

RESAMPLES: Final = 2000
OFFERED: Final = tuple(wide for wide in ROUND_PRECISIONS if wide >= TARGETS[0])
"""Precisions that a plan may promise."""

LENGTHS: Final = np.array(ITERATIONS)


class ForkMoments(NamedTuple):
    """Mean, standard deviation between forks and true value, of windows of some forks.

    mean, deviation  float64 of any common shape
    """

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    level: float

    def share_within(self, target: float, forks: NDArray[np.int64]) -> NDArray[np.float64]:
        """Share of results within `target`, with one more dimension: that of `forks`."""
        away = (self.mean / self.level - 1)[..., np.newaxis]
        error = (self.deviation / abs(self.level))[..., np.newaxis] / np.sqrt(forks)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = ndtr((target - away) / error) - ndtr((-target - away) / error)
        return np.where(error > 0, share, np.abs(away) <= target)


@dataclass(frozen=True)
class TriedBenchmark:
    """Ten forks, their random halves, and the least machine times of both oracles by target."""

    forks: Sequence[MeasuredFork]
    halves: Sequence[tuple[list[int], list[int]]]
    oracle: dict[float, float]
    trial_oracle: dict[float, float]
    oracle_kept: dict[float, list[bool]]


class Trial(NamedTuple):
    """A test tried: where it comes from, its promise, share of results within, machine times."""

    kind: str
    benchmark: int
    half: int
    promise: float
    within: float
    seconds: float
    oracle: float
    trial_oracle: float

    @property
    def is_kept(self) -> bool:
        return self.within >= CONFIDENCE


def print_table(study: PublishedStudy, options: Namespace) -> int:
    """Print both tables of a study; always 0, the exit status."""
    benchmarks = [
        tried_benchmark(forks, np.random.default_rng(number))
        for number, forks in enumerate(_recorded(study))
    ]
    print(
        f"{len(benchmarks)} benchmarks with {FORKS} forks, {SPLITS} halves each; "
        f"assurance {options.assurance:g}, confidence {CONFIDENCE:g}\n"
    )
    print(head(*_COLUMNS))
    lines = {target: plan_trials(benchmarks, target, options.assurance) for target in TARGETS}
    for target, (trials, _) in lines.items():
        plans = [trial for trial in trials if trial.kind != REFUSED]
        print(_line(f"±{target:.0%}", plans, len(benchmarks)))
        for kind in KINDS:
            alike = [trial for trial in trials if trial.kind == kind]
            print(_line(f"±{target:.0%}: {kind}", alike, len(benchmarks)))
    print(f"\n{head('promised', *_COLUMNS[1:])}")
    for promise in OFFERED:
        different = {
            trial._replace(kind="")  # plans of several targets may be the same
            for trials, _ in lines.values()
            for trial in trials
            if trial.kind != REFUSED and trial.promise == promise
        }
        print(_line(f"±{100 * promise:g}%", sorted(different), len(benchmarks)))
    print(f"\n{head('target', 'oracle reaches', 'kept by the oracle', 'without a plan, because')}")
    for target, (_, lack_counts) in lines.items():
        reach = sum(math.isfinite(trial.oracle[target]) for trial in benchmarks)
        are_kept = [is_kept for trial in benchmarks for is_kept in trial.oracle_kept[target]]
        reasons = ", ".join(f"{reason} {count}" for reason, count in lack_counts.most_common())
        print(row(f"±{target:.0%}", reach, f"{np.mean(are_kept):.2f}", reasons))
    return 0


_COLUMNS: Final = (
    *("target", "plans", "kept [95 %]", "within", "median time", "÷ oracle (median, total)"),
    *("÷ trial oracle (median, total)", "÷ JMH's default (median, total)", "cheaper than JMH"),
)


def _line(name: str, trials: Sequence[Trial], benchmarks: int) -> str:
    share = f"{len(trials) / (SPLITS * benchmarks):.0%}"
    if not trials:
        return row(name, share, *[""] * (len(_COLUMNS) - 2))
    seconds = np.array([trial.seconds for trial in trials])
    low, high = kept_interval(trials)
    kept_share = np.mean([trial.is_kept for trial in trials])
    ratios = [
        _ratio(seconds, np.array([trial.oracle for trial in trials])),
        _ratio(seconds, np.array([trial.trial_oracle for trial in trials])),
    ]
    return row(
        *(name, share, f"{kept_share:.2f} [{low:.2f}, {high:.2f}]"),
        f"{np.mean([trial.within for trial in trials]):.3f}",
        f"{np.median(seconds):.0f} s",
        *(*ratios, _ratio(seconds, np.full(seconds.size, JMH_SECONDS))),
        f"{np.mean(seconds < JMH_SECONDS):.0%}",
    )


def _ratio(seconds: Values, least_seconds: Values) -> str:
    """Median and total of machine times over least ones, where there is a least one."""
    finite = np.isfinite(least_seconds)
    if not finite.any():
        return ""
    ratio = np.median(seconds[finite] / least_seconds[finite])
    return f"{ratio:.2f}, {seconds[finite].sum() / least_seconds[finite].sum():.2f}"


def kept_interval(trials: Sequence[Trial]) -> tuple[float, float]:
    """Interval of 95 % of the share kept, by resampling benchmarks."""
    numbers = np.array([trial.benchmark for trial in trials])
    is_kept = np.array([trial.is_kept for trial in trials])
    counts = np.array(
        [[is_kept[numbers == n].sum(), (numbers == n).sum()] for n in np.unique(numbers)]
    )
    rng = np.random.default_rng(0)
    sums = counts[rng.integers(len(counts), size=(RESAMPLES, len(counts)))].sum(axis=1)
    low, high = np.quantile(sums[:, 0] / sums[:, 1], [0.025, 0.975])
    return float(low), float(high)


def _recorded(study: PublishedStudy) -> Iterator[Sequence[MeasuredFork]]:
    method = from_key("plateau")
    for benchmark in study.measured:
        if len(benchmark.forks) >= FORKS:
            yield [
                MeasuredFork(values, method.answer(values, Context()).steady_start)
                for values in benchmark.forks[:FORKS]
            ]


# --- plans ------------------------------------------------------------------------------------
def plan_trials(
    benchmarks: Sequence[TriedBenchmark], target: float, assurance: float
) -> tuple[list[Trial], Counter[str]]:
    """Plans of every kind, tried at the precision that each promises, and reasons for no plan."""
    trials: list[Trial] = []
    lack_counts: Counter[str] = Counter()
    for number, trial in enumerate(benchmarks):
        for half, (planned, others) in enumerate(trial.halves):
            plan = _plan([trial.forks[n] for n in planned], target, assurance)
            if plan.recommended is None:
                lack_counts[plan.lacking] += 1
            other_forks = [trial.forks[n] for n in others]
            for kind, test, promise in _promises(plan):
                within = _kept_share(other_forks, test, promise)
                oracles = (
                    oracle.get(promise, math.inf) for oracle in (trial.oracle, trial.trial_oracle)
                )
                trials.append(Trial(kind, number, half, promise, within, test.seconds, *oracles))
    return trials, lack_counts


AT_TARGET, NEAREST, REFUSED = "the target itself", "the nearest in reach", "refused"
KINDS: Final = (AT_TARGET, NEAREST, REFUSED)


def _promises(plan: BenchmarkPlan) -> Iterator[tuple[str, Configuration, float]]:
    """Kind, test and promised precision of what a plan recommends, and of what it refuses."""
    if plan.recommended is not None:
        yield NEAREST if plan.lacking else AT_TARGET, plan.recommended, plan.precision
    if plan.refused is not None:
        yield REFUSED, plan.refused, plan.target


def _plan(forks: Sequence[MeasuredFork], target: float, assurance: float) -> BenchmarkPlan:
    return benchmark_plan(forks, COSTS, target=target, assurance=assurance)


def _kept_share(forks: Sequence[MeasuredFork], test: Configuration, promise: float) -> float:
    """Share of the results of a configuration within its promise."""
    means = window_means(forks, [test.warm_up], np.array([test.iterations]))
    return float(fork_moments(forks, means).share_within(promise, np.array([test.forks]))[0, 0, 0])


# --- oracles ----------------------------------------------------------------------------------
def tried_benchmark(forks: Sequence[MeasuredFork], rng: Generator) -> TriedBenchmark:
    """Halves of ten forks, and the least machine times that whoever knows them all needs."""
    halves = [
        (order[: FORKS // 2].tolist(), order[FORKS // 2 :].tolist())
        for order in (rng.permutation(FORKS) for _ in range(SPLITS))
    ]
    covering = needed_warm_up(forks)
    if covering is None:
        none = dict.fromkeys(OFFERED, math.inf)
        return TriedBenchmark(forks, halves, none, none, {target: [] for target in OFFERED})
    warm_ups = sorted({round(times * covering.iterations) for times in LONGER if times >= 1})
    means = window_means(forks, warm_ups, LENGTHS)
    seconds = np.array([[COSTS.seconds(w, m, 1) for m in ITERATIONS] for w in warm_ups])
    seconds = seconds[..., np.newaxis] * FORK_COUNTS
    oracle, trial_oracle, oracle_kept = {}, {}, {}
    moments = fork_moments(forks, means)
    half_moments = [
        fork_moments([forks[n] for n in other_forks], means[other_forks])
        for _, other_forks in halves
    ]
    for target in OFFERED:
        times = np.where(moments.share_within(target, FORK_COUNTS) >= CONFIDENCE, seconds, np.inf)
        oracle[target] = float(times.min())
        is_kept = np.array(
            [half.share_within(target, FORK_COUNTS) >= CONFIDENCE for half in half_moments]
        )
        best = is_kept.reshape(SPLITS, -1)[:, times.argmin()]
        oracle_kept[target] = best.tolist() if times.min() < np.inf else []
        often = is_kept.mean(axis=0) >= OFTEN
        trial_oracle[target] = float(np.where(often, seconds, np.inf).min())
    return TriedBenchmark(forks, halves, oracle, trial_oracle, oracle_kept)


def window_means(
    forks: Sequence[MeasuredFork], warm_ups: Sequence[int], lengths: NDArray[np.int64]
) -> Values:
    """Means of windows, float64 (forks, warm-ups, lengths); NaN beyond what is recorded."""
    sums = np.stack([np.concatenate([[0.0], np.cumsum(fork.values)]) for fork in forks])
    begin = np.array(warm_ups)[:, np.newaxis]
    end = begin + lengths
    last = sums.shape[1] - 1
    means = (sums[:, np.minimum(end, last)] - sums[:, np.minimum(begin, last)]) / lengths
    return np.where(end <= last, means, np.nan)


def fork_moments(forks: Sequence[MeasuredFork], means: Values) -> ForkMoments:
    level = float(np.mean([_level(fork) for fork in forks]))
    return ForkMoments(means.mean(axis=0), means.std(axis=0, ddof=1), level)


def _level(fork: MeasuredFork) -> float:
    return float(fork.values[fork.start if fork.steady else fork.values.size // 2 :].mean())


main = study_command(print_table, option("--assurance", type=float, default=ASSURANCE))

if __name__ == "__main__":
    raise SystemExit(main())
