"""One method against one yardstick: the row of the comparison table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from analysis.statistics.answers import Answers, Bools, Floats, Number, errors, whole
from analysis.statistics.bootstrap import BootstrapSettings, median_interval
from analysis.statistics.verdicts import VERDICTS, verdict_codes

WITHIN: Final = (15, 50, 100, 250, 500)
"""Iterations for which publications print the share of errors that are at most as large."""

Cell = str | Number | None


@dataclass(frozen=True, slots=True)
class SteadyConfusion:
    """Steady or never, whatever the iteration. Steady is the positive class.

    Rows: series for which the yardstick and the method have an answer (in a common comparison:
    every chosen method). None: the figure is not defined on these rows.
    """

    n_yes_no: int
    tp: int
    fp: int
    fn: int
    tn: int
    agreements: int
    agreement: float | None
    balanced_accuracy: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class IterationErrors:
    """Errors in iterations, predicted - truth, over the n series on which both say steady.

    Standard deviations divide by the count, as the publications do. Shares `within_…` are of
    n; `median_abs_low` to `median_abs_high` is the bootstrap interval of `median_abs`.
    """

    n: int
    manhattan: Number
    n_clustered: int | None
    manhattan_clustered: Number | None
    n_scattered: int | None
    manhattan_scattered: Number | None
    mean_error: float | None
    sd_error: float | None
    median_error: float | None
    mean_abs: float | None
    sd_abs: float | None
    median_abs: float | None
    median_abs_low: float | None
    median_abs_high: float | None
    within_15: float | None
    within_50: float | None
    within_100: float | None
    within_250: float | None
    within_500: float | None
    within_tolerance: float | None


@dataclass(frozen=True, slots=True)
class VerdictCounts:
    """How often which verdict falls, on the rows of `SteadyConfusion`.

    Shares of agrees, early, late and missed are of the series that the yardstick calls steady
    and add up to one; those of false plateau and both never are of the series it calls never.
    """

    agrees: int
    early: int
    late: int
    missed: int
    false_plateau: int
    both_never: int
    agrees_share: float | None
    early_share: float | None
    late_share: float | None
    missed_share: float | None
    false_plateau_share: float | None
    both_never_share: float | None


@dataclass(frozen=True, slots=True)
class TimeErrors:
    """Errors in seconds, predicted - truth, over the series of `IterationErrors` that have them."""

    n_seconds: int
    mean_seconds: float | None
    mean_abs_seconds: float | None
    median_abs_seconds: float | None


@dataclass(frozen=True, slots=True)
class MethodRow:
    """Everything that the comparison table prints about one method."""

    method: str
    yes_no: SteadyConfusion
    distances: IterationErrors
    verdicts: VerdictCounts
    seconds: TimeErrors

    def columns(self) -> dict[str, Cell]:
        """The row as name and cell, in the order of COLUMNS."""
        cells: dict[str, Cell] = {"method": self.method}
        for part in (self.yes_no, self.distances, self.verdicts, self.seconds):
            cells |= {name: getattr(part, name) for name in part.__slots__}  # asdict copies deeply
        return cells


COLUMNS: Final[tuple[str, ...]] = (
    "method",
    *(
        field.name
        for part in (SteadyConfusion, IterationErrors, VerdictCounts, TimeErrors)
        for field in fields(part)
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class RowScope:
    """The yardstick, and the series on which a row is computed.

    yes_no, distances  bool (n,): the series that may count towards each part of a row
    tolerance          iterations: one number, or one a series
    clustered          bool (n,) or None: the yardstick's marks lie together
    bootstrap          how intervals are drawn; None for none
    """

    truth: Answers
    yes_no: Bools
    distances: Bools
    tolerance: ArrayLike
    clustered: Bools | None
    bootstrap: BootstrapSettings | None


def measure(
    method: str, predicted: Answers, scope: RowScope, seconds: Floats | None = None
) -> MethodRow:
    """The row of one method; `seconds` holds its signed errors in seconds, NaN if unknown."""
    yes_no = scope.yes_no & scope.truth.given & predicted.given
    distances = scope.distances & scope.truth.steady & predicted.steady
    return MethodRow(
        method,
        _yes_no(predicted.steady[yes_no], scope.truth.steady[yes_no]),
        _distances(errors(predicted, scope.truth), distances, scope),
        _verdicts(verdict_codes(predicted, scope.truth, scope.tolerance)[yes_no]),
        _seconds(None if seconds is None else seconds[distances]),
    )


def _yes_no(says: Bools, is_steady: Bools) -> SteadyConfusion:
    tp, fp = int((says & is_steady).sum()), int((says & ~is_steady).sum())
    fn, tn = int((~says & is_steady).sum()), int((~says & ~is_steady).sum())
    n = tp + fp + fn + tn
    found, refused = share(tp, tp + fn), share(tn, tn + fp)
    balanced = None if found is None or refused is None else (found + refused) / 2
    return SteadyConfusion(
        n, tp, fp, fn, tn, tp + tn, share(tp + tn, n), balanced, kappa(tp, fp, fn, tn)
    )


def kappa(tp: int, fp: int, fn: int, tn: int) -> float | None:
    """Cohen's kappa; None where chance alone would agree always, or without series."""
    n = tp + fp + fn + tn
    chance = (tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)
    if chance == n * n:
        return None
    # In whole numbers up to the one division, so that equal tables give equal figures.
    return ((tp + tn) * n - chance) / (n * n - chance)


