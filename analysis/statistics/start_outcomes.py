"""Costs and results of a test by the iteration at which it begins to measure.

A test warms up until a method's answer, at most for a capped number of iterations, and measures
the next ones, as the replay of the costs has it (`replay`: by the published accounting, all forks).
A table over every possible start makes the costs of thousands of parameter sets a look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from analysis.statistics.answers import NEVER, Bools, Floats, Indices
from analysis.statistics.benchmark_replay import CAP, MEASURED
from detectors.parameter_sets.evaluation import Table

PERCENT: Final = 100.0


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredSeries:
    """Values (n,), time before each iteration and at the end (n + 1,), and the steady start.

    elapsed  None where nobody knows how long an iteration lasts
    recorded_from  warm-up iterations before the first value; they count for the cap
    start    first steady iteration by the yardstick, NEVER where it says so
    """

    values: Floats
    elapsed: Floats | None
    start: int
    recorded_from: int = 0


@dataclass(frozen=True, slots=True)
class CostBasis:
    """Basis of the costs: the unit of time, series with a known time, all series, and benchmarks
    with a steady fork, which have an error of the result.
    """

    unit: str
    timed: int
    series: int
    benchmarks: int


@dataclass(frozen=True, slots=True, eq=False)
class StartOutcomes:
    """Aligned with series (n,); column s of a table is of a measurement from iteration s on.

    time          float64 (n, cap + 1): of warm-up and measurement; NaN where it is not known
    total, count  float64 (n, cap + 1): sum and number of the measured values
    steady_total, steady_count  float64 (n,): the same from the yardstick's start on; 0 where never
    benchmark     int64 (n,): forks with the same number are of one benchmark
    unit          of time: "s" or "iterations"
    """

    time: Floats
    total: Floats
    count: Floats
    steady_total: Floats
    steady_count: Floats
    benchmark: Indices
    unit: str

    @property
    def timed(self) -> Bools:
        """Mask of series whose time is known."""
        has_time: Bools = ~np.isnan(self.time[:, 0])
        return has_time

    @property
    def basis(self) -> CostBasis:
        judged_count = np.unique(self.benchmark[self.steady_count > 0]).size
        return CostBasis(self.unit, int(self.timed.sum()), self.benchmark.size, int(judged_count))

    def take(self, mask: Bools) -> StartOutcomes:
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        unit = arrays.pop("unit")
        return StartOutcomes(**{name: array[mask] for name, array in arrays.items()}, unit=unit)

    def figures(self, answers: Table) -> tuple[Floats, Floats]:
        """Machine time and error of the result in percent of each set: int32 (k, n) → (k,) each.

        Never, and no answer, run into the cap. The error is the median over benchmarks of how far
        the mean of all measured values of all forks lies from that of all steady ones; benchmarks
        without a steady fork have none, and one of which nothing is measured has infinity. NaN
        where no series is timed, and where no benchmark has an error.
        """
        if not self.benchmark.size:
            return np.full(len(answers), np.nan), np.full(len(answers), np.nan)
        series_indices, last_column = np.arange(self.benchmark.size), self.time.shape[1] - 1
        start_columns = np.where(answers > NEVER, np.minimum(answers, last_column), last_column)
        is_timed = self.timed
        times = self.time[series_indices[is_timed], start_columns[:, is_timed]].sum(axis=1)
        cells = series_indices, start_columns
        measured_means = _means(self.benchmark, self.total[cells], self.count[cells])
        steady_means = _means(
            self.benchmark, self.steady_total[None, :], self.steady_count[None, :]
        )
        return times if is_timed.any() else np.full(len(answers), np.nan), _errors(
            measured_means, steady_means[0]
        )


def _means(benchmark: Indices, total: Floats, count: Floats) -> Floats:
    """Mean over all forks of each benchmark: (k, n) → (k, benchmarks); NaN without a value."""
    fork_order = np.argsort(benchmark, kind="stable")
    sorted_forks = benchmark[fork_order]
    first_indices = np.flatnonzero(np.diff(sorted_forks, prepend=sorted_forks[0] - 1))
    sums, value_counts = (
        np.add.reduceat(t[:, fork_order], first_indices, axis=1) for t in (total, count)
    )
    with np.errstate(invalid="ignore"):
        means: Floats = sums / value_counts
    return means


def _errors(measured_means: Floats, steady_means: Floats) -> Floats:
    is_judged = np.isfinite(steady_means) & (steady_means != 0)
    if not is_judged.any():
        return np.full(len(measured_means), np.nan)
    relative_errors = np.abs(measured_means[:, is_judged] / steady_means[is_judged] - 1)
    median_errors: Floats = np.median(
        np.where(np.isnan(relative_errors), np.inf, relative_errors), axis=1
    )
    return PERCENT * median_errors


def start_outcomes(
    series: Iterable[MeasuredSeries],
    benchmark_numbers: Sequence[int],
    unit: str,
    *,
    cap: int = CAP,
    window: int = MEASURED,
) -> StartOutcomes:
    """The tables of some series, with the number of the benchmark of each."""
    rows = [_row(measured_series, cap, window) for measured_series in series]
    tables = np.array([row[:3] for row in rows]).reshape(len(rows), 3, cap + 1)
    steady_columns = np.array([row[3:] for row in rows]).reshape(len(rows), 2)
    return StartOutcomes(
        tables[:, 0],
        tables[:, 1],
        tables[:, 2],
        steady_columns[:, 0],
        steady_columns[:, 1],
        np.array(benchmark_numbers, dtype=np.int64),
        unit,
    )


def _row(
    series: MeasuredSeries, cap: int, window: int
) -> tuple[Floats, Floats, Floats, float, float]:
    values = series.values
    capped_length = max(cap - series.recorded_from, 0)
    columns = np.minimum(np.arange(cap + 1), capped_length)
    starts = np.minimum(columns, values.size)
    stops = np.minimum(starts + window, values.size)
    head = np.zeros(capped_length + window)
    head[: min(values.size, head.size)] = values[: head.size]
    # Summed window by window: one giant iteration would spoil differences of running sums.
    sums = np.lib.stride_tricks.sliding_window_view(head, window).sum(axis=1)[columns]
    time = np.full(cap + 1, np.nan) if series.elapsed is None else series.elapsed[stops]
    tail = values[series.start :] if series.start > NEVER else values[:0]
    return time, sums, (stops - starts).astype(np.float64), float(tail.sum()), float(tail.size)
