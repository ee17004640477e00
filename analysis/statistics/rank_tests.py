"""SciPy's rank tests, in a module of its own because SciPy's statistics take seconds to load."""

from __future__ import annotations

import numpy as np
from scipy import stats

from analysis.statistics.answers import Floats
from analysis.statistics.ranks import SignedRank


def ranks(sizes: Floats) -> Floats:
    """Ranks of the methods (rows) on each series (column): 1 is least, ties share their mean."""
    found: Floats = stats.rankdata(sizes, axis=0)
    return found


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
    kept = difference[difference != 0]
    if not kept.size:
        return SignedRank(1.0, None)
    p = float(stats.wilcoxon(kept, zero_method="wilcox", correction=False).pvalue)
    order = stats.rankdata(np.abs(kept))
    return SignedRank(p, float((order * np.sign(kept)).sum() / order.sum()))
