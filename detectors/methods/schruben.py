"""Schruben's test: is a mean that settles still on its way?

Partial sums about the mean of a stationary series are a Brownian bridge. A series that still
approaches its level bends the bridge to one side. Beginnings are left out until none is bent.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from typing import Final

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import scaled_to_range
from detectors.arrays.special_functions import scipy_special
from detectors.intervals.quantiles import student_quantile

IN_A_BATCH: Final = 2  # values at least, so that a batch has a bridge of its own


class Schruben(Detector):
    slug, version = "schruben", "1"
    title = "Schruben's test"
    code, slot = "SCH", 63
    source = Source(
        "Schruben 1982, Detecting initialization bias in simulation output, Operations Research "
        "30(3) (maximum); Schruben, Singh & Tierney 1983, Optimal tests for initialization bias in "
        "simulation output, Operations Research 31(6) (area); Goldsman, Schruben & Swain 1994, "
        "Tests for transient means in simulated time series, Naval Research Logistics 41(2) "
        "(max-variance)",
        doi="10.1287/opre.30.3.569",
    )
    family = "Simulation"
    rates = "free"

    class Params(Detector.Params):
        form: str = parameter(
            "area",
            choices=("area", "maximum", "max-variance"),
            help="What is judged: the weighted area under the bridge, its greatest value, or the "
            "variances that the greatest values in batches of both halves stand for.",
        )
        alpha: float = parameter(
            0.05, low=1e-9, high=0.5, help="Probability that a steady series fails, of both signs."
        )
        step: float = parameter(
            0.05, low=0.001, high=0.5, help="Share of the series by which the start moves on."
        )
        latest: float = parameter(
            0.5, low=0.0, high=0.9, help="Never, when the rest after this share still fails."
        )
        batches: int = parameter(
            20, low=4, high=10_000, help="Batches of the rest; an even number."
        )

        def check(self) -> None:
            self.require(self.batches % 2 == 0, f"batches must be even; got {self.batches}")

    params: Params

    @property
    def least_length(self) -> int:
        return int(np.ceil(IN_A_BATCH * self.params.batches / (1 - self.params.latest)))

    def detect(self, values: Values, context: Context) -> Detection:
        for start, share in self.judged(values):
            if share <= 1:
                return Detection(start, published_index=start)
        return Detection(NEVER, published_index=NEVER)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        starts, shares = zip(*self.judged(values), strict=True)
        curve = draw.Curve(
            np.array(shares),
            label="statistic of the rest, of its critical value",
            x=np.array(starts, dtype=np.int64),
            threshold=1.0,
            shape="steps",
            meaning="How much the mean of the rest still moves, if all before is left out; steady "
            "from the first that is not above the line.",
        )
        return (curve,)

    def judged(self, values: Values) -> Iterator[tuple[int, float]]:
        """(start, statistic over critical value) of the rests, the longest first."""
        p = self.params
        critical = critical_value(p.form, p.alpha, p.batches)
        x, _ = scaled_to_range(values)
        shares = chain(np.arange(0.0, p.latest, p.step), [p.latest])
        for start in sorted({int(share * values.size) for share in shares}):
            remaining_values = x[start:]
            used_count = remaining_values.size // p.batches * p.batches
            batches = (remaining_values[:used_count] - remaining_values[used_count - 1]).reshape(
                p.batches, -1
            )
            yield start, share_of_critical(critical, *STATISTICS[p.form](batches))


def critical_value(form: str, alpha: float, batches: int) -> float:
    """Value that the statistic of a steady series exceeds with probability `alpha`, of both
    signs.
    """
    freedom = batches // 2 - 1
    if form == "area":
        return student_quantile(1 - alpha / 2, freedom)
    if form == "maximum":
        return float(scipy_special().fdtri(3, freedom, 1 - alpha / 2))
    return float(scipy_special().fdtri(3 * batches // 2, 3 * batches // 2, 1 - alpha / 2))


def share_of_critical(critical: float, numerator: float, denominator: float) -> float:
    """Numerator / denominator as a share of `critical`; 0 where nothing differs at all."""
    if denominator == 0:
        return math.inf if numerator else 0.0
    return numerator / denominator / critical


def bridges(rows: Values) -> Values:
    """k (mean of the first k - mean of all), for k = 1 … m, of rows of m values."""
    k = np.arange(1, rows.shape[1] + 1)
    deviations: Values = np.cumsum(rows, axis=1) - k * rows.mean(axis=1, keepdims=True)
    return deviations


def late_variance(batches: Values) -> float:
    """Variance of a mean, times its number of values: of batch means of the second half."""
    late_start = batches.shape[0] // 2
    return float(batches.shape[1] * batches[late_start:].mean(axis=1).var(ddof=1))


def area(batches: Values) -> tuple[float, float]:
    """Schruben, Singh & Tierney: sqrt(45) sum (1 - k/n) S_k over sqrt(n^3 variance), absolute."""
    n = batches.size
    weights = 1 - np.arange(1, n + 1) / n
    bridge_area = float(weights @ bridges(batches.reshape(1, -1))[0])
    return math.sqrt(45.0) * abs(bridge_area), math.sqrt(late_variance(batches) * n**3)


def maximum(batches: Values) -> tuple[float, float]:
    """Schruben: S² / (n t (1 - t)) at its greatest place t, over 3 variances."""
    return float(highest_peaks(batches.reshape(1, -1)).max()), 3 * late_variance(batches)


def max_variance(batches: Values) -> tuple[float, float]:
    """Goldsman, Schruben & Swain: the variance by batches' maxima, early and late.

    Of the two signs the one whose variances are farther apart.
    """
    variances = highest_peaks(batches).reshape(2, 2, -1).mean(axis=2)  # sign, half
    (early_variance, later_variance), (early_mirrored, later_mirrored) = variances.tolist()
    return (
        (early_variance, later_variance)
        if early_variance * later_mirrored >= early_mirrored * later_variance
        else (early_mirrored, later_mirrored)
    )


def highest_peaks(rows: Values) -> Values:
    """S² / (m t (1 - t)) where S, then -S, is greatest in each row of m values; two rows of them.

    0 where S is nowhere above 0. Of a Brownian bridge this is chi-squared, 3 degrees of freedom.
    """
    m = rows.shape[1]
    inner_rows = bridges(rows)[:, :-1]  # at the end a bridge is 0
    both_signs = np.stack((inner_rows, -inner_rows))
    peak_places = both_signs.argmax(axis=2)
    peaks = np.take_along_axis(both_signs, peak_places[:, :, None], axis=2)[:, :, 0]
    t = (peak_places + 1) / m
    scaled_peaks: Values = np.square(np.maximum(peaks, 0.0)) / (m * t * (1 - t))
    return scaled_peaks


STATISTICS: Final = {"area": area, "maximum": maximum, "max-variance": max_variance}
