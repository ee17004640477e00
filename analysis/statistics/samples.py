"""Samples behind each column of the comparison table, series by series.

`rows.measure` gives a column's figure; this gives the values behind it, so that a difference of
two figures can be resampled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from analysis.statistics.answers import Answers, Bools, Floats, errors
from analysis.statistics.resampling import FigureSample, Kind
from analysis.statistics.rows import WITHIN, RowScope
from analysis.statistics.verdicts import VERDICTS, verdict_codes

STEADY_VERDICTS: Final = 4
"""So many of VERDICTS are about series that the yardstick calls steady."""


@dataclass(frozen=True, slots=True, eq=False)
class _SampleAnswers:
    predicted: Answers
    scope: RowScope
    seconds: Floats | None

    @property
    def yes_no(self) -> Bools:
        return self.scope.yes_no_of(self.predicted)

    @property
    def distances(self) -> Bools:
        return self.scope.distances_of(self.predicted)

    @property
    def delta(self) -> Floats:
        return errors(self.predicted, self.scope.truth)

    @property
    def part(self) -> Bools:
        found = self.scope.clustered
        return np.zeros(self.predicted.n, np.bool_) if found is None else found

    @property
    def in_seconds(self) -> Floats:
        return np.full(self.predicted.n, np.nan) if self.seconds is None else self.seconds

    @property
    def table(self) -> Floats:
        """Places in (tp, fp, fn, tn)."""
        places = 2 * ~self.predicted.steady + 1 * ~self.scope.truth.steady
        return places.astype(np.float64)

    @property
    def verdicts(self) -> Floats:
        codes = verdict_codes(self.predicted, self.scope.truth, self.scope.tolerance)
        return codes.astype(np.float64)


_Make = Callable[[_SampleAnswers], FigureSample]


def _of(values: ArrayLike, rows: Bools, kind: Kind) -> FigureSample:
    return FigureSample(np.where(rows, values, np.nan), kind)


def _signed(kind: Kind) -> _Make:
    return lambda s: _of(s.delta, s.distances, kind)


def _absolute(kind: Kind) -> _Make:
    return lambda s: _of(np.abs(s.delta), s.distances, kind)


def _within(most: int) -> _Make:
    return lambda s: _of(np.abs(s.delta) <= most, s.distances, "mean")


def _cell(place: int) -> _Make:
    return lambda s: _of(s.table == place, s.yes_no, "sum")


def _verdict(code: int, kind: Kind) -> _Make:
    def make(sides: _SampleAnswers) -> FigureSample:
        steady = sides.scope.truth.steady
        of = steady if code < STEADY_VERDICTS else ~steady
        return _of(sides.verdicts == code, sides.yes_no & of, kind)

    return make


def _in_part(kind: Kind, *, clustered: bool) -> _Make:
    def make(sides: _SampleAnswers) -> FigureSample:
        inside = sides.part if clustered else ~sides.part
        return _of(np.abs(sides.delta), sides.distances & inside, kind)

    return make


def _timed(kind: Kind, *, absolute: bool) -> _Make:
    def make(sides: _SampleAnswers) -> FigureSample:
        seconds = np.abs(sides.in_seconds) if absolute else sides.in_seconds
        return _of(seconds, sides.distances, kind)

    return make


def _right(kind: Kind) -> _Make:
    return lambda s: _of(s.predicted.steady == s.scope.truth.steady, s.yes_no, kind)


SAMPLES: Final[Mapping[str, _Make]] = {
    "n_yes_no": lambda s: _of(1.0, s.yes_no, "sum"),
    **{name: _cell(place) for place, name in enumerate(("tp", "fp", "fn", "tn"))},
    "agreements": _right("sum"),
    "agreement": _right("mean"),
    "balanced_accuracy": lambda s: _of(s.table, s.yes_no, "balanced"),
    "kappa": lambda s: _of(s.table, s.yes_no, "kappa"),
    "n": lambda s: _of(1.0, s.distances, "sum"),
    "manhattan": _absolute("sum"),
    "manhattan_clustered": _in_part("sum", clustered=True),
    "manhattan_scattered": _in_part("sum", clustered=False),
    "mean_error": _signed("mean"),
    "sd_error": _signed("sd"),
    "median_error": _signed("median"),
    "mean_abs": _absolute("mean"),
    "sd_abs": _absolute("sd"),
    "median_abs": _absolute("median"),
    **{f"within_{most}": _within(most) for most in WITHIN},
    "within_tolerance": lambda s: _of(
        np.abs(s.delta) <= np.asarray(s.scope.tolerance), s.distances, "mean"
    ),
    **{name.replace(" ", "_"): _verdict(code, "sum") for code, name in enumerate(VERDICTS)},
    **{
        f"{name.replace(' ', '_')}_share": _verdict(code, "mean")
        for code, name in enumerate(VERDICTS)
    },
    "mean_seconds": _timed("mean", absolute=False),
    "mean_abs_seconds": _timed("mean", absolute=True),
    "median_abs_seconds": _timed("median", absolute=True),
}
"""Columns whose differences have an interval: all but bounds of intervals and counts of parts."""


def sample(
    column: str, predicted: Answers, scope: RowScope, seconds: Floats | None = None
) -> FigureSample | None:
    """The values behind a column of one method's row; None for a column without any.

    `seconds`: its signed errors in seconds, one a series.
    """
    make = SAMPLES.get(column)
    if make is None:
        return None
    with np.errstate(invalid="ignore"):
        return make(_SampleAnswers(predicted, scope, seconds))
