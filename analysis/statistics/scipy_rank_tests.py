"""SciPy's rank tests, in a module of its own because SciPy's statistics take seconds to load."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from scipy import stats

from analysis.statistics.answers import Floats

# SciPy's own choices for `method="auto"`.
MOST_TO_ENUMERATE: Final = 13
MOST_FOR_EXACT: Final = 50


class SignedRank(NamedTuple):
    """Wilcoxon's two-sided p and the matched-pairs rank-biserial effect."""

    p: float
    rank_biserial: float | None


def ranks(sizes: Floats) -> Floats:
    """Ranks of the methods (rows) on each series (column): 1 is least, ties share their mean."""
    ranks_of_series: Floats = stats.rankdata(sizes, axis=0)
    return ranks_of_series


def friedman(ranks: Floats) -> tuple[float | None, float | None]:
    """Friedman's statistic and p; None when all methods tie on every series."""
    if np.all(ranks == ranks[0]):
        return None, None
    # Ranks of ranks are the ranks, and unlike the errors they are finite.
    result = stats.friedmanchisquare(*ranks)
    return float(result.statistic), float(result.pvalue)


def signed_rank(difference: Floats) -> SignedRank:
    """Wilcoxon's signed-rank test of paired differences; zeros are dropped.

    The effect is the matched-pairs rank-biserial correlation (Kerby 2014), from -1 to 1.
    Without a difference p is 1 and there is no effect.
    """
    unequal = difference[difference != 0]
    if not unequal.size:
        return SignedRank(1.0, None)
    order: Floats = stats.rankdata(np.abs(unequal))
    effect = float((order * np.sign(unequal)).sum() / order.sum())
    tied = np.unique(order).size < order.size
    if tied and unequal.size <= MOST_TO_ENUMERATE:
        return SignedRank(_enumerated_p(order, float(order[unequal > 0].sum())), effect)
    method = "asymptotic" if tied or unequal.size > MOST_FOR_EXACT else "exact"
    scipy_test = stats.wilcoxon(unequal, zero_method="wilcox", correction=False, method=method)
    return SignedRank(float(scipy_test.pvalue), effect)


def nemenyi(ranks: Floats) -> Floats:
    """p of every pair of methods, (m, m), from their ranks on each series (column)."""
    # scikit-posthocs brings pandas and drawing libraries: seconds that only those pay who ask.
    from scikit_posthocs import posthoc_nemenyi_friedman  # noqa: PLC0415

    p_values: Floats = posthoc_nemenyi_friedman(ranks.T).to_numpy()
    return p_values


def critical_difference(methods: int, series: int, alpha: float) -> float:
    """Nemenyi's: average ranks at least this far apart differ at `alpha` (Demšar 2006)."""
    quantile = float(stats.studentized_range.ppf(1 - alpha, methods, np.inf)) / math.sqrt(2)
    return quantile * math.sqrt(methods * (methods + 1) / (6 * series))


def _enumerated_p(order: Floats, positive: float) -> float:
    """Two-sided p over all 2^n ways to give the ranks their signs.

    SciPy does the same for few tied differences, but takes tenths of a second for a pair, and
    a diagram of 19 methods has 171 pairs.
    """
    signs = np.arange(2**order.size)[:, None] >> np.arange(order.size) & 1
    sums = signs @ order
    return min(1.0, 2 * float(min((sums <= positive).mean(), (sums >= positive).mean())))
