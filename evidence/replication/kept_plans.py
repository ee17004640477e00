"""Do plans of benchmarks keep their promise? `python -m evidence.replication.kept_plans [FOLDER]`.

Of every published benchmark with ten measured forks a plan is made from five, and tried 2,000
times on the other five: its number of forks is drawn from them with replacement, and each is
measured right after the planned warm-up. The promise is kept where at least 95 % of the results
lie within the target of the mean of the steady parts of these five. Four splits a benchmark.
Steady starts are those of `plateau` with its defaults, so that nothing published is needed but
the measurements. Plans that are not made are counted beside their reason.
"""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

import numpy as np
from numpy.random import Generator

from detectors.contract import Context
from detectors.planning.benchmark_plan import (
    ASSURANCE,
    CONFIDENCE,
    LEAST_FORKS,
    Configuration,
    MeasuredFork,
    RepeatCosts,
    benchmark_plan,
)
from detectors.registry import from_key
from evidence.replication.published_files import option, study_command
from evidence.replication.published_study import PublishedStudy
from formats.markdown import head, row

TARGETS: Final = (0.01, 0.02, 0.05)
COSTS: Final = RepeatCosts(iteration=0.1, fork=1.0)
FORKS: Final = 10
SPLITS: Final = 4
TRIALS: Final = 2000


def _compute(study: PublishedStudy, options: Namespace) -> int:
    recorded_benchmarks = list(_recorded(study))
    print(
        f"{len(recorded_benchmarks)} benchmarks with {FORKS} forks, {SPLITS} splits each; ", end=""
    )
    print(f"assurance {options.assurance:g}, confidence {CONFIDENCE:g}\n")
    print(head("target", "plans", "kept", "median machine time", "no plan, or not tried"))
    for target in TARGETS:
        plans_kept, seconds, without = _tried(recorded_benchmarks, target, options.assurance)
        share = f"{np.mean(plans_kept):.3f}" if plans_kept else "none"
        reasons = ", ".join(f"{reason}: {count}" for reason, count in without.most_common())
        middle = f"{np.median(seconds):.0f} s" if seconds else ""
        print(row(f"±{target:.0%}", len(plans_kept), share, middle, reasons))
    return 0


def _recorded(study: PublishedStudy) -> Iterator[Sequence[MeasuredFork]]:
    method = from_key("plateau")
    for benchmark in study.measured:
        if len(benchmark.forks) >= FORKS:
            yield [
                MeasuredFork(values, method.answer(values, Context()).steady_start)
                for values in benchmark.forks[:FORKS]
            ]


def _tried(
    recorded_benchmarks: Sequence[Sequence[MeasuredFork]], target: float, assurance: float
) -> tuple[list[bool], list[float], Counter[str]]:
    rng = np.random.default_rng(0)
    plans_kept: list[bool] = []
    seconds: list[float] = []
    without: Counter[str] = Counter()
    for forks, _ in product(recorded_benchmarks, range(SPLITS)):
        shuffled_forks = [forks[fork_number] for fork_number in rng.permutation(FORKS)]
        plan = benchmark_plan(
            shuffled_forks[: FORKS // 2], COSTS, target=target, assurance=assurance
        )
        other_forks = [fork for fork in shuffled_forks[FORKS // 2 :] if fork.steady]
        if plan.lacking or plan.recommended is None:
            without[plan.lacking] += 1
        elif len(other_forks) < LEAST_FORKS:
            without["the others never steady"] += 1
        else:
            plans_kept.append(_kept(plan.recommended, other_forks, target, rng))
            seconds.append(plan.recommended.seconds)
    return plans_kept, seconds, without


def _kept(
    configuration: Configuration, other_forks: Sequence[MeasuredFork], target: float, rng: Generator
) -> bool:
    true = np.mean([fork.values[fork.start :].mean() for fork in other_forks])
    first, last = configuration.warm_up, configuration.warm_up + configuration.iterations
    fork_means = np.array([fork.values[first:last].mean() for fork in other_forks])
    results = rng.choice(fork_means, (TRIALS, configuration.forks)).mean(axis=1)
    return bool((np.abs(results / true - 1) <= target).mean() >= CONFIDENCE)


main = study_command(_compute, option("--assurance", type=float, default=ASSURANCE))

if __name__ == "__main__":
    raise SystemExit(main())
