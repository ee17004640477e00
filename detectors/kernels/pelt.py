"""PELT for a change of mean and variance: the best segmentation for each of several penalties.

The costs of all segments that end at one value are a row, and lie side by side in memory. A
candidate that is pruned gets the value infinity instead of leaving a list, so that the loops
over candidates have no branches: they run on vectors. All penalties of a call share each row.

The operations and their order are those of R's `changepoint` 2.2: at the penalties that matter
two segmentations are equally good but for rounding, and the last bit decides between them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import inlined_kernel, kernel

LEAST_VARIANCE = 1e-11  # of a segment of equal values: absolute, as in the package
BLOCK = 256  # candidates looked at together
CONSTANT = math.log(2 * math.pi)

Lasts = NDArray[np.int32]


def running_sums(y: Values) -> tuple[Values, Values]:
    """Sums of the first i values, and of their squares, i = 0 … m.

    Added up in extended precision and then rounded, as R does; where the platform has none
    (`numpy.longdouble` of 64 bits), ties may fall to the other side.
    """
    return _prefix_sums(y), _prefix_sums(y * y)


def _prefix_sums(y: Values) -> Values:
    sums = np.zeros(y.size + 1)
    sums[1:] = np.cumsum(y, dtype=np.longdouble)
    return sums


@kernel
def fill_costs(s1: Values, s2: Values, first: int, t: int, row: Values) -> None:
    """``row[s]`` = cost of the segment of the values s … t - 1, for s = first … t - 1.

    Minus twice the log-likelihood of a normal distribution at its best mean and variance.
    """
    heads, squares, costs = s1[first:t], s2[first:t], row[first:t]
    end, square = s1[t], s2[t]
    for i in range(costs.size):
        length = float(costs.size - i)
        a = end - heads[i]
        b = square - squares[i]
        v = (b - a * a / length) / length
        costs[i] = v if v > 0 else LEAST_VARIANCE
    for i in range(costs.size):
        costs[i] = (costs.size - i) * (CONSTANT + math.log(costs[i]) + 1)


@kernel
def all_costs(s1: Values, s2: Values) -> Values:
    """Every row, one after the other: the row of t begins at t (t - 1) / 2 and has t costs."""
    m = s1.size - 1
    rows = np.empty(m * (m + 1) // 2)
    for t in range(1, m + 1):
        begin = t * (t - 1) // 2
        fill_costs(s1, s2, 0, t, rows[begin : begin + t])
    return rows


@kernel
def sweep(reach: Values, costs: Values, penalty: float, value: float) -> int:
    """Prune the candidates beyond `value` + `penalty`; how many are at most `value`.

    Mostly a block holds none to prune, and then nothing is written: half the time.
    """
    limit = value + penalty
    count = 0
    for begin in range(0, reach.size, BLOCK):
        block, prices = reach[begin : begin + BLOCK], costs[begin : begin + BLOCK]
        beyond_count = 0
        for i in range(block.size):
            cost = block[i] + prices[i] + penalty
            count += cost <= value
            beyond_count += (cost > limit) & (block[i] < np.inf)
        if beyond_count:
            for i in range(block.size):
                cost = block[i] + prices[i] + penalty
                block[i] = block[i] if cost <= limit else np.inf
    return count


@inlined_kernel
def first_cheapest(reach: Values, costs: Values, penalty: float) -> int:
    """Index of the least value; of equal ones the first."""
    least_cost, best_index = np.inf, 0
    for i in range(reach.size):
        cost = reach[i] + costs[i] + penalty
        if cost < least_cost:
            least_cost, best_index = cost, i
    return best_index


@kernel
def pelt(s1: Values, s2: Values, rows: Values, penalties: Values) -> tuple[Values, Lasts]:
    """Penalised cost of the best segmentation of all values, and the way back, a row a penalty.

    `rows` are `all_costs`, or empty: then they are computed as they are needed, which takes no
    memory and, if the penalties are few, less time. Needs at least 4 values; a segment has at
    least two. The last segment of a segmentation begins at ``last[m]``, the one before it at
    ``last[last[m]]``, and so on until 0.
    """
    m, penalty_count = s1.size - 1, penalties.size
    reach = np.full(
        (penalty_count, m + 1), np.inf
    )  # best cost up to a candidate; infinity if it is none
    last = np.zeros((penalty_count, m + 1), dtype=np.int32)
    latest_costs, costs_before = (
        np.empty(penalty_count),
        np.empty(penalty_count),
    )  # best cost up to t, and up to t - 1
    best_starts, first_candidates = (
        np.zeros(penalty_count, dtype=np.int64),
        np.zeros(penalty_count, dtype=np.int64),
    )
    row = np.empty(m + 1)

    fill_costs(s1, s2, 0, 2, row)
    pair = row[0]
    fill_costs(s1, s2, 0, 3, row)
    for p in range(penalty_count):
        reach[p, 0] = -penalties[p]
        reach[p, 2] = pair
        costs_before[p] = row[0]

    least_index = 0  # of `first_candidates`
    for t in range(4, m + 1):
        if rows.size:
            row = rows[t * (t - 1) // 2 : t * (t + 1) // 2]
        else:
            fill_costs(s1, s2, least_index, t, row)
        least_index = m
        for p in range(penalty_count):
            penalty, start = penalties[p], first_candidates[p]
            candidates, costs = reach[p, start : t - 1], row[start : t - 1]
            # Mostly the best candidate is that of the value before, and one sweep is enough. It
            # prunes too little if another is better, and never too much unless the penalty is
            # negative.
            candidate = best_starts[p]
            value = reach[p, candidate] + row[candidate] + penalty
            is_guess = penalty >= 0 and value < np.inf
            if not is_guess or sweep(candidates, costs, penalty, value) != 1:
                candidate = best_starts[p] = start + first_cheapest(candidates, costs, penalty)
                value = reach[p, candidate] + row[candidate] + penalty
                sweep(candidates, costs, penalty, value)
            last[p, t] = candidate
            latest_costs[p] = value
            while start < t - 1 and reach[p, start] == np.inf:
                start += 1
            first_candidates[p] = start
            least_index = min(least_index, start)
            reach[p, t - 1] = costs_before[p]
            costs_before[p] = value
    return latest_costs, last


@kernel
def ends_of(last: Lasts) -> Lasts:
    """Ends of the segments, of the way back that `pelt` gives for one penalty."""
    ends = np.empty_like(last)
    first = last.size
    end = last.size - 1
    while end > 0:
        first -= 1
        ends[first] = end
        end = last[end]
    return ends[first:]
