"""Methods with enough series to be ranked beside others.

Each method may be measured on its own series. A median over a handful of them, or over the easy
ones that a method chose to answer, says nothing beside one over all: who has fewer than
LEAST_SERIES, or less than half of the series of the method that has most, is not ranked.
"""

from __future__ import annotations

from typing import Final

from analysis.statistics.answers import Bools, Indices
from analysis.statistics.multiple_comparisons import LEAST_SERIES

LEAST_SHARE: Final = 2
"""One in so many of the series of the best covered method is enough."""


def has_enough_series(n: Indices) -> Bools:
    """bool, of int64 counts of series by method along the last axis, any axes before it.

    Nobody of no methods; the most counts among the given ones alone.
    """
    largest_n = n.max(axis=-1, keepdims=True, initial=0)
    has_enough: Bools = (n >= LEAST_SERIES) & (LEAST_SHARE * n >= largest_n)
    return has_enough
