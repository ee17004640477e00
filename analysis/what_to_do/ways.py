"""Ways to decide where a measurement begins, each with what it leaves out, its error and its time.

Harnesses, methods and the yardstick are rows of one table: the same columns, the same series. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final, Literal

import numpy as np

from analysis.statistics.answers import Bools, Floats
from analysis.statistics.bootstrap import BootstrapSettings, median_interval
from analysis.statistics.multiple_comparisons import LEAST_SERIES
from detectors.contract import Values

Group = Literal["answer", "harness", "method"]
Unit = Literal["iterations", "seconds"]
BOOTSTRAP: Final = BootstrapSettings()
MOST_SHOWN: Final[dict[Group, int]] = {"answer": 1, "harness": 4, "method": 6}
"""Rows of each group that a page begins with."""


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredWindows:
    """Measured windows of n steady series: arrays (n,).

    left_out  before the measurement, from the start of the process: iterations or seconds
    error     how far the measured mean is from the steady mean, a share; NaN where unknown
    is_early  whether the measurement begins before the series is steady
    seconds   machine time of the series until the end of the measurement; NaN where unknown
    """

    left_out: Floats
    error: Floats
    is_early: Bools
    seconds: Floats

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[float, float, bool, float]]) -> MeasuredWindows:
        """Windows of rows with the four figures in their order."""
        columns = np.array(list(rows), np.float64).reshape(-1, 4).T
        return cls(columns[0], columns[1], columns[2].astype(np.bool_), columns[3])


@dataclass(frozen=True, slots=True)
class ErrorRange:
    """Median of the errors, with its 95 % interval, or of fewer than ten series their ends."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """One row of the table.

    name         of a harness or method in addresses; empty for the answer
    words        what it does, in few words
    symbol       classes of a method's symbol
    left_out     of each series that it would measure, sorted
    early_count  series of these whose measurement begins too early
    seconds      machine time; None where unknown
    reason       why it would measure nothing of the others; empty without any
    """

    group: Group
    name: str
    title: str
    words: str
    symbol: str
    left_out: Floats
    error: ErrorRange | None
    early_count: int
    seconds: float | None
    reason: str = ""

    @property
    def n(self) -> int:
        """Series of which it would measure something."""
        return self.left_out.size

    @property
    def middle(self) -> float:
        """Median of what is left out; infinite where nothing is measured."""
        return float(np.median(self.left_out)) if self.n else np.inf

    @property
    def off(self) -> float:
        """Median error; infinite where there is none."""
        return self.error.middle if self.error else np.inf


@dataclass(frozen=True, eq=False)  # no slots: figures are computed when they are asked for
class WaysTable:
    """All ways on the same steady series.

    unit         of what is left out
    starts       where each series becomes steady, in that unit, sorted
    fork_count   forks that a machine time is of; 0: it is the median of a single series
    first        names that are shown before the others of their group
    is_complete  whether no row is still to come
    """

    unit: Unit
    ways: Sequence[Way]
    starts: Floats
    fork_count: int = 0
    first: Sequence[str] = ()
    is_complete: bool = True

    @property
    def n(self) -> int:
        """Steady series."""
        return self.starts.size

    @cached_property
    def middle(self) -> float:
        """Median of the steady starts."""
        return float(np.median(self.starts))

    @property
    def band(self) -> tuple[float, float]:
        """Tint behind all rows: the ends of few starts, the middle half of many."""
        quantile_shares = (0.25, 0.75) if self.n >= LEAST_SERIES else (0.0, 1.0)
        low, high = np.quantile(self.starts, quantile_shares)
        return float(low), float(high)

    def way_named(self, name: str) -> Way | None:
        """Row of a harness or method; None where it is not in the table."""
        return next((way for way in self.ways if way.name == name), None)

    def groups(self, *, is_full: bool) -> list[tuple[Group, list[Way]]]:
        """Rows by group: all by what they leave out, or the first few."""
        ways_by_group = groupby(self.ways, key=lambda way: way.group)
        return [
            (group, self._first_ways(list(ways), is_full=is_full)) for group, ways in ways_by_group
        ]

    def _first_ways(self, ways: list[Way], *, is_full: bool) -> list[Way]:
        if is_full:
            return sorted(ways, key=lambda way: (way.middle, way.title))
        rank_by_name = {name: name_index for name_index, name in enumerate(self.first)}
        ways.sort(
            key=lambda way: (not way.n, rank_by_name.get(way.name, len(rank_by_name)), way.off)
        )
        return ways[: MOST_SHOWN[ways[0].group]]

    def count(self, group: Group) -> int:
        """Rows of a group, shown or not."""
        return sum(way.group == group for way in self.ways)


def way_from_windows(
    group: Group, title: str, windows: MeasuredWindows, seconds: float | None, **fields: str
) -> Way:
    """The row of some measured windows; `fields`: name, words, symbol and reason."""
    return Way(
        group=group,
        title=title,
        left_out=np.sort(windows.left_out),
        error=error_range(windows.error),
        early_count=int(windows.is_early.sum()),
        seconds=seconds,
        **{"name": "", "words": "", "symbol": "", **fields},
    )


def error_range(errors: Floats) -> ErrorRange | None:
    """Median and its interval, or the ends of fewer than ten; None without a known error."""
    known_errors = errors[~np.isnan(errors)]
    if not known_errors.size:
        return None
    interval_ends = (
        median_interval(known_errors, BOOTSTRAP) if known_errors.size >= LEAST_SERIES else None
    )
    low, high = interval_ends or (float(known_errors.min()), float(known_errors.max()))
    return ErrorRange(low, float(np.median(known_errors)), high)


def window_error(values: Values, begin: int, stop: int, start: int) -> float:
    """Distance of the mean of [begin, stop) from the mean from `start` on, a share of that mean."""
    steady_mean = float(values[start:].mean())
    return abs(float(values[begin:stop].mean()) / steady_mean - 1) if steady_mean else np.nan
