"""Summary of the forks of one benchmark, as Barrett et al. 2017 print it.

A class for the benchmark; how many iterations and how much time its forks need to become steady;
and the performance that they then have, with a bootstrap confidence interval. Two such summaries
are compared by their intervals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from itertools import pairwise
from typing import Final, Literal

import numpy as np

from detectors.arrays.safe_range import scaled_to_range
from detectors.contract import Values
from detectors.kernels.cp_ssd import resample_means
from detectors.methods.barrett import ClassifiedFork
from detectors.rules.online.stopping import stream
from detectors.rules.segments.benchmark_classes import (
    BenchmarkClass,
    ForkClass,
    class_counts,
    class_of_forks,
)

CONFIDENCE: Final = 0.99
DRAWS: Final = 100_000  # of the whole benchmark, shared by its forks
SPAN: Final = (5, 95)  # percentiles; the published program calls what lies between IQR
AT_ONCE: Final = 4096  # resamples made together
NARROWING: Final = 0.0001  # seconds by which an interval must shrink, or grow, to count

Fork = tuple[Values, ClassifiedFork]


@dataclass(frozen=True, slots=True)
class ForkSpread:
    """The median of one number per fork, and its 5th and 95th percentile."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SteadyPerformance:
    """The steady mean of a benchmark: the interval is ``median ± half_width``."""

    median: float
    half_width: float

    @property
    def interval(self) -> ForkSpread:
        return ForkSpread(self.median, self.median - self.half_width, self.median + self.half_width)


@dataclass(frozen=True, slots=True)
class ForksSummary:
    """Common figures of the forks of a benchmark.

    iterations (as printed: 1 for flat), times (in the unit of the values) and means are those of
    the forks that have a steady state, in the order of the forks. The summaries of them are None
    where a fork has none; of iterations and times also where all forks are flat.
    """

    benchmark_class: BenchmarkClass
    counts: Mapping[ForkClass, int]
    iterations: tuple[int, ...]
    times: tuple[float, ...]
    means: tuple[float, ...]
    iteration: ForkSpread | None
    time: ForkSpread | None
    performance: SteadyPerformance | None


def summarise_forks(
    forks: Sequence[Fork], *, draws: int = DRAWS, confidence: float = CONFIDENCE, seed: int = 0
) -> ForksSummary:
    """The summary of at least one fork, each with its values and `Barrett().judge` of them."""
    classes = [classified_fork.fork_class for _, classified_fork in forks]
    steady_forks = [fork for fork in forks if fork[1].fork_class != "no-steady-state"]
    is_complete = len(steady_forks) == len(forks)
    has_moved = is_complete and set(classes) != {"flat"}
    iterations = tuple(classified_fork.printed for _, classified_fork in steady_forks)
    times = tuple(
        classified_fork.seconds_before(values) for values, classified_fork in steady_forks
    )
    return ForksSummary(
        class_of_forks(classes),
        class_counts(classes),
        iterations,
        times,
        tuple(classified_fork.steady_mean for _, classified_fork in steady_forks),
        _spread(iterations) if has_moved else None,
        _spread(times) if has_moved else None,
        performance(steady_forks, draws=draws, confidence=confidence, seed=seed)
        if is_complete
        else None,
    )


def _spread(numbers: Sequence[float]) -> ForkSpread:
    low, high = np.percentile(numbers, SPAN)
    return ForkSpread(float(np.median(numbers)), float(low), float(high))


def performance(
    forks: Sequence[Fork], *, draws: int = DRAWS, confidence: float = CONFIDENCE, seed: int = 0
) -> SteadyPerformance:
    """Bootstrap of the steady mean: every steady segment is resampled to its own length.

    The forks share the `draws`; each mean is one over all values of a resampled fork. The same
    `seed` gives the same interval; the published program sets none.
    """
    draws_per_fork = draws // len(forks) + 1
    pooled_resamples = [
        _resample_fork(steady_segments(values, classified_fork), draws_per_fork, seed, number)
        for number, (values, classified_fork) in enumerate(forks)
    ]
    means = np.sort(np.concatenate(pooled_resamples))
    # The published rounding: to one decimal, outwards, and then to a whole number
    tail_share = (1 - confidence) / 2
    upper_rank = Decimal((1 - tail_share) * means.size).quantize(Decimal("0.1"), rounding=ROUND_UP)
    low, high = math.floor(tail_share * means.size), int(upper_rank) - 1
    middle = float(np.median(means))
    return SteadyPerformance(middle, float((means[high] - middle) + (middle - means[low])) / 2)


