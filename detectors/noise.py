"""How noisy the machine was: outliers, dependence, drift and spread of the last half. Pure.

Of the last half of a series, because warm-up is no noise: most series that become steady are so by
then, and it is the half whose median every list shows. docs/guide/shapes.md states the rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from detectors.autocorrelation import correlations, integrated_time
from detectors.contract import Values, as_series
from detectors.shapes import (
    LEAST,
    MAD_TO_DEVIATION,
    MEAN_TO_DEVIATION,
    FittedSeries,
    ShapeFacts,
    as_ratio,
    block_medians,
    shape_facts,
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
    """What the last half of one series says of its surroundings.

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


def noise_of(values: ArrayLike) -> NoiseFacts:
    """The noise of a series, one-dimensional and finite; BadSeries if it is not."""
    series = as_series(values)
    return noise_facts(series, FittedSeries.of(series))


def shape_and_noise(values: ArrayLike) -> tuple[ShapeFacts, NoiseFacts]:
    """Both, in the time of little more than one."""
    series = as_series(values)
    fitted = FittedSeries.of(series)
    return shape_facts(series, fitted), noise_facts(series, fitted)


def noise_facts(series: Values, fitted: FittedSeries | None) -> NoiseFacts:
    """The noise of a series with what `FittedSeries.of` gives for it."""
    if fitted is None:
        return NoiseFacts("" if series.size < LEAST else "quiet")
    half = _last_half(fitted)
    if half.min() == half.max():
        return NoiseFacts("quiet")
    deviation = robust_deviation(half)
    off = np.abs(half - np.median(half))
    r = correlations(_clipped(half, deviation), min(half.size // 4, MOST_LAGS))
    drift, p = trend(block_medians(half, min(POINTS, half.size // 3)))
    found = NoiseFacts(
        noise="quiet",
        outliers=float((off > max(OUTLIER * deviation, OUTLIER_HEIGHT)).mean()),
        lag_one=float(r[1]),
        time=integrated_time(r),
        drift=as_ratio(drift, logs=fitted.logs),
        p=p,
        spread=as_ratio(deviation, logs=fitted.logs),
    )
    return _judged(found)


def _last_half(fitted: FittedSeries) -> Values:
    """Without the steps or the decay that the series has: a level that changes is no noise."""
    cut = fitted.values.size // 2
    if fitted.best.model not in TAKEN_OFF or not fitted.moves:
        return fitted.values[cut:]
    levels = np.repeat(fitted.best.fit, np.diff(fitted.blocked.edges))
    return fitted.values[cut:] - levels[cut:]


def robust_deviation(values: Values) -> float:
    """1.4826 times the median distance from the median; if that is 0, 1.2533 times the mean one."""
    off = np.abs(values - np.median(values))
    return float(MAD_TO_DEVIATION * np.median(off) or MEAN_TO_DEVIATION * off.mean())


def _clipped(values: Values, deviation: float) -> Values:
    """A few giants would hide any dependence of the others."""
    middle = float(np.median(values))
    found: Values = np.clip(values, middle - OUTLIER * deviation, middle + OUTLIER * deviation)
    return found


def trend(points: Values) -> tuple[float, float]:
    """Change from the first point to the last, and its p-value.

    The median slope of all pairs (Theil 1950, Sen 1968), and the Mann-Kendall test with the
    correction of its variance for ties, two-sided.
    """
    n = points.size
    i, j = np.triu_indices(n, 1)
    rises = points[j] - points[i]
    change = float(np.median(rises / (j - i))) * (n - 1)
    ties = np.unique(points, return_counts=True)[1]
    variance = (n * (n - 1) * (2 * n + 5) - (ties * (ties - 1) * (2 * ties + 5)).sum()) / 18
    score = float(np.sign(rises).sum())
    if not variance or not score:
        return change, 1.0
    return change, math.erfc((abs(score) - 1) / math.sqrt(2 * variance))


def _judged(found: NoiseFacts) -> NoiseFacts:
    over: dict[NoiseReason, bool] = {
        "outliers": found.outliers > MOST_OUTLIERS,
        "dependence": found.time > MOST_TIME and found.spread > LEAST_SPREAD,
        "drift": abs(found.drift) > MOST_DRIFT and found.p < SURE,
        "spread": found.spread > MOST_SPREAD,
    }
    reasons = tuple(name for name, is_over in over.items() if is_over)
    figures = {name: getattr(found, name) for name in NoiseFacts.__dataclass_fields__}
    return NoiseFacts(**{**figures, "noise": "noisy" if reasons else "quiet", "reasons": reasons})
