"""A window of a long series as pairs of extremes: no spike is lost at any zoom. Pure."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
MOST_BUCKETS = 4096
MOST_VALUES = 20_000  # up to so many values in view are sent as they are


def edges(start: int, stop: int, buckets: int) -> list[int]:
    """Bucket k of [start, stop) is edges[k] … edges[k + 1]; empty ones where values are few."""
    length = stop - start
    return [start + length * k // buckets for k in range(buckets + 1)]


def extremes(values: Values, start: int, stop: int, buckets: int) -> Values:
    """Two values a bucket of [start, stop): its least and its greatest, the earlier one first.

    Of equal values the first counts; where all are equal, the value stands twice. Empty buckets
    are left out, so that the answer has 2 x min(buckets, stop - start) values or fewer.
    """
    cuts = edges(start, stop, buckets)
    pairs = np.empty(2 * buckets)
    filled = 0
    for first, last in pairwise(cuts):
        if first == last:
            continue
        part = values[first:last]
        low, high = int(part.argmin()), int(part.argmax())
        pairs[filled] = part[min(low, high)]
        pairs[filled + 1] = part[max(low, high)]
        filled += 2
    return pairs[:filled]
