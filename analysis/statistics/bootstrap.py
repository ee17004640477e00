"""Percentile bootstrap interval of a median, without drawing the resamples.

The middle of a resample of n values is the value whose rank is the middle of n uniform ranks.
Order statistics of uniforms are beta variables, so a resample costs one or two draws instead of
n, with exactly the same distribution (docs/design/MATH.md proves it). The same ranks serve every
method that has n values: methods are compared on common random numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from analysis.statistics.answers import Floats, Indices


@dataclass(frozen=True, slots=True)
class BootstrapSettings:
    """Number of resamples and seed of bootstrap intervals; both are printed beside them."""

    repeats: int = 10_000
    seed: int = 0
    level: float = 0.95

    def bounds(self, draws: Floats) -> tuple[float, float]:
        """The percentile interval of what was drawn, float64 (m,) with m > 0."""
        tail = (1 - self.level) / 2
        low, high = np.quantile(draws, [tail, 1 - tail]).tolist()
        return low, high


def median_interval(values: Floats, bootstrap: BootstrapSettings) -> tuple[float, float] | None:
    """Percentile interval of the median of `values`; None without values."""
    if not values.size:
        return None
    sorted_values = np.sort(values)
    lower, upper, counts = _middle_ranks(values.size, bootstrap.repeats, bootstrap.seed)
    medians = (sorted_values[lower] + sorted_values[upper]) / 2
    sort_order = np.argsort(medians)
    tail = (1 - bootstrap.level) / 2
    rank_ends = np.cumsum(counts[sort_order])
    low, high = (_quantile(medians[sort_order], rank_ends, share) for share in (tail, 1 - tail))
    return low, high


def _quantile(values: Floats, rank_ends: Indices, share: float) -> float:
    """`np.quantile` of rising `values`, each of which stands until place `rank_ends`, less one."""
    rank_position = (rank_ends[-1] - 1) * share
    rank_before = int(rank_position)
    neighbour_ranks = [rank_before, min(rank_before + 1, rank_ends[-1] - 1)]
    low, high = values[np.searchsorted(rank_ends, neighbour_ranks, "right")].tolist()
    fraction, step = rank_position - rank_before, high - low
    return float(low + step * fraction if fraction < 0.5 else high - step * (1 - fraction))


@lru_cache(maxsize=64)
def _middle_ranks(n: int, repeats: int, seed: int) -> tuple[Indices, Indices, Indices]:
    """Ranks of the two middle values (the same for odd n) of `repeats` resamples of n.

    Few hundred pairs of ranks are drawn, each often: every pair once, and how often.
    """
    lower, upper = _draw_ranks(n, repeats, seed)
    pair_codes, counts = np.unique(lower * n + upper, return_counts=True)
    return pair_codes // n, pair_codes % n, counts


def _draw_ranks(n: int, repeats: int, seed: int) -> tuple[Indices, Indices]:
    """Ranks of the two middle values of each resample."""
    generator = np.random.default_rng(seed)
    middle = (n + 1) // 2
    low_uniform = generator.beta(middle, n + 1 - middle, size=repeats)
    if n % 2:
        ranks = _ranks(low_uniform, n)
        return ranks, ranks
    # Those above the lower middle are uniform between it and 1; the next is their least.
    high_uniform = low_uniform + (1 - low_uniform) * generator.beta(1, n - middle, size=repeats)
    return _ranks(low_uniform, n), _ranks(high_uniform, n)


def _ranks(uniform_draws: Floats, n: int) -> Indices:
    ranks: Indices = np.minimum((uniform_draws * n).astype(np.int64), n - 1)
    return ranks
