"""The axis of intervals that stand in rows, in pixels: linear, or logarithmic. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from analysis.web.figures import Tick, tick_step, tick_text

INTERVAL_WIDTH: Final = 180
MARGIN: Final = 6
SPREAD: Final = 4
"""Where the greatest bound is more than so many times the least one, a linear axis would give the
intervals of the best methods a quarter of its width or less."""
LEAST_BOUND: Final = 0.5  # iterations: a bound of 0 has no ratio
DECADES: Final = 2  # of a logarithmic axis: what lies below is drawn at its edge


class MedianInterval(NamedTuple):
    """A median with its bounds."""

    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True)
class DrawnInterval:
    low: float
    high: float
    dot: float


@dataclass(frozen=True, slots=True)
class IntervalScale:
    """The scale that all rows share, and one interval a row.

    edge  below which a logarithmic axis draws everything at its edge; 0 of a linear one
    """

    ticks: tuple[Tick, ...]
    rows: Mapping[str, DrawnInterval]
    edge: float = 0
    width: int = INTERVAL_WIDTH


def interval_scale(
    bounds: Mapping[str, MedianInterval], width: int = INTERVAL_WIDTH
) -> IntervalScale:
    """All intervals on one scale that holds the greatest bound."""
    most = max((each.high for each in bounds.values()), default=1.0)
    least = max(min((each.low for each in bounds.values()), default=1.0), LEAST_BOUND)
    edge, sizes, share = _logarithmic(most) if most > SPREAD * least else _linear(most)

    def place(size: float) -> float:
        return round(MARGIN + (width - 2 * MARGIN) * share(size), 1)

    rows = {
        name: DrawnInterval(place(each.low), place(each.high), place(each.median))
        for name, each in bounds.items()
    }
    ticks = tuple(Tick(place(size), tick_text(size)) for size in sizes)
    return IntervalScale(ticks, rows, edge, width)


Axis = tuple[float, list[float], Callable[[float], float]]
"""Its edge, its ticks, and the share of the axis at which a size stands."""


def _linear(most: float) -> Axis:
    """From 0 to a round size."""
    step = tick_step(most, 4)
    count = max(1, math.ceil(most / step))
    return 0, [at * step for at in range(count + 1)], lambda size: size / (count * step)


def _logarithmic(most: float) -> Axis:
    """Two decades that end at 1 or 3 times a power of ten."""
    rounds = [factor * 10.0**power for power in range(-2, 9) for factor in (1, 3)]
    end = next(size for size in rounds if size >= most)
    edge = end / 10**DECADES

    def share(size: float) -> float:
        return math.log10(max(size, edge) / edge) / DECADES

    return edge, [size for size in rounds if edge * 0.999 <= size <= end], share
