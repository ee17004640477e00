"""The best constant answer: the iteration that, given for every series, errs least in sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.statistics.answers import Floats, Number, as_integer


@dataclass(frozen=True, slots=True)
class BestConstant:
    """The constant with the least sum of |truth - constant|.

    Every iteration from `index` to `last` is as good; `index` is the lowest of them.
    """

    index: int
    last: int
    n: int
    manhattan: Number
    mean_abs: float


def best_constant(truth: Floats) -> BestConstant | None:
    """The best constant for these steady starts; None without any.

    The sum of distances to a point is least exactly between the two middle values (a median),
    so nothing is searched.
    """
    n = truth.size
    if not n:
        return None
    sorted_truth = np.sort(truth)
    # A half, from a median of people, rounds inwards: the sum is flat between the middles.
    index, last = int(np.ceil(sorted_truth[(n - 1) // 2])), int(np.floor(sorted_truth[n // 2]))
    if last < index:
        # Both middles between the same two whole numbers
        lower, upper = _constant(sorted_truth, last, last), _constant(sorted_truth, index, index)
        if lower.manhattan == upper.manhattan:
            return _constant(sorted_truth, last, index)
        return min(lower, upper, key=lambda constant: constant.manhattan)
    return _constant(sorted_truth, index, last)


def _constant(sorted_truth: Floats, index: int, last: int) -> BestConstant:
    total = float(np.abs(sorted_truth - index).sum())
    return BestConstant(
        index, last, sorted_truth.size, as_integer(total), total / sorted_truth.size
    )
