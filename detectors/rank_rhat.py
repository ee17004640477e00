"""Rank-normalised split R-hat of what is left of some forks after a start (Vehtari et al. 2021).

All values are sorted once; what is left after a start keeps that order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values

ROUNDED: Final = 1e-12  # a variance of normal scores that is nothing but rounding
KEPT: Final = 10_000  # values: scores of so many are kept, five megabytes at most
BLOM: Final = 3 / 8  # ranks r of n values become normal scores of (r - 3/8)/(n + 1/4)


class SplitForks:
    """The halves of what is left of forks, as chains that are compared with one another.

    forks: one or more; what a longer one has more at its end than the shortest is left out.
    """

    def __init__(self, forks: Sequence[Values]) -> None:
        self.n = min(fork.size for fork in forks)
        flat = np.concatenate([fork[: self.n] for fork in forks])
        order = np.argsort(flat)
        self._sorted, self._forks = flat[order], len(forks)
        self._place, self._chain = order % self.n, order // self.n * 2

    def rhat(self, start: int, most: float = np.inf) -> float:
        """The greater one of R-hat of the ranks and of the ranks of distances from the median.

        The first alone where it is `most` or more.

        Infinite where the chains are constants that differ, 1 where all values are equal. Four
        values or more must be left; the middle one of an odd number is left out.
        """
        half = (self.n - start) // 2
        late = self._place >= self.n - half
        left = late | ((self._place >= start) & (self._place < start + half))
        values, chains = self._sorted[left], (self._chain + late)[left]
        scores = _scores_of_ranks(values.size)
        found = self._of(_with_ties(values, scores), chains)
        if found >= most:
            return found
        apart = np.abs(values - (values[(values.size - 1) // 2] + values[values.size // 2]) / 2)
        nearest = np.argsort(apart, kind="stable")  # two runs, of which a merge is enough
        return max(found, self._of(_with_ties(apart[nearest], scores), chains[nearest]))

    def _of(self, scores: Values, chains: NDArray[np.int64]) -> float:
        number = 2 * self._forks
        each = scores.size // number
        means = np.bincount(chains, scores, number) / each
        within = (scores @ scores - each * (means @ means)) / (number * (each - 1))
        apart = means - means.mean()
        between = float(apart @ apart) / (number - 1)
        if within <= ROUNDED:
            return np.inf if between > ROUNDED else 1.0
        return float(np.sqrt(between / within + (each - 1) / each))


def _scores_of_ranks(n: int) -> Values:
    """Of the ranks 1 … n, which is even; series of a data set are mostly of one length."""
    return _kept_scores(n) if n <= KEPT else _normal_scores(n)


@lru_cache(maxsize=64)
def _kept_scores(n: int) -> Values:
    found = _normal_scores(n)
    found.setflags(write=False)
    return found


def _normal_scores(n: int) -> Values:
    """The lower half mirrors the upper one."""
    from scipy.special import ndtri  # noqa: PLC0415  # no process that only serves pages needs it

    upper = ndtri((np.arange(n // 2 + 1, n + 1) - BLOM) / (n + 1 - 2 * BLOM))
    found: Values = np.concatenate([-upper[::-1], upper])
    return found


def _with_ties(ascending: Values, scores: Values) -> Values:
    """Scores of the ranks, where equal values share the mean of their ranks."""
    from scipy.special import ndtri  # noqa: PLC0415  # as above

    new = ascending[1:] != ascending[:-1]
    if new.all():
        return scores
    begins = np.concatenate([[0], np.flatnonzero(new) + 1])
    lengths = np.diff(np.append(begins, ascending.size))
    shared = scores[begins].copy()
    tied = lengths > 1
    ranks = begins[tied] + (lengths[tied] + 1) / 2
    shared[tied] = ndtri((ranks - BLOM) / (ascending.size + 1 - 2 * BLOM))
    return np.repeat(shared, lengths)
