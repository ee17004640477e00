"""One method against one yardstick: the row of the comparison table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.statistics.answers import Answers, Bools, Floats, Number, as_integer, errors
from analysis.statistics.bootstrap import BootstrapSettings, median_interval
from analysis.statistics.verdicts import VERDICTS, verdict_codes
from formats.tables import columns_of

WITHIN: Final = (15, 50, 100, 250, 500)
"""Iterations for which publications print the share of errors that are at most as large."""

Cell = str | Number | None


@dataclass(frozen=True, slots=True)
class SteadyConfusion:
    """Steady or never, whatever the iteration. Steady is the positive class.

    Rows: series for which the yardstick and the method have an answer (in a common comparison:
    every chosen method). None: the figure is not defined on these rows.
    """

    n_yes_no: Annotated[int, "series of the yes/no figures"]
    tp: Annotated[int, "both say steady"]
    fp: Annotated[int, "method steady, yardstick never"]
    fn: Annotated[int, "method never, yardstick steady"]
    tn: Annotated[int, "both say never"]
    agreements: Annotated[int, "tp + tn"]
    agreement: Annotated[float | None, "their share of `n_yes_no`"]
    balanced_accuracy: Annotated[
        float | None, "mean of tp / (tp + fn) and tn / (tn + fp); always steady has 0.5"
    ]
    kappa: Annotated[float | None, "Cohen's κ: agreement beyond chance; 0 is chance, 1 is always"]


@dataclass(frozen=True, slots=True)
class IterationErrors:
    """Errors in iterations, predicted - truth, over the n series on which both say steady.

    Standard deviations divide by the count, as the publications do. Shares `within_…` are of
    n; `median_abs_low` to `median_abs_high` is the bootstrap interval of `median_abs`.
    """

    n: Annotated[int, "series whose error counts"]
    manhattan: Annotated[Number, "sum of |Δ|"]
    n_clustered: Annotated[int | None, "of them, series whose people's marks lie together"]
    manhattan_clustered: Annotated[Number | None, "sum of |Δ| on these"]
    n_scattered: Annotated[int | None, "series whose people's marks do not"]
    manhattan_scattered: Annotated[Number | None, "sum of |Δ| on these"]
    mean_error: Annotated[float | None, "mean of Δ"]
    sd_error: Annotated[float | None, "standard deviation of Δ"]
    median_error: Annotated[float | None, "median of Δ"]
    mean_abs: Annotated[float | None, "mean of |Δ|"]
    sd_abs: Annotated[float | None, "standard deviation of |Δ|"]
    median_abs: Annotated[float | None, "median of |Δ|"]
    median_abs_low: Annotated[
        float | None, "lower end of the 95 % bootstrap interval of `median_abs`"
    ]
    median_abs_high: Annotated[float | None, "upper end; 10,000 repeats, percentiles, seed 0"]
    within_15: Annotated[float | None, "share of `n` with |Δ| at most 15 iterations"]
    within_50: Annotated[float | None, "share of `n` with |Δ| at most 50 iterations"]
    within_100: Annotated[float | None, "share of `n` with |Δ| at most 100 iterations"]
    within_250: Annotated[float | None, "share of `n` with |Δ| at most 250 iterations"]
    within_500: Annotated[float | None, "share of `n` with |Δ| at most 500 iterations"]
    within_tolerance: Annotated[float | None, "share of `n` with |Δ| at most the tolerance"]


@dataclass(frozen=True, slots=True)
class VerdictCounts:
    """Counts and shares of each verdict, on the rows of `SteadyConfusion`.

    Shares of agrees, early, late and missed are of the series that the yardstick calls steady
    and add up to one; those of false plateau and both never are of the series it calls never.
    """

    agrees: Annotated[int, "series of the yes/no figures on which the verdict is agrees"]
    early: Annotated[int, "how many of them are early"]
    late: Annotated[int, "how many of them are late"]
    missed: Annotated[int, "how many of them are missed"]
    false_plateau: Annotated[int, "how many of them are a false plateau"]
    both_never: Annotated[int, "how many of them are both never"]
    agrees_share: Annotated[float | None, "share of `agrees` where the yardstick says steady"]
    early_share: Annotated[float | None, "share of `early` of the same"]
    late_share: Annotated[float | None, "share of `late` of the same"]
    missed_share: Annotated[float | None, "share of `missed`; these four add up to one"]
    false_plateau_share: Annotated[
        float | None, "share of `false_plateau` where the yardstick says never"
    ]
    both_never_share: Annotated[float | None, "share of `both_never` of the same"]


@dataclass(frozen=True, slots=True)
class TimeErrors:
    """Errors in seconds, predicted - truth, over the series of `IterationErrors` that have them."""

    n_seconds: Annotated[int, "series whose error counts whose time is known"]
    mean_seconds: Annotated[float | None, "mean of Δ in seconds"]
    mean_abs_seconds: Annotated[float | None, "mean of |Δ| in seconds"]
    median_abs_seconds: Annotated[float | None, "median of |Δ| in seconds"]


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
        for record in (self.yes_no, self.distances, self.verdicts, self.seconds):
            cells |= {
                name: getattr(record, name) for name in record.__slots__
            }  # asdict copies deeply
        return cells


FIGURES: Final[Mapping[str, str]] = {
    each.name: each.explained
    for part in (SteadyConfusion, IterationErrors, VerdictCounts, TimeErrors)
    for each in columns_of(part)
}
"""Every figure of a row, with its meaning."""
COLUMNS: Final[tuple[str, ...]] = ("method", *FIGURES)


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


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredAnswers:
    """One method's answers beside the yardstick's: what every figure of a row is made of.

    seconds  its signed errors in seconds, float64 (n,), NaN if unknown
    """

    predicted: Answers
    scope: RowScope
    seconds: Floats | None = None

    @property
    def truth(self) -> Answers:
        return self.scope.truth

    @property
    def yes_no(self) -> Bools:
        """Series of the yes/no figures."""
        return self.scope.yes_no & self.truth.given & self.predicted.given

    @property
    def distances(self) -> Bools:
        """Series whose error counts."""
        return self.scope.distances & self.truth.steady & self.predicted.steady

    @property
    def delta(self) -> Floats:
        """Signed errors in iterations, NaN unless both say steady."""
        return errors(self.predicted, self.truth)

    @property
    def size(self) -> Floats:
        return np.abs(self.delta)

    @property
    def clustered(self) -> Bools:
        """Series whose marks lie together; none of a yardstick without marks."""
        is_clustered = self.scope.clustered
        return np.zeros(self.truth.n, np.bool_) if is_clustered is None else is_clustered

    @property
    def verdicts(self) -> NDArray[np.int8]:
        """Positions in VERDICTS."""
        return verdict_codes(self.predicted, self.truth, self.scope.tolerance)


def method_row(
    method: str, predicted: Answers, scope: RowScope, seconds: Floats | None = None
) -> MethodRow:
    """The row of one method; `seconds` as in `MeasuredAnswers`."""
    measured_answers = MeasuredAnswers(predicted, scope, seconds)
    yes_no, distances = measured_answers.yes_no, measured_answers.distances
    return MethodRow(
        method,
        _yes_no(predicted.steady[yes_no], scope.truth.steady[yes_no]),
        _distances(measured_answers.delta, distances, scope),
        _verdicts(measured_answers.verdicts[yes_no]),
        _seconds(None if seconds is None else seconds[distances]),
    )


def _yes_no(says: Bools, is_steady: Bools) -> SteadyConfusion:
    tp, fp = int((says & is_steady).sum()), int((says & ~is_steady).sum())
    fn, tn = int((~says & is_steady).sum()), int((~says & ~is_steady).sum())
    n = tp + fp + fn + tn
    sensitivity, specificity = share_of(tp, tp + fn), share_of(tn, tn + fp)
    balanced = (
        None if sensitivity is None or specificity is None else (sensitivity + specificity) / 2
    )
    return SteadyConfusion(
        n, tp, fp, fn, tn, tp + tn, share_of(tp + tn, n), balanced, kappa(tp, fp, fn, tn)
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
    """The figures in the order of the fields."""
    signed = delta[rows]
    size, together = np.abs(signed), scope.clustered
    tolerance = np.broadcast_to(scope.tolerance, rows.shape)[rows]
    interval = median_interval(size, scope.bootstrap) if scope.bootstrap else None
    return IterationErrors(
        size.size,
        as_integer(float(size.sum())),
        *_part(np.abs(delta), None if together is None else rows & together),
        *_part(np.abs(delta), None if together is None else rows & ~together),
        *mean_sd_median(signed),
        *mean_sd_median(size),
        *(interval or (None, None)),
        *(share_of(int((size <= most).sum()), size.size) for most in (*WITHIN, tolerance)),
    )


def _part(size: Floats, rows: Bools | None) -> tuple[int | None, Number | None]:
    """Count and sum over some series; None where no marks tell which."""
    return (None, None) if rows is None else (int(rows.sum()), as_integer(float(size[rows].sum())))


def mean_sd_median(values: Floats) -> tuple[float | None, float | None, float | None]:
    """Mean, standard deviation (dividing by the count) and median; None of nothing."""
    if not values.size:
        return None, None, None
    return float(values.mean()), float(values.std()), float(np.median(values))


def _verdicts(codes: ArrayLike) -> VerdictCounts:
    verdict_codes = np.asarray(codes)
    counts = [int((verdict_codes == code).sum()) for code in range(len(VERDICTS))]
    steady, never = sum(counts[:4]), sum(counts[4:])
    totals = [steady] * 4 + [never] * 2
    shares = [share_of(count, total) for count, total in zip(counts, totals, strict=True)]
    return VerdictCounts(*counts, *shares)


def _seconds(signed: Floats | None) -> TimeErrors:
    if signed is None:
        return TimeErrors(0, None, None, None)
    finite_errors = signed[np.isfinite(signed)]
    mean_abs, _, median_abs = mean_sd_median(np.abs(finite_errors))
    return TimeErrors(finite_errors.size, mean_sd_median(finite_errors)[0], mean_abs, median_abs)


def share_of(count: int, total: int) -> float | None:
    """A share between 0 and 1, or None of nothing."""
    return count / total if total else None
