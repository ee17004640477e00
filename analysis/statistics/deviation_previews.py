"""Previews of many intervals at once: `measurement_deviation.preview` over whole arrays.

A page of costs shows some ten thousand previews. Forks of one length are condensed together, and
benchmarks with equally many forks are drawn together, from the draws of `preview`. Summaries of
forks are equal to the bit. The ends of an interval differ by at most 1e-12 of themselves: the
matrix products are larger, and may sum in another order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from analysis.statistics.answers import Bools, Floats, Indices
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.measurement_deviation import (
    CLOSE,
    LEAST_OF_A_RARE,
    MEASURED,
    PREVIEW,
    RARE,
    STEADY,
    RatioInterval,
    common_draws,
)

AT_ONCE: Final = 64
"""Benchmarks whose resamples are in memory together."""


@dataclass(frozen=True, slots=True)
class PreviewTask:
    """The measurements of one benchmark, each a list of forks, and its steady part."""

    measured: Sequence[Sequence[Floats]]
    steady: Sequence[Floats]


def preview_batch(
    tasks: Sequence[PreviewTask], bootstrap: BootstrapSettings = PREVIEW
) -> list[list[RatioInterval | None]]:
    """Previews of every measurement of every benchmark, in their order."""
    steady_forks = ForkSummaries.from_groups([task.steady for task in tasks])
    measured_forks = ForkSummaries.from_groups(
        list(chain.from_iterable(task.measured for task in tasks))
    )
    benchmarks = np.repeat(np.arange(len(tasks)), [len(task.measured) for task in tasks])
    intervals: list[RatioInterval | None] = []
    for offset in range(0, len(tasks), AT_ONCE):
        part_indices = np.arange(offset, min(offset + AT_ONCE, len(tasks)))
        positions = np.flatnonzero(
            (benchmarks >= part_indices[0]) & (benchmarks <= part_indices[-1])
        )
        steady_means = _SteadyMeans.from_summaries(steady_forks, part_indices, bootstrap)
        ratios = steady_means.ratios(
            measured_forks, positions, benchmarks[positions] - offset, bootstrap
        )
        has_interval = (
            measured_forks.positive[positions] & steady_forks.positive[benchmarks[positions]]
        )
        intervals += _intervals(ratios, has_interval, bootstrap)
    remaining_intervals = iter(intervals)
    return [[next(remaining_intervals) for _ in task.measured] for task in tasks]


# --- forks ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, eq=False)
class ForkSummaries:
    """`CondensedForks` of many groups of forks, all forks in one array.

    n, mean, variance, rare, is_rare   as there, of all forks: (forks,) and (forks, r)
    first_forks, k   int64 (groups,): each group's first fork, and how many it has
    positive   bool (groups,)
    """

    n: Floats
    mean: Floats
    variance: Floats
    rare: Floats
    is_rare: Bools
    first_forks: Indices
    k: Indices
    positive: Bools

    @classmethod
    def from_groups(cls, groups: Sequence[Sequence[Floats]], r: int = RARE) -> ForkSummaries:
        """Condense groups of forks; empty forks are dropped."""
        nonempty_groups = [[fork for fork in group if fork.size] for group in groups]
        forks = list(chain.from_iterable(nonempty_groups))
        k = np.array([len(group) for group in nonempty_groups], np.int64)
        first_forks = np.cumsum(k) - k
        sizes = np.array([fork.size for fork in forks], np.int64)
        summaries = np.empty((len(forks), 4))
        rare_values, is_rare = np.zeros((len(forks), r)), np.zeros((len(forks), r), np.bool_)
        with np.errstate(over="ignore", invalid="ignore"):
            for fork_indices in _indices_by_length(sizes):
                values = np.array([forks[fork] for fork in fork_indices.tolist()])
                other_values, farthest_values = _split_rare(values, r)
                mean = other_values.mean(axis=1)
                summaries[fork_indices] = np.stack(
                    [sizes[fork_indices], mean, other_values.var(axis=1), values.min(axis=1)],
                    axis=1,
                )
                rare_values[fork_indices, : farthest_values.shape[1]] = (
                    farthest_values - mean[:, np.newaxis]
                )
                is_rare[fork_indices, : farthest_values.shape[1]] = True
        least_values = np.append(
            summaries[:, 3], np.inf
        )  # of a group without forks, which is not positive
        is_positive = (
            (k > 0) & (np.minimum.reduceat(least_values, first_forks) > 0) if k.size else k > 0
        )
        n, means, variances, _ = summaries.T
        return cls(n, means, variances, rare_values, is_rare, first_forks, k, is_positive)


def _indices_by_length(sizes: Indices) -> Iterator[Indices]:
    """Indices of the forks of each length."""
    size_order = np.argsort(sizes, kind="stable")
    if size_order.size:
        yield from np.split(size_order, np.flatnonzero(np.diff(sizes[size_order])) + 1)


def _split_rare(forks: Floats, r: int) -> tuple[Floats, Floats]:
    """The values of each row without those that lie farthest from their mean, and these."""
    size = forks.shape[1]
    count = min(r, size // LEAST_OF_A_RARE)
    if count == 0:
        return forks, forks[:, :0]
    distances = np.abs(forks - forks.mean(axis=1, keepdims=True))
    value_order = np.argpartition(distances, size - count, axis=1)
    sorted_forks = np.take_along_axis(forks, value_order, axis=1)
    return np.ascontiguousarray(sorted_forks[:, :-count]), sorted_forks[:, -count:]


# --- resamples --------------------------------------------------------------------------------
class _SteadyMeans(NamedTuple):
    """Resampled means of steady parts, (parts, repeats), over the mean of each one's first fork."""

    scale: Floats
    means: Floats

    @classmethod
    def from_summaries(
        cls, steady: ForkSummaries, task_indices: Indices, bootstrap: BootstrapSettings
    ) -> _SteadyMeans:
        scale = np.append(steady.mean, np.nan)[steady.first_forks[task_indices]]
        with np.errstate(all="ignore"):
            return cls(scale, _nearly_exact_means(steady, task_indices, scale, bootstrap, STEADY))

    def ratios(
        self,
        measured_summaries: ForkSummaries,
        positions: Indices,
        steady_indices: Indices,
        bootstrap: BootstrapSettings,
    ) -> Floats:
        """Ratios of measurements `positions` to steady parts `steady_indices`: (k, repeats)."""
        with np.errstate(all="ignore"):
            measured_means = _nearly_exact_means(
                measured_summaries, positions, self.scale[steady_indices], bootstrap, MEASURED
            )
            ratios: Floats = np.divide(
                measured_means, self.means[steady_indices], out=measured_means
            )
        return ratios


