"""The values of a series as a table: in a hundred stretches, and one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from detectors.arrays.robust_range import Values
from series.models import Series
from series.values.downsampled_windows import edges

STRETCHES = 100
SINGLE = 200  # single values a page


@dataclass(frozen=True, slots=True)
class ValueStretch:
    """Iterations first … last and what lies between; for a single one all three are equal."""

    first: int
    last: int
    least: float
    median: float
    greatest: float


@dataclass(frozen=True, slots=True)
class ValueTable:
    """Rows, and where the pages before and after begin (None: there is none)."""

    rows: Sequence[ValueStretch]
    single: bool
    start: int
    stop: int  # exclusive
    before: int | None = None
    after: int | None = None

    @property
    def last(self) -> int:
        return self.stop - 1


def value_table(series: Series, start: str | None) -> ValueTable:
    """All of a series in stretches; from iteration `start` on, its values one by one."""
    values = series.array()
    if start is None or not start.isdecimal():
        cuts = edges(0, series.n, min(STRETCHES, series.n))
        rows = [_stretch(values, *pair) for pair in pairwise(cuts)]
        return ValueTable(rows, single=False, start=0, stop=series.n)
    first = min(int(start), series.n - 1)
    last = min(first + SINGLE, series.n)
    rows = [_stretch(values, iteration, iteration + 1) for iteration in range(first, last)]
    previous_start = max(0, first - SINGLE) if first else None
    next_start = last if last < series.n else None
    return ValueTable(
        rows, single=True, start=first, stop=last, before=previous_start, after=next_start
    )


def _stretch(values: Values, start: int, stop: int) -> ValueStretch:
    stretch = values[start:stop]
    median = float(np.median(stretch))
    return ValueStretch(start, stop - 1, float(stretch.min()), median, float(stretch.max()))
