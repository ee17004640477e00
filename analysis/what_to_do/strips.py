"""Pictures in the rows of the table, as paths in CSS pixels. Pure.

What is left out lies on a logarithmic axis of 1 + x, so that none has a place; errors lie on a
logarithmic axis of two ends, and what is outside of them at an end.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from analysis.cost.sentences import length_text
from analysis.statistics.answers import Floats
from analysis.web.figures import Tick, tick_text
from analysis.what_to_do.ways import Unit, Way, WaysTable
from people.templatetags.writing import grouped

WIDTH: Final = 330
HEIGHT: Final = 34
EDGE: Final = 8
STEPS: Final[dict[Unit, int]] = {"iterations": 1, "seconds": 2}
"""An axis is the logarithm of 1 and so many times what is left out."""
DOTS: Final = 24
DOT: Final = 5.4
NARROW: Final = 2.5 * DOT  # px; closer ticks are one tick with several names
APART: Final = 42  # px between two labels of the axis
LABEL_GAP: Final = 9  # px from a tick to its words
LETTER_WIDTH: Final = 7  # px of a letter
ERRORS: Final = 206
LEAST_ERROR: Final = 0.0005
ERROR_DECADES: Final = (0.001, 0.01, 0.1, 1.0)
SQUARES: Final = 10  # most series that are drawn as squares; more are a bar
SQUARE: Final = 12
BAR: Final = 72


@dataclass(frozen=True, slots=True)
class LeftOutStrip:
    """Dots as one path, or a tick with its words; `words` says either.

    middle: where the line of the answer stands, which words should not cover
    """

    dots: str
    tick: float | None
    words: str
    middle: float = -math.inf

    @property
    def is_turned(self) -> bool:
        """True if words stand left of the tick: its right has no room, or the answer's line."""
        if self.tick is None:
            return False
        needed_width = LABEL_GAP + LETTER_WIDTH * len(self.words)
        has_line_right = 0 < self.middle - self.tick < needed_width
        return self.tick + needed_width > WIDTH or (has_line_right and self.tick > needed_width)


@dataclass(frozen=True, slots=True)
class ErrorStrip:
    """Line from end to end, and the median."""

    low: float
    high: float
    dot: float


@dataclass(frozen=True, slots=True)
class EarlyStrip:
    """Paths of what is early and what is not; `width` of both."""

    early: str
    others: str
    width: int


@dataclass(frozen=True, eq=False)  # no slots: the end of the axis is computed once
class WayStrips:
    """Axes that all rows of a table share."""

    table: WaysTable

    @cached_property
    def most(self) -> float:
        """Value left out at the right end."""
        longest_omissions = [float(way.left_out[-1]) for way in self.table.ways if way.n]
        return max([float(self.table.starts[-1]), *longest_omissions]) or 1.0

    def x_position(self, omitted_value: float) -> float:
        scale_factor = STEPS[self.table.unit]
        share = math.log1p(scale_factor * omitted_value) / math.log1p(scale_factor * self.most)
        return round(EDGE + (WIDTH - 2 * EDGE) * share, 1)

    @cached_property
    def ticks(self) -> list[Tick]:
        """0 and powers of ten, as far as there is room."""
        powers = range(1 if self.table.unit == "iterations" else -1, 9)
        numbers = [0.0, *(10.0**power for power in powers)]
        ticks: list[Tick] = []
        for number in numbers:
            tick_position = self.x_position(number)
            if number <= self.most and (not ticks or tick_position - ticks[-1].at >= APART):
                ticks.append(Tick(tick_position, tick_text(number)))
        return ticks

    @property
    def error_ticks(self) -> list[Tick]:
        return [Tick(error_position(share), tick_text(100 * share)) for share in ERROR_DECADES]

    @property
    def grid(self) -> str:
        """Vertical lines of the axis as one path."""
        return _grid_path(self.ticks)

    @property
    def error_grid(self) -> str:
        return _grid_path(self.error_ticks)

    @property
    def middle(self) -> float:
        return self.x_position(self.table.middle)

    @property
    def band(self) -> tuple[float, float]:
        """Left edge and width of the tint."""
        left_edge, right_edge = map(self.x_position, self.table.band)
        return left_edge, max(round(right_edge - left_edge, 1), 2.0)

    def left_out(self, way: Way) -> LeftOutStrip:
        words = span_words(way.left_out, self.table.unit)
        positions = [self.x_position(float(number)) for number in _sample_numbers(way.left_out)]
        if not positions:
            return LeftOutStrip("", None, words)
        if (positions[-1] - positions[0] < NARROW and self.table.fork_count == 0) or len(
            set(positions)
        ) == 1:
            return LeftOutStrip("", self.x_position(way.middle), words, self.middle)
        return LeftOutStrip(_dots_path(positions), None, words)


