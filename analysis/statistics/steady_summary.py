"""Summary of a series from a start on: the result, its precision, the change by the start.

The result of a series is the mean of its values from the start on. Values of one run depend on
one another; `detectors.intervals.steady_interval` says how well their mean is known all the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.statistics.answers import Floats
from detectors.arrays.safe_range import scaled_to_range
from detectors.intervals.quantiles import student_quantile
from detectors.intervals.steady_interval import (
    CONFIDENCE,
    MeanError,
    SteadyInterval,
    mean_error,
    steady_interval,
)
from detectors.trends.trend_groups import MATTERS

Consequence = Literal["matters", "immaterial"]


@dataclass(frozen=True, slots=True)
class SteadySummary:
    """The result of a series from iteration `start` on, in the unit of the series."""

    start: int
    median: float
    interval: SteadyInterval

    @property
    def n(self) -> int:
        return self.interval.n

    @property
    def mean(self) -> float:
        return self.interval.mean


@dataclass(frozen=True, slots=True)
class ResultChange:
    """The result from one start against the result from another: 0.031 is 3.1 % more.

    low, high   95 % interval of it; None where the common part is worth too few independent values
    """

    share: float
    low: float | None
    high: float | None

    @property
    def word(self) -> Consequence:
        return "matters" if abs(self.share) >= MATTERS else "immaterial"


def steady_summary(values: Floats, start: int) -> SteadySummary:
    """The result of `values` from `start` on. Raises IndexError for a start that is none.

    values: float64 (n,), finite. start: 0-based first steady iteration.
    """
    _check_start(values, start)
    steady_values = values[start:]
    scaled_values, exponent = scaled_to_range(steady_values)
    with np.errstate(over="ignore", under="ignore"):
        median = float(np.ldexp(float(np.median(scaled_values)), exponent))
    return SteadySummary(start, median, steady_interval(steady_values))


def _worst_error(piece: Floats, longer_piece: Floats) -> MeanError:
    """Error of the mean of `piece`; of a single value, the spread of `longer_piece`."""
    piece_error = mean_error(piece)
    if piece_error is not None:
        return piece_error
    spread_values = piece if piece.size > 1 else longer_piece
    return MeanError(float(spread_values.var(ddof=1)) if spread_values.size > 1 else 0.0, 1)


def change_of_result(values: Floats, start: int, yardstick: int) -> ResultChange | None:
    """Change of the result from `start` against that of `yardstick`; None where that is zero.

    Both parts end with the series, so most of their values are the same ones, and two intervals
    that overlap would say nothing. What differs is the piece between the two starts, with mean
    U, against the rest, with mean V; w is the piece's share of the longer part. With M the
    result of the yardstick the difference is ± w (U - V) / M, and to first order its standard
    error is w / M² · sqrt(V² var U + U² var V). `docs/design/MATH.md`, section 8, derives it.
    Without an interval of V there is none of the change.
    """
    _check_start(values, start)
    _check_start(values, yardstick)
    earlier_start, later_start = sorted((start, yardstick))
    scaled_values, _ = scaled_to_range(values[earlier_start:])
    yardstick_mean, mean_from_start = (
        float(scaled_values[yardstick - earlier_start :].mean()),
        float(scaled_values[start - earlier_start :].mean()),
    )
    if yardstick_mean == 0:
        return None
    if earlier_start == later_start:
        return ResultChange(0.0, 0.0, 0.0)
    share = (mean_from_start - yardstick_mean) / abs(yardstick_mean)
    length = later_start - earlier_start
    piece, shared_part = scaled_values[:length], scaled_values[length:]
    if steady_interval(shared_part).is_too_dependent:
        return ResultChange(share, None, None)
    half_width = _half_width(piece, shared_part, yardstick_mean)
    return ResultChange(share, share - half_width, share + half_width)


def _half_width(piece: Floats, shared_part: Floats, mean: float) -> float:
    """Half of the 95 % interval of `change_of_result`."""
    piece_error, shared_error = (_worst_error(piece, shared_part), _worst_error(shared_part, piece))
    w = piece.size / (piece.size + shared_part.size)
    # Relative to the result, so that no product leaves the range of a double. A product, because
    # `mean**2` rounds in other ways for another unit, or with another C library.
    squared_mean = mean * mean
    piece_variance = (float(shared_part.mean()) / mean) ** 2 * (piece_error.squared / squared_mean)
    shared_variance = (float(piece.mean()) / mean) ** 2 * (shared_error.squared / squared_mean)
    variance = piece_variance + shared_variance
    if variance == 0:
        return 0.0
    # Welch & Satterthwaite: each part's freedom counts by its share of the error.
    shares = (piece_variance / variance, shared_variance / variance)
    freedom = 1 / (shares[0] ** 2 / piece_error.freedom + shares[1] ** 2 / shared_error.freedom)
    return student_quantile((1 + CONFIDENCE) / 2, freedom) * w * math.sqrt(variance)


def _check_start(values: Floats, start: int) -> None:
    if not 0 <= start < values.size:
        raise IndexError(f"start {start}: expected 0 to {values.size - 1}")
