"""Samples behind each column of the comparison table, series by series.

`rows.measure` gives a column's figure; this gives the values behind it, so that a difference of
two figures can be resampled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from analysis.statistics.answers import Bools, Floats
from analysis.statistics.paired_bootstrap import FigureSample, Kind
from analysis.statistics.rows import WITHIN, MeasuredAnswers
from analysis.statistics.verdicts import VERDICTS

STEADY_VERDICTS: Final = 4
"""So many of VERDICTS are about series that the yardstick calls steady."""


_Make = Callable[[MeasuredAnswers], FigureSample]
_Values = Callable[[MeasuredAnswers], ArrayLike]


def _yes_no(values: _Values, kind: Kind) -> _Make:
    return lambda s: _of(values(s), s.yes_no, kind)


def _errors(values: _Values, kind: Kind) -> _Make:
    return lambda s: _of(values(s), s.distances, kind)


def _of(values: ArrayLike, rows: Bools, kind: Kind) -> FigureSample:
    return FigureSample(np.where(rows, values, np.nan), kind)


def _delta(sides: MeasuredAnswers) -> Floats:
    return sides.delta


def _size(sides: MeasuredAnswers) -> Floats:
    return sides.size


def _seconds(sides: MeasuredAnswers) -> Floats:
    return np.full(sides.truth.n, np.nan) if sides.seconds is None else sides.seconds


def _right(sides: MeasuredAnswers) -> Bools:
    right: Bools = sides.predicted.steady == sides.truth.steady
    return right


def _place(sides: MeasuredAnswers) -> Floats:
    """Places in (tp, fp, fn, tn)."""
    return (2 * ~sides.predicted.steady + 1 * ~sides.truth.steady).astype(np.float64)


def _at(place: int) -> _Values:
    return lambda s: _place(s) == place


def _within(most: int) -> _Values:
    return lambda s: s.size <= most


def _verdict(code: int, kind: Kind) -> _Make:
    """Sample maker of one verdict, on the series that the yardstick calls steady or never, as it
    is about.
    """

    def make(s: MeasuredAnswers) -> FigureSample:
        is_about = s.truth.steady if code < STEADY_VERDICTS else ~s.truth.steady
        return _of(s.verdicts == code, s.yes_no & is_about, kind)

    return make


SAMPLES: Final[Mapping[str, _Make]] = {
    "n_yes_no": _yes_no(lambda _: 1.0, "sum"),
    **{name: _yes_no(_at(place), "sum") for place, name in enumerate(("tp", "fp", "fn", "tn"))},
    "agreements": _yes_no(_right, "sum"),
    "agreement": _yes_no(_right, "mean"),
    "balanced_accuracy": _yes_no(_place, "balanced"),
    "kappa": _yes_no(_place, "kappa"),
    "n": _errors(lambda _: 1.0, "sum"),
    "manhattan": _errors(_size, "sum"),
    "manhattan_clustered": lambda s: _of(s.size, s.distances & s.clustered, "sum"),
    "manhattan_scattered": lambda s: _of(s.size, s.distances & ~s.clustered, "sum"),
    "mean_error": _errors(_delta, "mean"),
    "sd_error": _errors(_delta, "sd"),
    "median_error": _errors(_delta, "median"),
    "mean_abs": _errors(_size, "mean"),
    "sd_abs": _errors(_size, "sd"),
    "median_abs": _errors(_size, "median"),
    **{f"within_{most}": _errors(_within(most), "mean") for most in WITHIN},
    "within_tolerance": _errors(lambda s: s.size <= np.asarray(s.scope.tolerance), "mean"),
    **{name.replace(" ", "_"): _verdict(code, "sum") for code, name in enumerate(VERDICTS)},
    **{
        f"{name.replace(' ', '_')}_share": _verdict(code, "mean")
        for code, name in enumerate(VERDICTS)
    },
    "mean_seconds": _errors(_seconds, "mean"),
    "mean_abs_seconds": _errors(lambda s: np.abs(_seconds(s)), "mean"),
    "median_abs_seconds": _errors(lambda s: np.abs(_seconds(s)), "median"),
}
"""Columns whose differences have an interval: all but bounds of intervals and counts of parts."""


def sample(column: str, sides: MeasuredAnswers) -> FigureSample | None:
    """The values behind a column of one method's row; None for a column without any."""
    make = SAMPLES.get(column)
    if make is None:
        return None
    with np.errstate(invalid="ignore"):
        return make(sides)
