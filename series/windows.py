"""A window of a long series as its extremes at their true indices: no spike is lost. Pure."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Places = NDArray[np.int64]
MOST_BUCKETS = 4096
MOST_VALUES = 20_000  # up to so many values in view are sent as they are


def edges(start: int, stop: int, buckets: int) -> list[int]:
    """Bucket k of [start, stop) is edges[k] … edges[k + 1]; empty ones where values are few."""
    length = stop - start
    return [start + length * k // buckets for k in range(buckets + 1)]


def extremes(values: Values, start: int, stop: int, buckets: int) -> Places:
    """Indices of the least and the greatest value of each bucket of [start, stop), ascending.

    Of equal values the first counts; where all of a bucket are equal, it has one index. Empty
    buckets are left out, so that the answer has at most 2 x min(buckets, stop - start) indices.
    """
    places: list[int] = []
    for first, last in pairwise(edges(start, stop, buckets)):
        if first < last:
            part = values[first:last]
            low, high = first + int(part.argmin()), first + int(part.argmax())
            places += [low] if low == high else [min(low, high), max(low, high)]
    return np.array(places, dtype=np.int64)
