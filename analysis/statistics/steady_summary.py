"""Summary of a series from a start on: the result, its precision, the change by the start.

The result of a series is the mean of its values from the start on. Values of one run depend on
one another, so the interval of that mean is taken from subsessions: neighbours are merged until
their means hardly depend on one another any more (Ferrari 1978; Li, Gupta, Miller & Long 2016,
Pilot). One implementation does the merging, that of the detector `pilot`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from analysis.statistics.answers import Floats
from detectors.kernels.pilot import spread_of_subsessions
from detectors.methods.pilot import PhaseQuality, Pilot, student
from detectors.safe_range import in_range
from detectors.trend import MATTERS

PRECISION: Final = 0.01
"""`enough` asks for an interval of the mean of at most ± this share of it."""

CONFIDENCE: Final = 0.95
_MERGING: Final = Pilot(
    confidence_level=CONFIDENCE, ci_percent_of_mean=2 * PRECISION, min_subsessions=1
)

Consequence = Literal["matters", "immaterial"]


@dataclass(frozen=True, slots=True)
class SteadySummary:
    """The result of a series from iteration `start` on, in the unit of the series.

    low, high   95 % interval of the mean; None where no merging makes the values independent:
                fewer than three of them, all alike, or one long drift
    merged      values to a subsession, None likewise
    effective   so many independent values of the same variance would be as sure; above n where
                neighbours make up for one another
    required    values that an interval of ±1 % takes, from the values seen; None where unknown
    """

    start: int
    n: int
    mean: float
    median: float
    low: float | None
    high: float | None
    merged: int | None
    effective: float | None
    required: int | None

    @property
    def enough(self) -> bool | None:
        """Whether the mean is known to ±1 %."""
        return None if self.required is None else self.n >= self.required

    @property
    def half_width(self) -> float | None:
        """Half of the interval, as a share of the mean."""
        if self.low is None or self.high is None or self.mean == 0:
            return None
        return (self.high / 2 - self.low / 2) / abs(self.mean)


@dataclass(frozen=True, slots=True)
class ResultChange:
    """The result from one start against the result from another: 0.031 is 3.1 % more.

    low, high   95 % interval of it
    """

    share: float
    low: float
    high: float

    @property
    def word(self) -> Consequence:
        return "matters" if abs(self.share) >= MATTERS else "immaterial"


def steady_summary(values: Floats, start: int) -> SteadySummary:
    """The result of `values` from `start` on. Raises IndexError for a start that is none.

    values: float64 (n,), finite. start: 0-based first steady iteration.
    """
    _check(values, start)
    part, exponent = in_range(values[start:])
    found = _MERGING.quality(part, exponent)
    half = found.width / 2

    def of_unit(value: float) -> float:
        with np.errstate(over="ignore", under="ignore"):
            return float(np.ldexp(value, exponent))

    known = found.q is not None
    return SteadySummary(
        start=start,
        n=part.size,
        mean=of_unit(found.mean),
        median=of_unit(float(np.median(part))),
        low=of_unit(found.mean - half) if known else None,
        high=of_unit(found.mean + half) if known else None,
        merged=found.q,
        effective=_effective(part, found),
        required=found.required,
    )


@dataclass(frozen=True, slots=True)
class _MeanError:
    """Variance of a mean, and the degrees of freedom that it was estimated with."""

    squared: float
    freedom: int


def _error(part: Floats, found: PhaseQuality) -> _MeanError | None:
    """Of the mean of `part`, by subsessions; None where they cannot be made independent."""
    if found.q is None:
        return None
    h = part.size // found.q
    return _MeanError(_variance(part, found.q) / h, h - 1)


def _variance(part: Floats, merged: int) -> float:
    return spread_of_subsessions(part, merged, False)[0]  # noqa: FBT003  # kernels have no keywords


def _effective(part: Floats, found: PhaseQuality) -> float | None:
    error = _error(part, found)
    return None if error is None or error.squared == 0 else _variance(part, 1) / error.squared


def _error_at_worst(part: Floats, other: Floats) -> _MeanError:
    """Of the mean of `part`; where merging fails, as of one value that stands for all of them.

    The spread of a single value is not known: that of the `other` part is taken.
    """
    known = _error(part, _MERGING.quality(part))
    if known is not None:
        return known
    spread = part if part.size > 1 else other
    return _MeanError(float(spread.var(ddof=1)) if spread.size > 1 else 0.0, 1)


def change_of_result(values: Floats, start: int, yardstick: int) -> ResultChange | None:
    """How the result from `start` differs from that of `yardstick`; None where that is zero.

    Both parts end with the series, so most of their values are the same ones, and two intervals
    that overlap would say nothing. What differs is the piece between the two starts, with mean
    U, against the rest, with mean V; w is the piece's share of the longer part. With M the
    result of the yardstick the difference is ± w (U - V) / M, and to first order its standard
    error is w / M² · sqrt(V² var U + U² var V). `docs/design/MATH.md`, section 8, derives it.
    """
    _check(values, start)
    _check(values, yardstick)
    first, second = sorted((start, yardstick))
    scaled, _ = in_range(values[first:])
    mean, whole = float(scaled[yardstick - first :].mean()), float(scaled[start - first :].mean())
    if mean == 0:
        return None
    if first == second:
        return ResultChange(0.0, 0.0, 0.0)
    share = (whole - mean) / abs(mean)
    reach = _reach(scaled[: second - first], scaled[second - first :], mean)
    return ResultChange(share, share - reach, share + reach)


def _reach(piece: Floats, rest: Floats, mean: float) -> float:
    """Half of the 95 % interval of `change_of_result`."""
    between, behind = _error_at_worst(piece, rest), _error_at_worst(rest, piece)
    w = piece.size / (piece.size + rest.size)
    # Relative to the result, so that no product leaves the range of a double. A product, because
    # `mean**2` rounds in other ways for another unit, or with another C library.
    square = mean * mean
    ofpiece = (float(rest.mean()) / mean) ** 2 * (between.squared / square)
    ofrest = (float(piece.mean()) / mean) ** 2 * (behind.squared / square)
    total = ofpiece + ofrest
    if total == 0:
        return 0.0
    # Welch & Satterthwaite: each part's freedom counts by its share of the error.
    shares = (ofpiece / total, ofrest / total)
    freedom = 1 / (shares[0] ** 2 / between.freedom + shares[1] ** 2 / behind.freedom)
    return student((1 + CONFIDENCE) / 2, freedom) * w * math.sqrt(total)


def _check(values: Floats, start: int) -> None:
    if not 0 <= start < values.size:
        raise IndexError(f"start {start}: expected 0 to {values.size - 1}")
