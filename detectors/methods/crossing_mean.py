"""Crossing of the mean: enough changes from one side of the mean so far to the other.

While a series approaches its level it stays on one side of the mean of what has been seen. Once
it has crossed it so many times, the initial transient is taken to be over.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import scaled_to_range

Counts = NDArray[np.int64]


class CrossingMean(Detector):
    slug, version = "crossing-mean", "1"
    title = "Crossing of the mean"
    code, slot = "CM", 61
    source = Source(
        "Fishman 1973, Concepts and Methods in Discrete Event Digital Simulation; stated as a rule "
        "by Gafarian, Ancker & Morisaku 1978, Evaluation of commonly used rules for detecting "
        '"steady state" in computer simulation, Naval Research Logistics Quarterly 25(3)',
        doi="10.1002/nav.3800250310",
    )
    family = "Simulation"
    rates = "free"
    cost = "quick"

    class Params(Detector.Params):
        crossings: int = parameter(
            25, low=1, high=1_000_000, help="Steady from the value with which there are so many."
        )

    params: Params

    @property
    def least_length(self) -> int:
        return self.params.crossings + 1

    def detect(self, values: Values, context: Context) -> Detection:
        candidate_starts = np.flatnonzero(crossings(values) >= self.params.crossings)
        start = int(candidate_starts[0]) if candidate_starts.size else NEVER
        return Detection(start, published_index=start, decided_at=start)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        curve = draw.Curve(
            crossings(values).astype(np.float64),
            label="crossings of the mean so far",
            threshold=float(self.params.crossings),
            shape="steps",
            meaning="How often the values up to here cross the mean of the values up to here; "
            "steady from the first that reaches the line.",
        )
        return (curve,)


def crossings(values: Values) -> Counts:
    """Number of neighbours among ``values[:i + 1]`` that lie strictly on both sides of their mean.

    int64 (n,) for every i, in n log n: neighbours that have the mean between them are those whose
    lower value is below it, without those whose upper value is not above it.
    """
    x, _ = scaled_to_range(values)
    y = x - x[0]  # equal values have themselves as mean
    means = (np.cumsum(y) / np.arange(1, y.size + 1))[1:]
    equal_offset = np.where(
        y[1:] == y[:-1], np.inf, 0.0
    )  # equal neighbours have nothing between them
    lower, upper = (
        np.minimum(y[1:], y[:-1]) + equal_offset,
        np.maximum(y[1:], y[:-1]) + equal_offset,
    )
    lower_counts = earlier_below(lower, means, counts_equal=False)
    upper_counts = earlier_below(upper, means, counts_equal=True)
    return np.append(0, lower_counts - upper_counts)


def earlier_below(points: Values, bounds: Values, *, counts_equal: bool) -> Counts:
    """Number of ``points[:i + 1]`` below ``bounds[i]``, or `counts_equal` to it, for every i.

    Points and bounds take turns in time. In order of value, every bound counts the points before
    it that are earlier: for each bit of the time, those that share the higher bits and have 0
    there where the bound has 1 (docs/design/MATH.md, section "Crossings of a moving mean").
    """
    bits = int(2 * points.size - 1).bit_length()
    time = np.arange(1 << bits)  # a power of two: what is added comes after all else
    value = np.full(time.size, np.inf)
    value[: 2 * points.size : 2], value[1 : 2 * points.size : 2] = points, bounds
    first = time & 1 if counts_equal else 1 - (time & 1)
    order = np.lexsort((first, value)).astype(np.int32)
    counts = np.zeros(time.size, np.int64)
    for bit in reversed(range(bits)):
        is_later = (order >> bit & 1).astype(np.bool_)
        point_counts = np.cumsum(~is_later & (order & 1 == 0)).reshape(-1, 2 << bit)
        earlier_order, later_order = (
            order[~is_later].reshape(-1, 1 << bit),
            order[is_later].reshape(-1, 1 << bit),
        )
        counts_before = np.append(0, point_counts[:-1, -1])[:, None]
        counts[later_order] += (
            point_counts.ravel()[is_later].reshape(later_order.shape) - counts_before
        )
        order = np.concatenate((earlier_order, later_order), axis=1).ravel()
    return counts[1 : 2 * points.size : 2]
