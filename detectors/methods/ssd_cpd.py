"""Steady segments between change points: the other method of package `indsl`.

ED-PELT parts the series where the distribution changes. A segment is steady when its deviation,
for its length, and its slope are small; the start is read from the segments.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

import numpy as np

from detectors.api import Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import mean_in_range, scaled_to_range
from detectors.kernels.ed_pelt import previous_changes
from detectors.rules.starts.steady_flags import Flags, alarms_parameter, first_steady

PER_LENGTH: Final = 1e-5  # a deviation is measured in this share of the mean, per value
MINUTE: Final = 60_000.0  # milliseconds: the package puts values no closer together


class SsdCpd(Detector):
    slug, version = "ssd-cpd", "1"
    title = "SSD-CPD, steady segments between change points"
    code, slot = "SCPD", 66
    source = Source(
        "Haynes, Fearnhead & Eckley 2017, A computationally efficient nonparametric approach for "
        "changepoint detection, Statistics and Computing 27; steady segments as package indsl "
        "judges them",
        doi="10.1007/s11222-016-9687-5",
        url="https://github.com/cognitedata/indsl",
        section="cognitedata/indsl 8.9.0: indsl/detect/steady_state.py, ssd_cpd; "
        "indsl/detect/change_point_detector.py",
    )
    family = "Process industry"
    cost = "quick"
    longest = 30_000

    class Params(Detector.Params):
        min_distance: int = parameter(
            15, low=2, high=100_000, unit="iterations", help="Least length of a segment."
        )
        var_threshold: float = parameter(
            2.0,
            low=0.0,
            high=1e9,
            help="Most of a segment's deviation over its length, in 1/100000 of the mean.",
        )
        slope_threshold: float = parameter(
            -3.0,
            low=-100.0,
            high=100.0,
            help="Most of a segment's slope, of the mean: a power of ten per millisecond, an "
            "iteration being a minute.",
        )
        alarms: float = alarms_parameter(0.1)

    params: Params

    @property
    def least_length(self) -> int:
        return 2 * self.params.min_distance

    def detect(self, values: Values, context: Context) -> Detection:
        start = first_steady(self.flags(values), self.params.alarms)
        return Detection(start, published_index=start)

    def flags(self, values: Values) -> Flags:
        """Mask of iterations that lie in a steady segment."""
        is_steady = np.zeros(values.size, np.bool_)
        for start, stop in pairwise(self._ends(values)):
            is_steady[start:stop] = self._is_steady(values, start, stop)
        return is_steady

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        segments = tuple(pairwise(self._ends(values)))
        steady_segments = tuple(span for span in segments if self._is_steady(values, *span))
        pieces = tuple((a, b, mean_in_range(values[a:b])) for a, b in segments)
        levels = draw.Levels(
            pieces,
            label="means between change points",
            meaning="Mean of each segment from one change point to the next.",
        )
        meaning = "Segments whose deviation and slope are small."
        steady_start = self.detect(values, context).steady_start
        bands = draw.Bands(steady_segments, label="steady segments", meaning=meaning)
        meaning = "The start that fewest segments contradict."
        return levels, bands, *draw.event(steady_start, "steady from here", meaning)

    def _ends(self, values: Values) -> list[int]:
        """0, the change points, n."""
        return [0, *change_points(values, self.params.min_distance), values.size]

    def _is_steady(self, values: Values, start: int, stop: int) -> bool:
        x, _ = scaled_to_range(values)
        mean, segment = abs(x.mean()), x[start:stop] - x[start]
        times = np.arange(segment.size) - (segment.size - 1) / 2
        slope = float(times @ segment / (times @ times)) / MINUTE
        bound = self.params.var_threshold * PER_LENGTH * segment.size * mean
        return bool(segment.std() <= bound and abs(slope) <= 10**self.params.slope_threshold * mean)


def change_points(values: Values, least_distance: int) -> list[int]:
    """First iterations of all segments but the first, each of `least_distance` values or more."""
    n = values.size
    change, changes = n, []
    penalty = 3 * math.log(n)
    # Twice the values so far that are below each bound, equal ones once
    bounds = quantiles(values)
    counts = np.zeros((values.size + 1, bounds.size), np.int32)
    doubled_ranks = 2 * (values[:, None] < bounds) + (values[:, None] == bounds)
    np.cumsum(doubled_ranks, axis=0, out=counts[1:])
    table = np.arange(2 * n + 1.0)
    table[1:] *= np.log(table[1:])
    scale = -math.log(2 * n - 1) / counts.shape[1]  # Haynes et al., section 3.1
    changes_before = previous_changes(counts, table, least_distance, penalty, scale)
    while change := int(changes_before[change]):
        changes.append(change)
    return changes[::-1]


def quantiles(values: Values) -> Values:
    """4 log n of them, closer together towards both ends (Haynes et al., section 4.3)."""
    n = values.size
    k = min(n, math.ceil(4 * math.log(n)))
    z = (2 * np.arange(k) + 1) / k - 1
    shares = 1 / (1 + np.power(2.0 * n - 1, -z))
    quantile_values: Values = np.sort(values)[((n - 1) * shares).astype(np.int64)]
    return quantile_values