def steady_segments(values: Values, classified_fork: ClassifiedFork) -> list[Values]:
    """The values of each steady segment, outliers left out.

    As published, the last segment begins with the last value of the one before it.
    """
    inlier_indices, ends = classified_fork.segments.kept, classified_fork.segments.ends
    edges = [0, *(end + 1 for end in ends)]
    begins, stops = edges[:-1], edges[1:]
    if len(ends) > 1:
        begins[-1] -= 1
    spans = list(zip(begins, stops, strict=True))[classified_fork.first :]
    return [
        values[inlier_indices[(inlier_indices >= begin) & (inlier_indices < stop)]]
        for begin, stop in spans
    ]


def _resample_fork(segments: Sequence[Values], count: int, seed: int, fork: int) -> Values:
    """`count` means of a fork, each over all its segments resampled."""
    scaled_values, exponent = scaled_to_range(np.concatenate(segments))
    scaled_values.setflags(
        write=False
    )  # as the segments of CP-SSD, for which the kernel is compiled
    edges = np.cumsum([0, *(segment.size for segment in segments)]).tolist()
    total = np.zeros(count)
    for number, (begin, stop) in enumerate(pairwise(edges)):
        means = _means(scaled_values[begin:stop], count, seed, fork, number)
        total += means * ((stop - begin) / scaled_values.size)
    return np.ldexp(total, exponent)


def _means(segment: Values, count: int, *name: int) -> Values:
    key = stream(*name)
    with np.errstate(over="ignore"):  # the hash wraps around, also uncompiled
        return np.concatenate(
            [
                resample_means(segment, key, first, min(AT_ONCE, count - first))
                for first in range(0, count, AT_ONCE)
            ]
        )


# --- two benchmarks ---------------------------------------------------------------------------
Word = Literal["better", "worse", "same", "different", "unknown"]
FLAT: Final = ForkSpread(1.0, 1.0, 1.0)  # forks that are all flat, as iterations are printed


@dataclass(frozen=True, slots=True)
class PerformanceChange:
    """Change of a benchmark from before to after something changed; less is better.

    iteration    until the forks are steady: whether the spans of 5 % to 95 % lie apart
    performance  of the steady state: whether the confidence intervals lie apart
    variation    of the performance: whether its interval is narrower, for intervals that do not
    `different` where one is all flat and the other has a fork without steady state; `unknown`
    where a side has nothing to compare.
    """

    iteration: Word
    performance: Word
    variation: Word

    @property
    def overall(self) -> Word:
        """Overall word, as published: better or worse where nothing contradicts it."""
        words = {self.iteration, self.performance, self.variation} - {"same", "unknown"}
        if not words:
            both_unknown = {self.iteration, self.performance} == {"unknown"}
            return "unknown" if both_unknown else "same"
        word: Word = "different"
        if "better" in words and "worse" not in words:
            word = "better"
        elif "worse" in words and "better" not in words:
            word = "worse"
        return word


def compare_forks(
    summary_before: ForksSummary, summary_after: ForksSummary, *, least_change: float = NARROWING
) -> PerformanceChange:
    """Change by the intervals of two summaries with the same parameters.

    least_change: by how much an interval must be narrower or wider, in the unit of the values.
    """
    are_flat = [summary.benchmark_class == "flat" for summary in (summary_before, summary_after)]
    lost_steadiness = [
        summary.counts["no-steady-state"] > 0 for summary in (summary_before, summary_after)
    ]
    if any(lost_steadiness):
        word: Word = "different" if any(are_flat) else "unknown"
        return PerformanceChange(word, word, "unknown")
    iteration = _spread_word(_iterations(summary_before), _iterations(summary_after))
    if summary_before.performance is None or summary_after.performance is None:
        return PerformanceChange(iteration, "unknown", "unknown")
    performance = _spread_word(
        summary_before.performance.interval, summary_after.performance.interval
    )
    variation: Word = "same"
    if performance == "same":
        grown_width = 2 * (
            summary_after.performance.half_width - summary_before.performance.half_width
        )
        variation = (
            "same"
            if abs(grown_width) < least_change
            else ("worse" if grown_width > 0 else "better")
        )
    return PerformanceChange(iteration, performance, variation)


def _iterations(summary: ForksSummary) -> ForkSpread:
    return FLAT if summary.iteration is None else summary.iteration


def _spread_word(spread_before: ForkSpread, spread_after: ForkSpread) -> Word:
    """Intervals that touch do not differ."""
    if spread_before.low <= spread_after.high and spread_after.low <= spread_before.high:
        return "same"
    return "better" if spread_after.median < spread_before.median else "worse"