def span_words(numbers: Floats, unit: Unit) -> str:
    """Middle half of the numbers: `760`, or `120 to 340`."""
    if not numbers.size:
        return ""
    quartiles = np.quantile(numbers, [0.25, 0.75])
    low, high = (left_out_text(float(number), unit) for number in quartiles)
    return low if low == high else f"{low} to {high}"


def left_out_text(number: float, unit: Unit) -> str:
    """`760`, or as seconds `7.6 s`."""
    return grouped(round(number)) if unit == "iterations" else length_text(number, in_seconds=True)


def _sample_numbers(numbers: Floats) -> Floats:
    """All of a few numbers, quantiles of many."""
    if numbers.size <= DOTS:
        return numbers
    quantiles: Floats = np.quantile(numbers, (np.arange(DOTS) + 0.5) / DOTS)
    return quantiles


def _dots_path(positions: Sequence[float]) -> str:
    """Round ends of lines without length, stacked where they would lie upon one another."""
    x_positions = [round(round(position / DOT) * DOT, 1) for position in positions]
    counts = Counter(x_positions)
    step = min(DOT, (HEIGHT - 2 * DOT) / max(max(counts.values()) - 1, 1))
    dot_counts: Counter[float] = Counter()
    dots = []
    for x in x_positions:
        middle_rank = (counts[x] - 1) / 2
        dots.append(f"M{x:g} {HEIGHT / 2 + step * (middle_rank - dot_counts[x]):.1f}h0")
        dot_counts[x] += 1
    return "".join(dots)


def _grid_path(ticks: Iterable[Tick]) -> str:
    return "".join(f"M{tick.at:g} -3v{HEIGHT + 6}" for tick in ticks)


def error_position(error: float) -> float:
    """Place of a share on the axis of errors."""
    share = math.log(max(min(error, 1.0), LEAST_ERROR) / LEAST_ERROR) / -math.log(LEAST_ERROR)
    return round(EDGE + (ERRORS - 2 * EDGE) * share, 1)


def error_strip(way: Way) -> ErrorStrip | None:
    """Median and ends of the error; None without an error."""
    if way.error is None:
        return None
    low, dot, high = map(error_position, (way.error.low, way.error.middle, way.error.high))
    return ErrorStrip(low, high, dot)


def early_strip(way: Way) -> EarlyStrip:
    """A square a series, or a bar of many."""
    if way.n > SQUARES:
        width = round(BAR * way.early_count / way.n, 1)
        rest_width = round(BAR - width, 1)
        return EarlyStrip(
            f"M0 0h{width:g}v12h-{width:g}z",
            f"M{width:g} 0h{rest_width:g}v12h-{rest_width:g}z",
            BAR,
        )
    squares = [f"M{square_index * SQUARE} 1h10v10h-10z" for square_index in range(way.n)]
    early_squares, other_squares = squares[: way.early_count], squares[way.early_count :]
    return EarlyStrip("".join(early_squares), "".join(other_squares), SQUARE * SQUARES // 2)
