"""Ranks of errors, Friedman's test and Wilcoxon's signed-rank test, as SciPy computes them.

Written out because SciPy's statistics take seconds to load and a millisecond for each of the 1,275
pairs of 51 methods; tests hold these against SciPy.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.statistics.answers import Floats

# SciPy's own choices for `method="auto"`.
MOST_TIED_FOR_EXACT: Final = 13
MOST_FOR_EXACT: Final = 50


class SignedRank(NamedTuple):
    """Wilcoxon's two-sided p and the matched-pairs rank-biserial effect."""

    p: float
    rank_biserial: float | None


def average_ranks(values: Floats) -> Floats:
    """Ranks of values: 1 is least, ties share their mean."""
    _, group_indices, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[group_indices]
    return ranks


def method_ranks(sizes: Floats) -> Floats:
    """Ranks of the methods (rows) on each series (column): 1 is least, ties share their mean."""
    smaller_counts = np.array([(sizes < row).sum(axis=0) for row in sizes])
    ranks: Floats = smaller_counts + (_equal_counts(sizes) + 1) / 2
    return ranks


def _equal_counts(sizes: Floats) -> NDArray[np.int64]:
    """Number of methods with the same figure on the series, for each figure of `sizes`."""
    return np.array([(sizes == row).sum(axis=0) for row in sizes])


def friedman(ranks: Floats) -> tuple[float | None, float | None]:
    """Friedman's statistic and p; None when all methods tie on every series."""
    if np.all(ranks == ranks[0]):
        return None, None
    from scipy.special import chdtrc  # noqa: PLC0415  # no process needs SciPy to start

    k, n = ranks.shape  # methods, series
    tie_sum = float((_equal_counts(ranks) ** 2 - 1).sum())  # of t equal ranks t³ - t
    tie_correction = tie_sum / (k * (k**2 - 1) * n)
    squared_sum = float((ranks.sum(axis=1) ** 2).sum())
    statistic = 12 / (k * n * (k + 1)) * squared_sum - 3 * n * (k + 1)
    statistic /= 1 - tie_correction
    return statistic, float(chdtrc(k - 1, statistic))


def signed_rank(difference: Floats) -> SignedRank:
    """Wilcoxon's signed-rank test of paired differences; zeros are dropped.

    The effect is the matched-pairs rank-biserial correlation (Kerby 2014), from -1 to 1.
    Without a difference p is 1 and there is no effect.
    """
    unequal_differences = difference[difference != 0]
    count = unequal_differences.size
    if not count:
        return SignedRank(1.0, None)
    ranks = average_ranks(np.abs(unequal_differences))
    positive_sum = float(ranks[unequal_differences > 0].sum())
    effect = (2 * positive_sum - float(ranks.sum())) / float(ranks.sum())
    _, counts = np.unique(ranks, return_counts=True)
    tie_sum = float((counts**3 - counts).sum())
    if count <= (MOST_TIED_FOR_EXACT if tie_sum else MOST_FOR_EXACT):
        chances = _rank_sum_chances(tuple(sorted((2 * ranks).astype(int).tolist())))
        doubled_sum = round(2 * positive_sum)
        tail = min(chances[: doubled_sum + 1].sum(), chances[doubled_sum:].sum())
        return SignedRank(min(1.0, 2 * float(tail)), effect)
    variance = (count * (count + 1) * (2 * count + 1) - tie_sum / 2) / 24
    z = (positive_sum - count * (count + 1) / 4) / math.sqrt(variance)
    return SignedRank(math.erfc(abs(z) / math.sqrt(2)), effect)


@lru_cache(maxsize=64)
def _rank_sum_chances(doubled_ranks: tuple[int, ...]) -> Floats:
    """Chance of each sum of positive ranks when every sign is as likely, by doubled sum."""
    chances = np.zeros(sum(doubled_ranks) + 1)
    chances[0] = 1.0
    for rank in doubled_ranks:
        chances[rank:] += chances[:-rank].copy()
        chances /= 2
    return chances
