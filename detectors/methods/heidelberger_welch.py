"""Heidelberger & Welch (1983): is the rest stationary by a test of Cramér and von Mises?

Its sums about the mean are compared with a Brownian bridge. A tenth of the series after another is
left out until the rest passes; if half is left out and nothing has passed, there is none: never.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import takewhile

import numpy as np

from detectors.api import Context, Detection, Detector, Source, Values, parameter
from detectors.arrays.safe_range import scaled_to_range
from detectors.arrays.special_functions import missing_scipy, scipy_special
from detectors.intervals.spectrum import first_index_at, spectra_at_zero
from detectors.rules.starts.first_passing import FirstPassingDetector

CERTAIN = 3.0  # four terms of the distribution are exact to 1e-5 below, and fall again above
TERMS = 4
NORMAL = 1.96  # of the half width


class HeidelbergerWelch(FirstPassingDetector):
    slug, version = "heidelberger-welch", "1"
    title = "Heidelberger & Welch"
    code, slot = "HW", 36
    source = Source(
        "Heidelberger & Welch 1983, Simulation run length control in the presence of an initial "
        "transient, Operations Research 31(6)",
        doi="10.1287/opre.31.6.1109",
        section="cran/coda: R/heidel.R, heidel.diag",
    )
    label = "chance of less drift in a stationary series"
    meaning = (
        "Of sums that wander less from the mean than those after each start; low enough: level."
    )

    class Params(Detector.Params):
        p_value: float = parameter(
            0.05, low=1e-6, high=0.999, help="Smaller chances of such a drift do not pass."
        )
        steps: int = parameter(
            10, low=2, high=1000, unit="steps", help="Parts of the series, left out one by one."
        )
        half_width: float = parameter(
            0.1,
            low=0.0,
            high=1e6,
            help="Of the interval of the mean, as a share of the mean: above it the answer is "
            "flagged, as too few values.",
        )

    params: Params

    @property
    def limit(self) -> float:
        return 1 - self.params.p_value

    @property
    def least_length(self) -> int:
        return 6  # the second half has three, of whose variance something can be said

    @classmethod
    def missing(cls) -> str:
        return missing_scipy()

    def detect(self, values: Values, context: Context) -> Detection:
        detection = super().detect(values, context)
        if detection.steady_start < 0 or not self._is_wide(values[detection.steady_start :]):
            return detection
        return Detection(detection.steady_start, detection.published_index, flags=("wide",))

    def figures(self, values: Values, *, whole: bool) -> Iterator[tuple[int, float]]:
        y, n = values - values[-1], values.size
        (density,) = spectra_at_zero([y[first_index_at(n / 2) :]])
        window_starts = (1 + step * n / self.params.steps for step in range(self.params.steps))
        for window_start in takewhile(lambda window_start: window_start <= n / 2, window_starts):
            start = first_index_at(window_start)
            yield start, chance_of_less(_statistic(y[start:], float(density)))

    def _is_wide(self, steady_values: Values) -> bool:
        steady_values, _ = scaled_to_range(steady_values)
        (density,) = spectra_at_zero([steady_values - steady_values[-1]])
        return bool(
            NORMAL * math.sqrt(density / steady_values.size)
            > self.params.half_width * abs(steady_values.mean())
        )


def _statistic(remaining_values: Values, density: float) -> float:
    """Mean square of the sums about the mean, of a bridge of variance 1; infinite without noise."""
    bridge = np.cumsum(remaining_values - remaining_values.mean())
    squares = float(bridge @ bridge) / remaining_values.size**2
    if density > 0:
        return squares / density
    return math.inf if remaining_values.min() < remaining_values.max() else 0.0


def chance_of_less(statistic: float) -> float:
    """Distribution function of the statistic of Cramér and von Mises (Anderson & Darling 1952)."""
    if statistic <= 0:
        return 0.0
    if statistic > CERTAIN:
        return 1.0
    bessel = scipy_special().kv
    total: float = 0.0
    for k in range(TERMS):
        size = (4 * k + 1) ** 2 / (16 * statistic)
        factor = math.gamma(k + 0.5) * math.sqrt(4 * k + 1) / math.gamma(k + 1)
        total += factor * math.exp(-size) * float(bessel(0.25, size)) / math.sqrt(statistic)
    return float(total / math.pi**1.5)
