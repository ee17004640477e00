"""Quantiles and histograms of pairs (value, count), exact without writing out each value. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.statistics.answers import Floats

Counts = NDArray[np.int64]
PERCENTILES: Final = (0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0)
BINS: Final = 40
FAR_APART: Final = 10.0  # ratio of greatest to least value from which on bins are logarithmic


class PairHistogram(NamedTuple):
    """Edges (bins + 1,) and counts (bins,) over the whole range; one bin where all are alike."""

    edges: Floats
    counts: Counts
    is_logarithmic: bool


def pair_quantiles(
    values: Floats, counts: Counts, percentiles: Sequence[float] = PERCENTILES
) -> list[float]:
    """Percentiles of `values`, each `counts` times, as JMH prints them; not empty.

    Percentile p of n values lies at place p (n + 1) / 100, counted from 1, between its two
    neighbours; beyond the ends it is the end (openjdk/jmh: util/MultisetStatistics.java).
    """
    order = np.argsort(values, kind="stable")
    # As floats: sums of a file's counts may pass what whole numbers hold.
    ranked_values, last_places = values[order], np.cumsum(counts[order], dtype=np.float64)
    n = int(last_places[-1])
    quantiles = []
    for percentile in percentiles:
        place = min(max(percentile * (n + 1) / 100, 1.0), float(n))
        lower_place = math.floor(place)
        neighbours = [lower_place, min(lower_place + 1, n)]
        lower, upper = ranked_values[np.searchsorted(last_places, neighbours)].tolist()
        quantiles.append(lower + (upper - lower) * (place - lower_place))
    return quantiles


def pair_mean(values: Floats, counts: Counts) -> float:
    """Mean of `values`, each `counts` times; not empty."""
    return float((values * counts).sum() / counts.sum(dtype=np.float64))


def pair_histogram(values: Floats, counts: Counts, bins: int = BINS) -> PairHistogram:
    """Histogram of `values`, each `counts` times; not empty.

    Bins are equally wide, or in equal ratios where positive values lie far apart.
    """
    low, high = float(values.min()), float(values.max())
    if low == high:
        return PairHistogram(np.array([low, high]), counts.sum(keepdims=True), False)  # noqa: FBT003
    is_logarithmic = low > 0 and high / low > FAR_APART
    edges: Floats = (np.geomspace if is_logarithmic else np.linspace)(low, high, bins + 1)
    places = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, bins - 1)
    binned_counts: Counts = np.zeros(bins, np.int64)
    np.add.at(binned_counts, places, counts)
    return PairHistogram(edges, binned_counts, is_logarithmic)
