"""The interval of a measured ratio, published form against ours: `python -m bench.quality`.

First the same distribution (a two-sample Kolmogorov-Smirnov test of simulated means), then the
time for one benchmark of 10 forks x 3,000 values, all of which are measured and steady: the
longest that the shared measurements could ask for. The published form is timed on some of its
10,000 simulations.

Then previews against exact intervals of published series, where a folder of them is there: fork 0
of each series that most people call steady, 100 values from several iterations on.
Ends with an error where a budget is missed, or more than a few previews judge otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np
from scipy import stats

from analysis.statistics.answers import Floats
from analysis.statistics.bootstrap import Bootstrap
from analysis.statistics.measurement_deviation import (
    RARE,
    Condensed,
    RatioInterval,
    preview,
    ratio_interval,
)
from bench.timing import fastest, machine, timed
from detectors.kernels.resamples import resampled_means
from detectors.stopping import stream
from replication.published_files import NotPublishedData, published_folder, read
from replication.published_study import PublishedStudy

FORKS, VALUES = 10, 3000
NAIVE, COMPARED = 12, 300  # simulations that are timed, and that are compared
BUDGETS = {"exact": 1000.0, "preview": 50.0}  # milliseconds
LEAST_P = 0.001
STARTS, MEASURED = (10, 50, 100, 200, 500), 100  # iterations from which on so many are measured
MOST_WRONG = 0.01  # of previews of intervals whose ends are not close to 1


def main() -> None:
    """Print a Markdown table; end with an error if distributions differ or time is over."""
    measured, steady = series(1.01), series(1.0)
    print(f"Machine: {machine()}\n")
    check_distribution(steady)
    exact = ratio_interval(measured, steady)
    nearly = preview(Condensed.of(measured), Condensed.of(steady))
    times = {
        "exact": fastest(lambda: ratio_interval(measured, steady), rounds=3),
        "preview": fastest(lambda: condensed(measured, steady), rounds=20),
    }
    repeats = Bootstrap().repeats
    naive = timed(lambda: published(steady, NAIVE))[0] / NAIVE * repeats * 2
    print(f"{FORKS} forks x {VALUES} values, measured and steady, {repeats} simulations:\n")
    print("| | interval | ms | published / this |")
    print("|---|---|---|---|")
    print(f"| published, pure Python | | {naive:.0f} | 1 |")
    for name, found in (("exact", exact), ("preview", nearly)):
        print(f"| {name} | {ends(found)} | {times[name]:.1f} | {naive / times[name]:.0f} |")
    try:
        check_previews(read(published_folder()))
    except NotPublishedData as complaint:
        raise SystemExit(f"Not computed: previews of published series. {complaint}") from None
    missed = [name for name, most in BUDGETS.items() if times[name] > most]
    if missed:
        raise SystemExit(f"over budget: {', '.join(missed)}")


def series(level: float) -> list[Floats]:
    """Forks of levels of their own, with noise that has a long tail."""
    rng = np.random.default_rng(7)
    levels = level * np.exp(rng.normal(0, 0.02, FORKS))
    return [each * (1 + rng.gamma(2, 0.02, VALUES)) for each in levels]


def published(forks: Sequence[Floats], count: int) -> list[float]:
    """Simulated means as they are published: lists, one draw at a time."""
    lists = [fork.tolist() for fork in forks]
    draw = random.Random(0).choices  # noqa: S311  # no secret
    found = []
    for _ in range(count):
        chosen = draw(lists, k=len(lists))
        values = [value for fork in chosen for value in draw(fork, k=len(fork))]
        found.append(sum(values) / len(values))
    return found


def check_distribution(forks: Sequence[Floats]) -> None:
    ends_of = np.cumsum([fork.size for fork in forks])
    ours = resampled_means(np.concatenate(forks), ends_of, stream(0, 0), 0, 10 * COMPARED)
    p = stats.ks_2samp(ours, published(forks, COMPARED)).pvalue
    print(f"Same distribution of simulated means: Kolmogorov-Smirnov p = {p:.2f}\n")
    if p < LEAST_P:
        raise SystemExit(f"distributions differ: p = {p:.2g}")


def condensed(measured: Sequence[Floats], steady: Sequence[Floats]) -> RatioInterval | None:
    """The preview with the 10,000 simulations of the exact interval, from values on."""
    return preview(Condensed.of(measured), Condensed.of(steady), Bootstrap())


def check_previews(data: PublishedStudy) -> None:
    """Ends and judgements of previews, with the rarest values drawn one by one and without."""
    found = list(previewed(data))
    print(f"\nPreviews of {len(found)} intervals of published series:\n")
    print("| values drawn one by one | differing (exact) | otherwise (not close) | error / width |")
    print("|---|---|---|---|")
    for rare in (RARE, 0):
        both = [(each[rare], known) for known, each in found]
        wrong = [known for one, known in both if one.differs != known.differs]
        apart = sum(not known.close for known in wrong)
        size = np.quantile([off(one, known) for one, known in both], [0.5, 0.95, 1])
        sizes = ", ".join(f"{each:.3f}" for each in size)
        differing = [sum(each.differs for each in side) for side in zip(*both, strict=True)]
        print(f"| {rare} | {differing[0]} ({differing[1]}) | {len(wrong)} ({apart}) | {sizes} |")
        if rare and apart > MOST_WRONG * len(found):
            raise SystemExit(f"{apart} previews judge otherwise, far from the line")


def previewed(data: PublishedStudy) -> Iterator[tuple[RatioInterval, dict[int, RatioInterval]]]:
    """Each exact interval, and its previews by how many rare values of a fork they draw."""
    for measured, steady in pairs(data):
        known = ratio_interval(measured, steady)
        nearly = {
            rare: preview(Condensed.of(measured, rare), Condensed.of(steady, rare))
            for rare in (RARE, 0)
        }
        if known is not None:
            yield known, {rare: one for rare, one in nearly.items() if one is not None}


def pairs(data: PublishedStudy) -> Iterator[tuple[list[Floats], list[Floats]]]:
    """What is measured and what is steady; the middle of the marks is the steady start."""
    for row, values in data.series():
        marks = sorted(each for each in data.marks[row].values() if each >= 0)
        if 2 * len(marks) > len(data.marks[row]):
            steady = [values[marks[len(marks) // 2] :]]
            for start in STARTS:
                yield [values[start : start + MEASURED]], steady


def off(one: RatioInterval, known: RatioInterval) -> float:
    """The greater error of the two ends, a share of the interval's width."""
    error = max(abs(one.low - known.low), abs(one.high - known.high))
    return error / (known.high - known.low)


def ends(found: RatioInterval | None) -> str:
    return "–" if found is None else f"{found.low:.5f} to {found.high:.5f}"


if __name__ == "__main__":
    main()
