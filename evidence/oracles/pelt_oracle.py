"""PELT as its definition states it: lists of candidates, one cost at a time, plain Python."""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from detectors.contract import Values


def sums(y: Values) -> list[float]:
    """Running sums in extended precision, each rounded to a double."""
    wide_sums = accumulate((np.longdouble(value) for value in y.tolist()), initial=np.longdouble(0))
    return [float(value) for value in wide_sums]


class SegmentCosts:
    """The cost of the values s … t - 1, computed when it is asked for."""

    def __init__(self, y: Values) -> None:
        self.m = y.size
        self.s1, self.s2 = sums(y), sums(y * y)

    def __call__(self, s: int, t: int) -> float:
        length = t - s
        a, b = self.s1[t] - self.s1[s], self.s2[t] - self.s2[s]
        v = (b - a * a / length) / length
        return length * (math.log(2 * math.pi) + math.log(1e-11 if v <= 0 else v) + 1)


def pelt(y: Values, penalty: float) -> tuple[list[int], float]:
    """Ends of the segments, m included, and the penalised cost."""
    cost = SegmentCosts(y)
    best_costs = {0: -penalty, 2: cost(0, 2), 3: cost(0, 3)}
    last = {2: 0, 3: 0}
    candidates = [0, 2]
    for t in range(4, cost.m + 1):
        values = [best_costs[s] + cost(s, t) + penalty for s in candidates]
        best_costs[t] = min(values)
        last[t] = candidates[values.index(best_costs[t])]
        limit = best_costs[t] + penalty
        candidates = [s for s, v in zip(candidates, values, strict=True) if v <= limit] + [t - 1]
    segment_ends = [cost.m]
    while last[segment_ends[0]] > 0:
        segment_ends.insert(0, last[segment_ends[0]])
    return segment_ends, best_costs[cost.m]


def optimum(y: Values, penalty: float) -> float:
    """The least penalised cost of all segmentations into segments of two values or more."""
    cost = SegmentCosts(y)
    best_costs = {0: -penalty}
    for t in range(2, cost.m + 1):
        best_costs[t] = min(best_costs[s] + cost(s, t) + penalty for s in best_costs if s <= t - 2)
    return best_costs[cost.m]
