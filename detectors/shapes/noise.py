"""Noise of the machine: outliers, dependence, drift and spread of the last half. Pure.

Of the last half of a series, because warm-up is no noise: most series that become steady are so by
then, and it is the half whose median every list shows. docs/guide/shapes.md states the rules.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from detectors.arrays.length_batches import length_batches
from detectors.contract import Values, as_series
from detectors.intervals.autocorrelation import correlations, integrated_time
from detectors.shapes.series_shape import (
    LEAST,
    MAD_TO_DEVIATION,
    MEAN_TO_DEVIATION,
    FittedSeries,
    ShapeFacts,
    as_ratio,
    block_medians,
    shapes_of_rows,
)

Noise = Literal["", "quiet", "noisy"]
NoiseReason = Literal["outliers", "dependence", "drift", "spread"]

OUTLIER: Final = 3.5
"""Robust standard deviations from the median (modified z-score, Iglewicz & Hoaglin 1993)."""
OUTLIER_HEIGHT: Final = math.log(1.1)  # and at least 10 % off it
MOST_OUTLIERS: Final = 0.05  # share of the values
MOST_TIME: Final = 10.0
"""Integrated autocorrelation time: ten values are worth one independent one."""
LEAST_SPREAD: Final = 0.01  # with less, dependence makes no difference
TAKEN_OFF: Final = ("steps", "decay")  # models of the level that are no noise
MOST_LAGS: Final = 1000
MOST_DRIFT: Final = 0.01  # 1 % of the level, from the beginning of the half to its end
SURE: Final = 0.001  # Mann-Kendall p-value below which a drift is one
MOST_SPREAD: Final = 0.1
"""Standard deviation, 10 % of the level: from there on pyperf calls a result unstable."""
POINTS: Final = 64  # block medians that the drift is told from


@dataclass(frozen=True, slots=True)
class NoiseFacts:
    """Facts of the last half of one series about its surroundings.

    noise     quiet, noisy, or empty where the half is too short to tell
    reasons   what makes it noisy, in the order of the figures
    outliers  share of the values that lie far from the median
    lag_one   autocorrelation at lag 1
    time      integrated autocorrelation time, in iterations; 1 for independent values
    drift     change over the half by its Theil-Sen slope, as a share of the level, with its sign
    p         of the Mann-Kendall test of that change
    spread    robust standard deviation as a share of the level
    """

    noise: Noise
    reasons: tuple[NoiseReason, ...] = ()
    outliers: float = 0.0
    lag_one: float = 0.0
    time: float = 1.0
    drift: float = 0.0
    p: float = 1.0
    spread: float = 0.0


def shape_and_noise(values: ArrayLike) -> tuple[ShapeFacts, NoiseFacts]:
    """Shape and noise of a series, one-dimensional and finite; BadSeries if it is not."""
    return shapes_and_noises([as_series(values)])[0]


def shapes_and_noises(all_series: Sequence[Values]) -> list[tuple[ShapeFacts, NoiseFacts]]:
    """Shape and noise of each series; of hundreds of one length in a tenth of the time.

    They are one-dimensional and finite.
    """
    facts_by_index: dict[int, tuple[ShapeFacts, NoiseFacts]] = {}
    for series_indices in length_batches(all_series):
        rows = [all_series[series_index] for series_index in series_indices]
        fits = FittedSeries.of_rows(rows)
        shape_noise_pairs = zip(shapes_of_rows(rows, fits), _noises(rows, fits), strict=True)
        facts_by_index |= zip(series_indices, shape_noise_pairs, strict=True)
    return [facts_by_index[series_index] for series_index in range(len(all_series))]


def _noises(all_series: Sequence[Values], fits: Sequence[FittedSeries | None]) -> list[NoiseFacts]:
    """The noise of each series of one length, with what `FittedSeries.of_rows` gives for them."""
    halves = {
        series_index: _last_half(fit) for series_index, fit in enumerate(fits) if fit is not None
    }
    varying_halves = {
        series_index: last_half
        for series_index, last_half in halves.items()
        if last_half.min() != last_half.max()
    }
    noise_by_index = dict(
        zip(varying_halves, _measure_halves(list(varying_halves.values())), strict=True)
    )
    noises: list[NoiseFacts] = []
    for series_index, (series, fit) in enumerate(zip(all_series, fits, strict=True)):
        if fit is not None and series_index in noise_by_index:
            noises.append(_noise_facts(noise_by_index[series_index], logs=fit.logs))
        else:
            noises.append(NoiseFacts("" if series.size < LEAST else "quiet"))
    return noises


@dataclass(frozen=True, slots=True)
class MeasuredNoise:
    """Figures of one half, in units of its values: `NoiseFacts` has them as ratios."""

    outliers: float
    lag_one: float
    time: float
    drift: float
    p: float
    deviation: float


def _measure_halves(halves: Sequence[Values]) -> list[MeasuredNoise]:
    """The figures of halves of one length, of which none is constant."""
    if not halves:
        return []
    rows = np.array(halves)
    n = rows.shape[1]
    middles = np.median(rows, axis=1)[:, None]
    distances = np.abs(rows - middles)
    deviations = robust_deviations(distances)
    limits = OUTLIER * deviations[:, None]
    # A few giants would hide any dependence of the others.
    clipped_rows = np.clip(rows, middles - limits, middles + limits)
    r = correlations(clipped_rows, min(n // 4, MOST_LAGS))
    outliers = (distances > np.maximum(limits, OUTLIER_HEIGHT)).mean(axis=1).tolist()
    trends = straight_trends(block_medians(rows, min(POINTS, n // 3)))
    return [
        MeasuredNoise(
            outlier_share,
            float(row_correlations[1]),
            integrated_time(row_correlations),
            *change,
            deviation,
        )
        for outlier_share, row_correlations, change, deviation in zip(
            outliers, r, trends, deviations.tolist(), strict=True
        )
    ]


def _last_half(fit: FittedSeries) -> Values:
    """Last half without the steps or the decay of the series: a level that changes is no noise."""
    half_start = fit.values.size // 2
    if fit.best.model not in TAKEN_OFF or not fit.moves:
        return fit.values[half_start:]
    levels = np.repeat(fit.best.fit, np.diff(fit.blocked.edges))
    return fit.values[half_start:] - levels[half_start:]


def robust_deviations(distances: Values) -> Values:
    """1.4826 times the median of each row of distances from a median; if 0, 1.2533 their mean."""
    medians = MAD_TO_DEVIATION * np.median(distances, axis=1)
    return np.where(medians > 0, medians, MEAN_TO_DEVIATION * distances.mean(axis=1))


def straight_trends(rows: Values) -> list[tuple[float, float]]:
    """Change from the first point of each row to the last, and its p-value.

    The median slope of all pairs (Theil 1950, Sen 1968), and the Mann-Kendall test with the
    correction of its variance for ties, two-sided.
    """
    n = rows.shape[1]
    i, j = np.triu_indices(n, 1)
    rises = rows[:, j] - rows[:, i]
    changes = (np.median(rises / (j - i), axis=1) * (n - 1)).tolist()
    scores = np.sign(rises).sum(axis=1).tolist()
    variances = map(_variance, np.sort(rows, axis=1))
    return [
        (change, _two_sided_p(score, variance))
        for change, score, variance in zip(changes, scores, variances, strict=True)
    ]


def _variance(points: Values) -> float:
    """Variance of Mann-Kendall's score of points that are sorted, by their ties."""
    n = points.size
    untied_variance = n * (n - 1) * (2 * n + 5)
    if (points[1:] > points[:-1]).all():
        return untied_variance / 18
    ties = np.unique(points, return_counts=True)[1]
    return float(untied_variance - (ties * (ties - 1) * (2 * ties + 5)).sum()) / 18


def _two_sided_p(score: float, variance: float) -> float:
    if not variance or not score:
        return 1.0
    return math.erfc((abs(score) - 1) / math.sqrt(2 * variance))


def _noise_facts(measured_noise: MeasuredNoise, *, logs: bool) -> NoiseFacts:
    drift, spread = (
        as_ratio(measured_noise.drift, logs=logs),
        as_ratio(measured_noise.deviation, logs=logs),
    )
    exceeds_limit: dict[NoiseReason, bool] = {
        "outliers": measured_noise.outliers > MOST_OUTLIERS,
        "dependence": measured_noise.time > MOST_TIME and spread > LEAST_SPREAD,
        "drift": abs(drift) > MOST_DRIFT and measured_noise.p < SURE,
        "spread": spread > MOST_SPREAD,
    }
    reasons = tuple(name for name, is_over in exceeds_limit.items() if is_over)
    return NoiseFacts(
        noise="noisy" if reasons else "quiet",
        reasons=reasons,
        outliers=measured_noise.outliers,
        lag_one=measured_noise.lag_one,
        time=measured_noise.time,
        drift=drift,
        p=measured_noise.p,
        spread=spread,
    )
