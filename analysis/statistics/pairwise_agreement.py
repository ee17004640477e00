"""Shares of equal answers for every pair of sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import ArrayLike

from analysis.statistics.answers import Answers, Bools, Floats, Indices, same_series

LEAST_TO_ORDER = 3


@dataclass(frozen=True, slots=True)
class Agreement:
    """Series on which two sources agree, of those that both have answered."""

    agree_count: int
    answered_count: int

    @property
    def share(self) -> float | None:
        return self.agree_count / self.answered_count if self.answered_count else None


@dataclass(frozen=True, slots=True, eq=False)
class AgreementMatrix:
    """Agreements of every pair: int64 (m, m) each; `order` puts similar sources together."""

    names: tuple[str, ...]
    agree: Indices
    of: Indices
    order: tuple[int, ...]

    def cell(self, first: str, second: str) -> Agreement:
        i, j = self.names.index(first), self.names.index(second)
        return Agreement(int(self.agree[i, j]), int(self.of[i, j]))


def agreements(a: Answers, b: Answers, tolerance: ArrayLike) -> Bools:
    """Series on which both say never, or both are steady within `tolerance` iterations."""
    is_close = np.zeros(a.n, dtype=np.bool_)
    steady_mask = a.steady & b.steady
    allowed_difference = np.broadcast_to(tolerance, is_close.shape)
    is_close[steady_mask] = (
        np.abs(a.index[steady_mask] - b.index[steady_mask]) <= allowed_difference[steady_mask]
    )
    return is_close | (a.never & b.never)


def agreement(a: Answers, b: Answers, tolerance: ArrayLike) -> Agreement:
    """Agreement of two sources over the series that both have answered."""
    same_series([a, b])
    return Agreement(int(agreements(a, b, tolerance).sum()), int((a.given & b.given).sum()))


def agreement_matrix(sources: Mapping[str, Answers], tolerance: ArrayLike) -> AgreementMatrix:
    """Agreement of every pair of sources: methods, ground truth and people alike."""
    answers = list(sources.values())
    same_series(answers)
    m = len(answers)
    agree_counts, answered_counts = np.zeros((m, m), np.int64), np.zeros((m, m), np.int64)
    for (i, a), (j, b) in combinations_with_replacement(enumerate(answers), 2):
        pair_agreement = agreement(a, b, tolerance)
        agree_counts[i, j] = agree_counts[j, i] = pair_agreement.agree_count
        answered_counts[i, j] = answered_counts[j, i] = pair_agreement.answered_count
    return AgreementMatrix(
        tuple(sources),
        agree_counts,
        answered_counts,
        leaf_order(agree_counts / np.maximum(answered_counts, 1)),
    )


def leaf_order(shares: Floats) -> tuple[int, ...]:
    """Positions ordered so that neighbours agree: leaves of average-linkage clustering.

    Distance of two sources: 1 - share. Of the orders that a tree allows, the one with the
    least sum of distances between neighbours (SciPy's optimal ordering): the same data give
    the same order.
    """
    m = shares.shape[0]
    if m < LEAST_TO_ORDER:
        return tuple(range(m))
    # Imported here: this branch of SciPy is needed by one chart only.
    from scipy.cluster.hierarchy import leaves_list, linkage  # noqa: PLC0415

    upper_indices = np.triu_indices(m, k=1)
    tree = linkage(1 - shares[upper_indices], method="average", optimal_ordering=True)
    return tuple(leaves_list(tree).tolist())
