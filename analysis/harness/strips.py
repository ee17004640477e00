"""Strips of the harness page in pixels: warm-ups on one axis, errors on another. Pure.

The axis of seconds is the logarithm of 1 + 2 s, so that none has a place; errors stand on a
logarithmic axis, and what lies outside of it at its edge.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from analysis.harness.sentences import span_words
from analysis.harness.table import HarnessRow, HarnessTable
from analysis.statistics.answers import Floats
from analysis.statistics.ranks import LEAST_SERIES
from analysis.web.figures import Tick, tick_text

WIDTH: Final = 330
HEIGHT: Final = 48
EDGE: Final = 8
DOTS: Final = 40
DOT: Final = 5.4
NARROW: Final = 2.5 * DOT  # px: a rule whose middle nine tenths are narrower is one tick
APART: Final = 30  # px between two labels of the axis
LONGER: Final = 9  # CSS pixels more for each digit beyond three
WORDS: Final = 90  # px that words beside a tick may take
ERRORS: Final = 242
LEAST_ERROR: Final = 0.0005
ERROR_DECADES: Final = (0.001, 0.01, 0.1, 1.0)
BAR: Final = 96


class Dot(NamedTuple):
    """The centre of one."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class WarmUpStrip:
    """Dots, or one tick with its words; `words` says either."""

    dots: tuple[Dot, ...]
    tick: float | None
    words: str

    @property
    def turned(self) -> bool:
        """Whether the words stand to the left of the tick: there is no room at its right."""
        return self.tick is not None and self.tick > WIDTH - WORDS


@dataclass(frozen=True, slots=True)
class ErrorStrip:
    """Middle half, interval and median of an error."""

    left: float
    width: float
    low: float
    high: float
    dot: float


class TruthBand(NamedTuple):
    """The middle half of the steady starts, and their median, through all rows."""

    left: float
    width: float
    median: float


@dataclass(frozen=True, eq=False)  # no slots: figures are computed when they are asked for
class HarnessStrips:
    """What the rows of one table are drawn with."""

    table: HarnessTable

    @cached_property
    def most(self) -> float:
        """Seconds at the right end."""
        every = chain([self.table.seconds], (row.seconds for row in self.table.rows))
        return max((float(each[-1]) for each in every if each.size), default=1.0) or 1.0

    def place(self, seconds: float) -> float:
        share = math.log1p(2 * seconds) / math.log1p(2 * self.most)
        return round(EDGE + (WIDTH - 2 * EDGE) * share, 1)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """0 and rounds of 1 and 3, as far as there is room."""
        rounds = [0.0, *(n * 10.0**power for power in range(-3, 7) for n in (1, 3))]
        found: list[Tick] = []
        for each in rounds:
            at, text = self.place(each), tick_text(each)
            room = APART + LONGER * max(len(text) - 3, 0)
            if each <= self.most and (not found or at - found[-1].at >= room):
                found.append(Tick(at, text))
        return tuple(found)

    @property
    def error_ticks(self) -> tuple[Tick, ...]:
        return tuple(Tick(error_place(each), tick_text(100 * each)) for each in ERROR_DECADES)

    @property
    def truth(self) -> WarmUpStrip:
        return self._strip(self.table.seconds, span_words(self.table.truth))

    @property
    def band(self) -> TruthBand | None:
        q = self.table.truth
        if q.q25 is None or q.q50 is None or q.q75 is None:
            return None
        left, right = self.place(q.q25), self.place(q.q75)
        return TruthBand(left, round(right - left, 1), self.place(q.q50))

    def strip(self, row: HarnessRow) -> WarmUpStrip:
        return self._strip(row.seconds, span_words(row.warmup))

    def _strip(self, seconds: Floats, words: str) -> WarmUpStrip:
        if not seconds.size:
            return WarmUpStrip((), None, words)
        low, middle, high = (
            self.place(float(np.quantile(seconds, at))) for at in (0.05, 0.5, 0.95)
        )
        if high - low < NARROW or seconds.size < LEAST_SERIES:
            return WarmUpStrip((), middle, words)
        return WarmUpStrip(self._dots(seconds), None, words)

    def _dots(self, seconds: Floats) -> tuple[Dot, ...]:
        """Quantiles, stacked where they would lie upon one another."""
        shares = (np.arange(DOTS) + 0.5) / DOTS
        columns = [
            round(self.place(float(each)) / DOT) * DOT for each in np.quantile(seconds, shares)
        ]
        step = min(DOT, (HEIGHT - DOT) / max(Counter(columns).values()))
        seen: Counter[float] = Counter()
        found = []
        for x in columns:
            found.append(Dot(round(x, 1), round(HEIGHT - DOT / 2 - step * seen[x], 1)))
            seen[x] += 1
        return tuple(found)


def error_place(error: float) -> float:
    """Of a share; below a twentieth of a percent and above the whole at the edge."""
    share = math.log(max(min(error, 1.0), LEAST_ERROR) / LEAST_ERROR) / -math.log(LEAST_ERROR)
    return round(EDGE + (ERRORS - 2 * EDGE) * share, 1)


def error_strip(row: HarnessRow) -> ErrorStrip | None:
    q = row.error
    if row.interval is None or q.q25 is None or q.q50 is None or q.q75 is None:
        return None
    left, right = error_place(q.q25), error_place(q.q75)
    low, high = map(error_place, row.interval)
    return ErrorStrip(left, round(right - left, 1), low, high, error_place(q.q50))


def bar_width(share: float) -> float:
    return round(BAR * share, 1)
