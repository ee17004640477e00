"""Cost points: of each method how long its test takes, how far its result is off, and the front."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np

from analysis.comparison.table import TRUTH
from analysis.cost.table import USUAL, BenchmarkCost, ComparisonCosts
from analysis.methods.method_style import MethodStyle
from analysis.statistics.bootstrap import BootstrapSettings, median_interval
from analysis.statistics.cost_front import clear_front
from analysis.statistics.ranks import LEAST_SERIES

BOOTSTRAP: Final = BootstrapSettings()
LEAST_ERROR: Final = 1e-4  # smaller deviations are drawn here: none has a logarithm of 0


@dataclass(frozen=True, slots=True)
class MedianEstimate:
    """A median over benchmarks with its 95 % interval; no interval of too few series."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class CostPoint:
    """One method, over the benchmarks of which its time and its result are known.

    series      measured, of these benchmarks
    time        of the test of one series: seconds, or iterations where no seconds are known
    error       deviation of the result from that of the steady state, a share
    within      share of the benchmarks whose error is at most that until which is measured; None
                where a number of iterations is
    wasted      median over the benchmarks of a series' waste, seconds; None where unknown
    exact       no interval behind the error is a preview
    """

    look: MethodStyle
    benchmarks: int
    series: int
    time: MedianEstimate
    error: MedianEstimate
    wasted: float | None
    exact: bool
    within: float | None = None

    @property
    def reliable(self) -> bool:
        """Whether it has series enough for an interval, and for the front."""
        return self.series >= LEAST_SERIES

    @property
    def usual(self) -> bool:
        """Whether it is what a team would use without any detector."""
        return self.look.baseline or self.look.slug in USUAL

    @property
    def drawn_error(self) -> float:
        return max(self.error.value, LEAST_ERROR)


@dataclass(frozen=True, slots=True)
class CostPoints:
    """The points, the shortest test first; those of the front among them, and one to begin with.

    truth  what a test costs that begins where the yardstick says: the target
    """

    points: tuple[CostPoint, ...]
    front: tuple[CostPoint, ...]
    in_seconds: bool
    truth: CostPoint | None = None

    @property
    def all(self) -> tuple[CostPoint, ...]:
        """The points, and the target."""
        return (*self.points, *([self.truth] if self.truth else []))

    @property
    def chosen(self) -> CostPoint:
        """Of the front the one with the least product of time and error; else the first."""
        return min(self.front or self.points, key=lambda one: log(one.time.value * one.drawn_error))


def cost_points(found: ComparisonCosts) -> CostPoints | None:
    """None where no result can be judged."""
    points = [
        point
        for name, look in found.compared.looks.items()
        if name in found.methods and (point := _point(found, look, found.by_benchmark[name]))
    ]
    if not points:
        return None
    points.sort(key=lambda one: (one.time.value, one.error.value, one.look.label))
    front = [points[at] for at in _front(points, found.inputs.flattered)]
    truth = _point(found, _look_of_truth(found), found.truth_by_benchmark)
    return CostPoints(tuple(points), tuple(front), found.in_seconds, truth)


def _look_of_truth(found: ComparisonCosts) -> MethodStyle:
    words = found.compared.yardstick.line
    return MethodStyle(TRUTH, TRUTH, TRUTH, "", words, words, None, (), baseline=True)


def _front(points: Sequence[CostPoint], flattered: Iterable[str]) -> list[int]:
    """Neither baselines nor methods that knew the series or answered too few are on it."""
    kept = [
        at
        for at, one in enumerate(points)
        if one.reliable and not one.usual and one.look.name not in flattered
    ]
    times = [points[at].time.value for at in kept]
    errors = [points[at].drawn_error for at in kept]
    return [kept[at] for at in clear_front(times, errors)]


def _point(
    found: ComparisonCosts, look: MethodStyle, of_benchmarks: Sequence[BenchmarkCost]
) -> CostPoint | None:
    known = [
        (row, length, row.interval.deviation)
        for row in of_benchmarks
        if row.interval is not None and (length := found.test_length(row))
    ]
    if not known:
        return None
    rows = [row for row, _, _ in known]
    series, until = sum(row.measured for row in rows), found.wanted.until
    return CostPoint(
        look=look,
        benchmarks=len(rows),
        series=series,
        time=_median([length for _, length, _ in known], series),
        error=_median([error for _, _, error in known], series),
        wasted=_wasted(rows),
        exact=all(row.interval is not None and row.interval.exact for row in rows),
        within=float(np.mean([error <= until for _, _, error in known])) if until else None,
    )


def _median(numbers: Sequence[float], series: int) -> MedianEstimate:
    values = np.array(numbers)
    ends = median_interval(values, BOOTSTRAP) if series >= LEAST_SERIES else None
    return MedianEstimate(float(np.median(values)), *(ends or ()))


def _wasted(rows: Sequence[BenchmarkCost]) -> float | None:
    known = [row.wasted / row.forks for row in rows if row.wasted is not None]
    return float(np.median(known)) if known else None
