"""Geometry of the drawings of an exploration: coordinates only, in CSS pixels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from analysis.comparison.drawings import Tick
from analysis.statistics.answers import Floats
from analysis.statistics.sensitivity import IndexConvergence, SobolIndex
from analysis.web.figures import tick_step, tick_text

WIDTH: Final = 588


# --- Sobol' bars ------------------------------------------------------------------------------
LEFT: Final = 168  # of the bars: names of parameters stand before it
ROW: Final = 44
THICK: Final = 14


class IndexBar(NamedTuple):
    """One index: a bar from 0, its interval, and where a quarter of the samples put it."""

    y: float
    x: float
    width: float
    low: float
    high: float
    quarter: float | None
    words: str

    @property
    def middle(self) -> float:
        return self.y + THICK / 2


class IndexPair(NamedTuple):
    name: str
    y: float  # of the name
    total: IndexBar
    first: IndexBar


@dataclass(frozen=True, slots=True)
class IndexChart:
    pairs: tuple[IndexPair, ...]
    ticks: tuple[Tick, ...]
    zero: float
    height: float
    width: int = WIDTH
    thick: int = THICK

    @property
    def bottom(self) -> float:
        return self.height - 24


def bars(found: IndexConvergence) -> IndexChart:
    """A pair of bars a parameter, the largest total index first."""
    whole, quarter = found.whole, found.quarter
    indices = [*whole.total, *whole.first]
    low = min(0.0, *(each.low for each in indices))
    high = max(each.high for each in indices)
    step = tick_step(round((high - low) * 1000), 5) / 1000
    reach = (WIDTH - LEFT - 12) / max(high - low, 1e-9)

    def at(value: float) -> float:
        return LEFT + (value - low) * reach

    total, first = _by_name(whole.total), _by_name(whole.first)
    earlier_total = _by_name(quarter.total) if quarter else {}
    earlier_first = _by_name(quarter.first) if quarter else {}
    pairs = []
    for row, name in enumerate(whole.order):
        top = row * ROW + 4
        upper = _bar(total[name], earlier_total.get(name), top, at, "in all")
        lower = _bar(first[name], earlier_first.get(name), top + THICK + 2, at, "by itself")
        pairs.append(IndexPair(name, top + THICK + 5, upper, lower))
    count = math.floor(high / step) + 1
    start = math.ceil(low / step)
    ticks = tuple(Tick(at(k * step), _number(k * step)) for k in range(start, count))
    return IndexChart(tuple(pairs), ticks, at(0.0), len(pairs) * ROW + 28)


def _by_name(indices: Sequence[SobolIndex]) -> dict[str, SobolIndex]:
    return {each.names[0]: each for each in indices}


def _bar(
    index: SobolIndex, quarter: SobolIndex | None, y: float, at: Callable[[float], float], kind: str
) -> IndexBar:
    ends = sorted((at(0.0), at(index.value)))
    words = f"{index.names[0]}, {kind}: {index.value:.3f} ± {index.half_width:.3f}"
    if quarter is not None:
        words += f"; with a quarter of the samples {quarter.value:.3f}"
    return IndexBar(
        y=y,
        x=ends[0],
        width=max(ends[1] - ends[0], 1.0),
        low=at(index.low),
        high=at(index.high),
        quarter=None if quarter is None else at(quarter.value),
        words=words,
    )


def _number(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")


# --- Pareto front -----------------------------------------------------------------------------
HEIGHT: Final = 300
MARGIN_LEFT, MARGIN_BOTTOM, MARGIN_TOP, MARGIN_RIGHT = 56, 40, 8, 12
MOST_DOTS: Final = 400
MOST_POINTS: Final = 60
MOST: Final = 0.75  # of the sets lie within either side of the picture; the worst would squeeze it


class FrontPoint(NamedTuple):
    """A set that no other beats in both figures; `at` is its place among the complete sets."""

    at: int
    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class FrontDrawing:
    """Two figures of every set against each other.

    dots     path of zero-length lines, round at their ends: some of the sets that are beaten
    steps    the line below and left of which there is nothing
    beyond   sets outside of the picture; drawn: of the others, the dots
    """

    dots: str
    steps: str
    points: tuple[FrontPoint, ...]
    defaults: FrontPoint | None
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    beyond: int
    drawn: int
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def bottom(self) -> float:
        return HEIGHT - MARGIN_BOTTOM

    @property
    def left(self) -> float:
        return MARGIN_LEFT

    @property
    def right(self) -> float:
        return WIDTH - MARGIN_RIGHT


def front_of(x: Floats, y: Floats, front: Sequence[int], defaults: int) -> FrontDrawing:
    """x, y: a figure of each set, NaN where there is none; front: positions, by rising x."""
    judged = np.isfinite(x) & np.isfinite(y)
    shown = [*front, *([defaults] if judged[defaults] else [])]
    across, up = _scale(x[shown], x[judged]), _scale(y[shown], y[judged])
    inside = judged & (x <= across.most) & (y <= up.most) & (x >= across.least) & (y >= up.least)

    def place(at: int) -> tuple[float, float]:
        width, height = WIDTH - MARGIN_LEFT - MARGIN_RIGHT, HEIGHT - MARGIN_BOTTOM - MARGIN_TOP
        right = (float(x[at]) - across.least) / (across.most - across.least)
        top = (float(y[at]) - up.least) / (up.most - up.least)
        return round(MARGIN_LEFT + right * width, 1), round(
            HEIGHT - MARGIN_BOTTOM - top * height, 1
        )

    def point(at: int) -> FrontPoint:
        words = f"{tick_text(round(float(x[at]), 3))}, {tick_text(round(float(y[at]), 3))}"
        return FrontPoint(at, *place(at), words)

    beaten = np.setdiff1d(np.flatnonzero(inside), np.asarray(front))
    some = beaten[:: max(1, math.ceil(beaten.size / MOST_DOTS))]
    places = [place(at) for at in front]
    few = front[:: max(1, math.ceil(len(front) / MOST_POINTS))]
    return FrontDrawing(
        dots="".join(f"M{px} {py}h0" for px, py in map(place, some.tolist())),
        steps="".join(_stairs(places)),
        points=tuple(point(at) for at in few),
        defaults=point(defaults) if judged[defaults] else None,
        across=_ticks(across, WIDTH - MARGIN_LEFT - MARGIN_RIGHT, MARGIN_LEFT, 1),
        up=_ticks(up, HEIGHT - MARGIN_BOTTOM - MARGIN_TOP, HEIGHT - MARGIN_BOTTOM, -1),
        beyond=int(judged.sum() - inside.sum()),
        drawn=len(some),
    )


class _FrontScale(NamedTuple):
    least: float
    most: float
    step: float


def _scale(shown: Floats, everything: Floats) -> _FrontScale:
    """Round ends around what is shown and most of the rest, with room for a point at either end."""
    low = float(shown.min())
    high = max(float(shown.max()), float(np.quantile(everything, MOST)))
    room = max((high - low) * 0.08, abs(high) * 0.02, 0.5)
    step = tick_step(max(high - low + 2 * room, 1e-9) * 1000, 5) / 1000
    if (everything == np.rint(everything)).all():
        step = max(step, 1.0)  # counts have no halves
    least = max(0.0, math.floor((low - room) / step) * step)
    return _FrontScale(least, math.ceil((high + room) / step) * step, step)


def _ticks(scale: _FrontScale, length: float, start: float, way: int) -> tuple[Tick, ...]:
    count = round((scale.most - scale.least) / scale.step)
    return tuple(
        Tick(start + way * k * length / count, tick_text(round(scale.least + k * scale.step, 9)))
        for k in range(count + 1)
    )


def _stairs(places: Sequence[tuple[float, float]]) -> Iterator[str]:
    for at, (x, y) in enumerate(places):
        yield f"M{x} {y}" if at == 0 else f"H{x}V{y}"
