"""The interval of a measured ratio, published form against ours.

    python -m evidence.bench.quality

First the same distribution (a two-sample Kolmogorov-Smirnov test of simulated means), then the
time for one benchmark of 10 forks x 3,000 values, all of which are measured and steady: the
longest that the shared measurements could ask for. The published form is timed on some of its
10,000 simulations. Ends with an error where a budget is
missed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from scipy import stats

from analysis.statistics.answers import Floats
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.measurement_deviation import (
    CondensedForks,
    RatioInterval,
    preview,
    ratio_interval,
)
from detectors.kernels.resamples import resampled_means
from detectors.rules.online.stopping import stream
from evidence.bench.timing import fastest_ms, machine, parser_of, timed_round
from formats.markdown import head, row

FORKS, VALUES = 10, 3000
NAIVE, COMPARED = 12, 300  # simulations that are timed, and that are compared
BUDGETS = {"exact": 1000.0, "preview": 50.0}  # milliseconds
LEAST_P = 0.001


def main() -> None:
    """Print a Markdown table; end with an error if distributions differ or time is over."""
    parser_of("evidence.bench.quality", __doc__).parse_args()
    measured_forks, steady_forks = quality_forks(1.01), quality_forks(1.0)
    print(f"Machine: {machine()}\n")
    check_distribution(steady_forks)
    exact_interval = ratio_interval(measured_forks, steady_forks)
    previewed_interval = preview(
        CondensedForks.from_forks(measured_forks), CondensedForks.from_forks(steady_forks)
    )
    times = {
        "exact": fastest_ms(lambda: ratio_interval(measured_forks, steady_forks), rounds=3),
        "preview": fastest_ms(lambda: condensed_preview(measured_forks, steady_forks), rounds=20),
    }
    repeat_count = BootstrapSettings().repeats
    naive_ms = (
        timed_round(lambda: published_means(steady_forks, NAIVE))[0] / NAIVE * repeat_count * 2
    )
    print(f"{FORKS} forks x {VALUES} values, measured and steady, {repeat_count} simulations:\n")
    print(head("", "interval", "ms", "published / this"))
    print(row("published, pure Python", "", f"{naive_ms:.0f}", 1))
    for name, interval in (("exact", exact_interval), ("preview", previewed_interval)):
        print(row(name, ends(interval), f"{times[name]:.1f}", f"{naive_ms / times[name]:.0f}"))
    slow_names = [
        name for name, most_milliseconds in BUDGETS.items() if times[name] > most_milliseconds
    ]
    if slow_names:
        raise SystemExit(f"over budget: {', '.join(slow_names)}")


def quality_forks(level: float) -> list[Floats]:
    """Forks of levels of their own, with noise that has a long tail."""
    rng = np.random.default_rng(7)
    levels = level * np.exp(rng.normal(0, 0.02, FORKS))
    return [fork_level * (1 + rng.gamma(2, 0.02, VALUES)) for fork_level in levels]


def published_means(forks: Sequence[Floats], count: int) -> list[float]:
    """Simulated means as they are published: lists, one draw at a time."""
    lists = [fork.tolist() for fork in forks]
    draw = random.Random(0).choices  # noqa: S311  # no secret
    means = []
    for _ in range(count):
        drawn_forks = draw(lists, k=len(lists))
        values = [value for fork in drawn_forks for value in draw(fork, k=len(fork))]
        means.append(sum(values) / len(values))
    return means


def check_distribution(forks: Sequence[Floats]) -> None:
    fork_ends = np.cumsum([fork.size for fork in forks])
    own_means = resampled_means(np.concatenate(forks), fork_ends, stream(0, 0), 0, 10 * COMPARED)
    p = stats.ks_2samp(own_means, published_means(forks, COMPARED)).pvalue
    print(f"Same distribution of simulated means: Kolmogorov-Smirnov p = {p:.2f}\n")
    if p < LEAST_P:
        raise SystemExit(f"distributions differ: p = {p:.2g}")


def condensed_preview(
    measured_forks: Sequence[Floats], steady_forks: Sequence[Floats]
) -> RatioInterval | None:
    """The preview with the 10,000 simulations of the exact interval, from values on."""
    return preview(
        CondensedForks.from_forks(measured_forks),
        CondensedForks.from_forks(steady_forks),
        BootstrapSettings(),
    )


def ends(interval: RatioInterval | None) -> str:
    return "–" if interval is None else f"{interval.low:.5f} to {interval.high:.5f}"


if __name__ == "__main__":
    main()
