"""A window of a long series as figures of its buckets: all are values of the series. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Places = NDArray[np.int64]
MOST_BUCKETS = 4096
MOST_VALUES = 20_000  # up to so many values in view are sent as they are

AT_ONCE: Final = 1 << 17
"""About so many values are copied and sorted at once: a megabyte, however long the window."""

UPPER: Final = ((19, 20), (3, 4))
"""Upper ends of the two bands of a bucket: from 5 to 95 %, from 25 to 75 %."""


@dataclass(frozen=True, slots=True)
class BucketFigures:
    """Figures of w buckets, in their order.

    quantiles  5 x w values at 5, 25, 50, 75 and 95 %: members of the bucket, rounded inwards
    extremes   2 x w values, the least and the greatest
    places     2 x w indices of these in the series; of equal values the first counts
    """

    quantiles: Values
    extremes: Values
    places: Places


def edges(start: int, stop: int, buckets: int) -> Places:
    """Bucket k of [start, stop) is edges[k] … edges[k + 1]."""
    return start + (stop - start) * np.arange(buckets + 1) // buckets


def bucket_figures(values: Values, start: int, stop: int, buckets: int) -> BucketFigures:
    """Bands, median and extremes of each of min(buckets, stop - start) buckets of [start, stop).

    A spike of one iteration is an extreme, however many values a bucket has.
    """
    bounds = edges(start, stop, min(buckets, stop - start))
    buckets_at_once = max(1, AT_ONCE * (bounds.size - 1) // (stop - start))
    parts = [
        _figures(values, bounds[first_bucket : first_bucket + buckets_at_once + 1])
        for first_bucket in range(0, bounds.size - 1, buckets_at_once)
    ]
    return BucketFigures(*(np.concatenate(figures, axis=1) for figures in zip(*parts, strict=True)))


def _figures(values: Values, bounds: Places) -> tuple[Values, Values, Places]:
    """Quantiles, extremes and their places of the buckets between these bounds."""
    bucket_starts, sizes = bounds[:-1], np.diff(bounds)
    columns = np.arange(int(sizes.max()))
    # Sizes differ by one at most: what is missing in a row is its first value once more.
    rows = values[bucket_starts[:, None] + np.where(columns < sizes[:, None], columns, 0)]
    places = bucket_starts + np.stack([rows.argmin(axis=1), rows.argmax(axis=1)])
    rows[sizes < columns.size, -1] = np.inf
    rows.sort(axis=1)
    row_indices = np.arange(len(rows))
    quantiles = np.stack([rows[row_indices, column] for column in quantile_places(sizes - 1)])
    return quantiles, values[places], places


def quantile_places(last_places: Places) -> list[Places]:
    """Indices of the five quantiles in order, of buckets whose last value has this number."""
    upper_places = [numerator * last_places // denominator for numerator, denominator in UPPER]
    return [
        *(last_places - place for place in upper_places),
        last_places // 2,
        *reversed(upper_places),
    ]
