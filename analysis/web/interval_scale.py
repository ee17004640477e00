"""The axis of intervals that stand in rows, in pixels: linear, or logarithmic. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from analysis.web.figures import Tick, tick_step, tick_text

INTERVAL_WIDTH: Final = 180
MARGIN: Final = 6
SPREAD: Final = 4
"""Where the greatest bound is more than so many times the least one, a linear axis would give the
intervals of the best methods a quarter of its width or less."""
LEAST_BOUND: Final = 0.5  # iterations: a bound of 0 has no ratio
DECADES: Final = 2  # decades of a logarithmic axis, unless medians need more
FEW_DECADES: Final = 2.5  # decades up to which an axis has ticks at 3, 30, 300, too
MOST_TICKS: Final = 5
ROUND: Final = tuple(float(f"{factor}e{power}") for power in range(-2, 16) for factor in (1, 3))


class MedianInterval(NamedTuple):
    """A median with its bounds."""

    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True)
class DrawnInterval:
    """Places in pixels; `below` and `above` say that a part lies outside the axis."""

    low: float
    high: float
    dot: float
    below: bool = False
    above: bool = False


@dataclass(frozen=True, slots=True)
class IntervalScale:
    """The scale that all rows share, and one interval a row.

    edge, end  sizes at both ends; `edge` is 0 on a linear axis
    """

    ticks: tuple[Tick, ...]
    rows: Mapping[str, DrawnInterval]
    edge: float = 0
    width: int = INTERVAL_WIDTH
    end: float = 0

    @property
    def outside(self) -> str:
        """Words for drawn intervals that go on outside the axis; empty without any."""
        exceeded_sides = {
            f"below {tick_text(self.edge)}": any(row.below for row in self.rows.values()),
            f"above {tick_text(self.end)}": any(row.above for row in self.rows.values()),
        }
        return " or ".join(
            side_name for side_name, is_exceeded in exceeded_sides.items() if is_exceeded
        )


def interval_scale(
    bounds: Mapping[str, MedianInterval], width: int = INTERVAL_WIDTH
) -> IntervalScale:
    """All intervals on one scale that holds every median, and of the bounds what fits on it."""
    intervals = list(bounds.values())
    highest_bound = max((interval.high for interval in intervals), default=1.0)
    lowest_bound = max(min((interval.low for interval in intervals), default=1.0), LEAST_BOUND)
    axis = (
        _logarithmic_axis(intervals)
        if highest_bound > SPREAD * lowest_bound
        else _linear_axis(highest_bound)
    )

    def pixel_of(size: float) -> float:
        drawn_size = min(max(size, axis.edge), axis.end)
        return round(MARGIN + (width - 2 * MARGIN) * axis.share(drawn_size), 1)

    rows = {
        name: DrawnInterval(
            *(pixel_of(interval.low), pixel_of(interval.high), pixel_of(interval.median)),
            below=interval.low < axis.edge,
            above=interval.high > axis.end,
        )
        for name, interval in bounds.items()
    }
    ticks = tuple(Tick(pixel_of(size), tick_text(size)) for size in axis.ticks)
    return IntervalScale(ticks, rows, axis.edge, width, axis.end)


class IntervalAxis(NamedTuple):
    """Sizes at both ends and at the ticks; `share` of the axis at which a size stands."""

    edge: float
    end: float
    ticks: Sequence[float]
    share: Callable[[float], float]


def _linear_axis(highest_bound: float) -> IntervalAxis:
    """Linear axis from 0 to a round size."""
    step = tick_step(highest_bound, 4)
    tick_count = max(1, math.ceil(highest_bound / step))
    end = tick_count * step
    return IntervalAxis(
        0,
        end,
        [tick_number * step for tick_number in range(tick_count + 1)],
        lambda size: size / end,
    )


def _logarithmic_axis(intervals: Sequence[MedianInterval]) -> IntervalAxis:
    """Between 1 or 3 times powers of ten that hold all medians; two decades or more.

    One upper bound that lies far from every median does not widen the axis.
    """
    medians = [max(interval.median, LEAST_BOUND) for interval in intervals]
    highest_edge = max(size for size in ROUND if size <= min(medians))
    farthest_bound = max(highest_edge * 10**DECADES, max(medians) * 10)
    highs = [interval.high for interval in intervals if interval.high <= farthest_bound]
    end = next(size for size in ROUND if size >= max([*medians, *highs]))
    edge = min(highest_edge, max(size for size in ROUND if size <= end / 10**DECADES))
    decades = math.log10(end / edge)

    def share(size: float) -> float:
        return math.log10(max(size, edge) / edge) / decades

    return IntervalAxis(edge, end, _logarithmic_ticks(edge, end), share)


def _logarithmic_ticks(edge: float, end: float) -> Sequence[float]:
    """Round sizes on the axis; on a long one powers of ten alone, few enough for their texts."""
    sizes = [size for size in ROUND if edge <= size <= end]
    if math.log10(end / edge) <= FEW_DECADES:
        return sizes
    powers = [size for size in sizes if math.isclose(math.log10(size) % 1, 0)]
    return powers[:: math.ceil(len(powers) / MOST_TICKS)]