def _nearly_exact_means(
    forks: ForkSummaries,
    groups: Indices,
    scale: Floats,
    bootstrap: BootstrapSettings,
    stream_key: int,
) -> Floats:
    """Means of resamples of `groups`, over `scale`: (groups, repeats); NaN where not positive."""
    means = np.full((groups.size, bootstrap.repeats), np.nan)
    fork_counts = np.where(forks.positive[groups], forks.k[groups], 0)
    for k in np.unique(fork_counts[fork_counts > 0]).tolist():
        group_indices = np.flatnonzero(fork_counts == k)
        fork_indices = forks.first_forks[groups[group_indices]][:, np.newaxis] + np.arange(k)
        means[group_indices] = _resampled_means(
            forks, fork_indices, scale[group_indices, np.newaxis], bootstrap, stream_key
        )
    return means


def _resampled_means(
    forks: ForkSummaries,
    indices: Indices,
    scale: Floats,
    bootstrap: BootstrapSettings,
    stream_key: int,
) -> Floats:
    """Means of resamples of groups of k forks, with `indices` (groups, k): (groups, repeats)."""
    groups, k = indices.shape
    r = forks.rare.shape[1]
    draws = common_draws((k, r), bootstrap.repeats, bootstrap.seed, stream_key)
    draw_counts = np.concatenate([draws.forks, draws.rare], axis=1).T
    n, mean, variance = (
        forks.n[indices],
        forks.mean[indices] / scale,
        forks.variance[indices] / scale**2,
    )
    rare_ratios = (forks.rare[indices] / scale[:, :, np.newaxis]).reshape(groups, k * r)
    rare_weights = (-variance[:, :, np.newaxis] * forks.is_rare[indices]).reshape(groups, k * r)
    means: Floats = np.concatenate([n * variance, rare_weights], axis=1) @ draw_counts
    np.sqrt(np.maximum(means, 0.0, out=means), out=means)
    means *= draws.normal
    means += np.concatenate([n * mean, rare_ratios], axis=1) @ draw_counts
    means /= n @ draws.forks.T
    return means


# --- intervals --------------------------------------------------------------------------------
def _intervals(
    ratios: Floats, has_interval: Bools, bootstrap: BootstrapSettings
) -> list[RatioInterval | None]:
    """`interval_of` each row; None where it is not known, or not finite."""
    ratios.sort(axis=1)
    has_interval = has_interval & np.isfinite(ratios[:, 0]) & np.isfinite(ratios[:, -1])
    tail = (1 - bootstrap.level) / 2
    low, is_near_low = _quantiles(ratios, tail)
    high, is_near_high = _quantiles(ratios, 1 - tail)
    triples = zip(low.tolist(), high.tolist(), (is_near_low | is_near_high).tolist(), strict=True)
    return [
        RatioInterval(*triple, exact=False) if is_known else None
        for is_known, triple in zip(has_interval.tolist(), triples, strict=True)
    ]


def _quantiles(sorted_ratios: Floats, share: float) -> tuple[Floats, Bools]:
    """A quantile of each row, and whether 1 lies among those that it might have been."""
    n = sorted_ratios.shape[1]
    position = share * (n - 1)
    index_before = math.floor(position)
    lower_ratio, upper_ratio = (
        sorted_ratios[:, index_before],
        sorted_ratios[:, min(index_before + 1, n - 1)],
    )
    rank_reach = CLOSE * math.sqrt(n * share * (1 - share))
    least_ratio = sorted_ratios[:, max(math.floor(position - rank_reach), 0)]
    greatest_ratio = sorted_ratios[:, min(math.ceil(position + rank_reach), n - 1)]
    is_near: Bools = (least_ratio <= 1) & (greatest_ratio >= 1) & (least_ratio < greatest_ratio)
    quantile: Floats = lower_ratio + (upper_ratio - lower_ratio) * (position - index_before)
    return quantile, is_near
