"""Best pieces of one level, by dynamic programming over weighted squares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import kernel, numpy_version_of

Ends = NDArray[np.int64]


@kernel
def last_changes(sums: Values, least_length: int, most_changes: int) -> tuple[Ends, Values]:
    """Find the last change of the best 2, 3, … `most_changes` + 1 pieces that end before each
    block.

    sums: (3, N + 1) running sums, from 0 on, of weights and of weighted values and squares.
    least_length: blocks of a piece. Returns changes (most, N + 1), and costs (most,) of all blocks,
    infinite where they are too few.
    """
    mass, first, sums_of_squares = sums
    count = mass.size
    cost = np.full((count, count), np.inf)  # of blocks begin to end, at [end, begin]
    for end in range(least_length, count):
        for begin in range(end - least_length + 1):
            total = first[end] - first[begin]
            squares = (
                sums_of_squares[end]
                - sums_of_squares[begin]
                - total * total / (mass[end] - mass[begin])
            )
            cost[end, begin] = max(squares, 0.0)
    changes, costs = np.zeros((most_changes, count), np.int64), np.empty(most_changes)
    best_costs = cost[:, 0].copy()
    for number in range(most_changes):
        least_costs = np.full(count, np.inf)
        for end in range(least_length, count):
            for begin in range(end - least_length + 1):
                total = best_costs[begin] + cost[end, begin]
                if total < least_costs[end]:
                    least_costs[end], changes[number, end] = total, begin
        best_costs, costs[number] = least_costs, least_costs[-1]
    return changes, costs


@numpy_version_of(last_changes)
def _last_changes_at_once(
    sums: Values, least_length: int, most_changes: int
) -> tuple[Ends, Values]:
    """Find the last change of the best pieces, all beginnings and ends at once."""
    weight, total, squares = sums[:, None, :] - sums[:, :, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        cost = np.maximum(squares - total**2 / weight, 0.0)
    edges = np.arange(sums.shape[1])
    cost = np.where(edges[None, :] - edges[:, None] >= least_length, cost, np.inf)
    changes, costs, best_costs = (
        np.zeros((most_changes, edges.size), np.int64),
        np.empty(most_changes),
        cost[0],
    )
    for number in range(most_changes):
        totals = best_costs[:, None] + cost
        changes[number] = totals.argmin(axis=0)
        best_costs = totals[changes[number], edges]
        costs[number] = best_costs[-1]
    return changes, costs
