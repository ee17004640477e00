"""Rank-normalised split R-hat of what is left of some forks after a start (Vehtari et al. 2021).

All values are sorted once; what is left after a start keeps that order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from detectors.api import Values
from detectors.arrays.special_functions import scipy_special
from detectors.kernels import rank_rhat as kernels

KEPT: Final = 10_000  # values: scores of so many are kept, five megabytes at most
BLOM: Final = 3 / 8  # ranks r of n values become normal scores of (r - 3/8)/(n + 1/4)


class SplitForks:
    """The halves of what is left of forks, as chains that are compared with one another.

    forks: one or more; what a longer one has more at its end than the shortest is left out.
    """

    def __init__(self, forks: Sequence[Values]) -> None:
        self.n, self._chains = min(fork.size for fork in forks), 2 * len(forks)
        flat_values = np.concatenate([fork[: self.n] for fork in forks])
        self._sorted, self._order = kernels.sort_with_places(flat_values)
        if not self._order.size:
            self._order = np.argsort(flat_values)
            self._sorted = flat_values[self._order]

    def rhat(self, start: int, limit: float = np.inf) -> float:
        """The greater one of R-hat of the ranks and of the ranks of distances from the median.

        The first alone where it is `limit` or more.

        Infinite where the chains are constants that differ, 1 where all values are equal. Four
        values or more must be left; the middle one of an odd number is left out.
        """
        half_length = (self.n - start) // 2
        values, chains = kernels.halves_after(self._sorted, self._order, start, half_length, self.n)
        # Series of a data set are mostly of one length.
        scores = (_kept_scores if values.size <= KEPT else _normal_scores)(values.size)
        rhat_of_ranks = kernels.rhat(values, chains, self._chains, scores)
        if rhat_of_ranks >= limit:
            return rhat_of_ranks
        distances_apart, chain_numbers = kernels.distances(values, chains)
        return max(
            rhat_of_ranks, kernels.rhat(distances_apart, chain_numbers, self._chains, scores)
        )


@lru_cache(maxsize=64)
def _kept_scores(n: int) -> Values:
    return _normal_scores(n)


def _normal_scores(n: int) -> Values:
    """Normal scores of the ranks 1 … n from the middle one up, by half ranks.

    Scores of the ranks below are their negatives.
    """
    scores: Values = scipy_special().ndtri(((np.arange(n) + n + 1) / 2 - BLOM) / (n + 1 - 2 * BLOM))
    scores[0] = 0.0  # the middle itself, whatever was rounded
    scores.setflags(write=False)  # as those that are kept, or the kernel is compiled twice
    return scores