def _distances(delta: Floats, rows: Bools, scope: RowScope) -> IterationErrors:
    signed = delta[rows]
    size = np.abs(signed)
    clustered, scattered = _parts(np.abs(delta), rows, scope.clustered)
    error, absolute = _moments(signed), _moments(size)
    interval = median_interval(size, scope.bootstrap) if scope.bootstrap else None
    low, high = interval or (None, None)
    tolerance = np.broadcast_to(scope.tolerance, rows.shape)[rows]
    within = [share(int((size <= most).sum()), size.size) for most in (*WITHIN, tolerance)]
    return IterationErrors(
        n=size.size,
        manhattan=whole(float(size.sum())),
        n_clustered=clustered.n,
        manhattan_clustered=clustered.manhattan,
        n_scattered=scattered.n,
        manhattan_scattered=scattered.manhattan,
        mean_error=error.mean,
        sd_error=error.sd,
        median_error=error.median,
        mean_abs=absolute.mean,
        sd_abs=absolute.sd,
        median_abs=absolute.median,
        median_abs_low=low,
        median_abs_high=high,
        within_15=within[0],
        within_50=within[1],
        within_100=within[2],
        within_250=within[3],
        within_500=within[4],
        within_tolerance=within[5],
    )


class _ClusterPart(NamedTuple):
    n: int | None
    manhattan: Number | None


def _parts(size: Floats, rows: Bools, clustered: Bools | None) -> tuple[_ClusterPart, _ClusterPart]:
    """Count and sum over the clustered and the scattered series."""
    if clustered is None:
        return _ClusterPart(None, None), _ClusterPart(None, None)
    inside, outside = size[rows & clustered], size[rows & ~clustered]
    return (
        _ClusterPart(inside.size, whole(float(inside.sum()))),
        _ClusterPart(outside.size, whole(float(outside.sum()))),
    )


class _Moments(NamedTuple):
    mean: float | None
    sd: float | None
    median: float | None


def _moments(values: Floats) -> _Moments:
    """Mean, standard deviation (dividing by the count) and median."""
    if not values.size:
        return _Moments(None, None, None)
    return _Moments(float(values.mean()), float(values.std()), float(np.median(values)))


def _verdicts(codes: ArrayLike) -> VerdictCounts:
    found = np.asarray(codes)
    counts = [int((found == code).sum()) for code in range(len(VERDICTS))]
    steady, never = sum(counts[:4]), sum(counts[4:])
    of = [steady] * 4 + [never] * 2
    shares = [share(count, total) for count, total in zip(counts, of, strict=True)]
    return VerdictCounts(*counts, *shares)


def _seconds(signed: Floats | None) -> TimeErrors:
    if signed is None:
        return TimeErrors(0, None, None, None)
    known = signed[np.isfinite(signed)]
    absolute = _moments(np.abs(known))
    return TimeErrors(known.size, _moments(known).mean, absolute.mean, absolute.median)


def share(count: int, of: int) -> float | None:
    """A share between 0 and 1, or None of nothing."""
    return count / of if of else None


def with_seconds(seconds: Mapping[str, Floats] | None, method: str) -> Floats | None:
    return None if seconds is None else seconds.get(method)
