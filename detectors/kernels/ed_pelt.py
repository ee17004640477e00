"""ED-PELT: the segments of a series whose values are distributed alike (Haynes et al. 2017)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import long_kernel

Counts = NDArray[np.int32]


@long_kernel
def previous_changes(
    counts: Counts, table: Values, least_size: int, penalty: float, scale: float
) -> NDArray[np.int64]:
    """Begin of the last segment in the best segmentation of ``values[:t]``, int64 (n + 1,).

    counts: (n + 1, k), twice the values so far that are below each of k quantiles, equal ones
    once. table: i log i for i up to 2 n. least_size: values of a segment. Its cost is `scale`
    times the sum of its log-likelihoods over the quantiles, and each costs `penalty` more.
    """
    n, k = counts.shape[0] - 1, counts.shape[1]
    best_costs, previous_changes = np.zeros(n + 1), np.zeros(n + 1, np.int64)
    starts, costs = np.zeros(n + 2, np.int64), np.empty(n + 2)
    best_costs[0] = -penalty
    open_count = 1
    for t in range(least_size, n + 1):
        low = 0
        for j in range(open_count):
            start = starts[j]
            doubled_sum, total = 2 * (t - start), 0.0
            for i in range(k):
                below_count = counts[t, i] - counts[start, i]
                total += table[below_count] + table[doubled_sum - below_count]
            costs[j] = best_costs[start] + scale * (total - k * table[doubled_sum]) + penalty
            if costs[j] < costs[low]:
                low = j
        best_costs[t], previous_changes[t] = costs[low], starts[low]
        kept_count = 0
        for j in range(open_count):
            if (
                costs[j] < best_costs[t] + penalty
            ):  # or it is never again the best (Killick et al. 2012)
                starts[kept_count] = starts[j]
                kept_count += 1
        open_count = kept_count
        if t + 1 >= 2 * least_size:  # two segments fit into the next
            starts[kept_count] = t + 1 - least_size
            open_count += 1
    return previous_changes
