"""Path data of the three plots: integers in view boxes, stretched by the page.

A drawing of a million values is as small as one of some thousand: each column of the run
sequence keeps its least and greatest value, each cell of a lag plot how many pairs fall into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from analysis.statistics.dependence import Autocorrelation, Values, lag_pairs
from analysis.web.figures import tick_step, tick_text

Limits = tuple[float, float]

TAIL: Final = 0.005
PAD: Final = 0.04
LARGEST: Final = float(np.finfo(np.float64).max)


class AxisTick(NamedTuple):
    """A tick: its place in percent of the axis, and what it says."""

    percent: str
    text: str


def limits_of(values: Values, *, everything: bool) -> Limits:
    """The axis of the values: 99 % of them, or all; a little wider, never empty."""
    low, high = (
        (float(values.min()), float(values.max()))
        if everything
        else tuple(float(each) for each in np.quantile(values, [TAIL, 1 - TAIL]))
    )
    pad = 2 * PAD * (high / 2 - low / 2) or PAD * abs(high) or 1.0
    # Durations are never negative, so that an axis of them should not be either.
    return max(low - pad, 0.0 if low >= 0 else -LARGEST), min(high + pad, LARGEST)


def count_beyond(values: Values, limits: Limits) -> int:
    """How many values the axis cuts off; they are drawn at its edge."""
    return int(((values < limits[0]) | (values > limits[1])).sum())


def _levels(values: Values, limits: Limits, most: int) -> np.ndarray:
    """Places on an axis of 0 … `most`."""
    low, high = (each / 4 for each in limits)  # the distance of two giants is no float64
    return np.rint(np.clip((values / 4 - low) / (high - low), 0.0, 1.0) * most).astype(np.int64)


# --- run sequence -----------------------------------------------------------------------------
RUN_WIDTH, RUN_HEIGHT = 1200, 160
COLUMNS: Final = 600


@dataclass(frozen=True, slots=True)
class RunSequence:
    """x_i against i: the path, and ticks of both axes."""

    path: str
    across: Sequence[AxisTick]
    width: int = RUN_WIDTH
    height: int = RUN_HEIGHT


def run_sequence(values: Values, start: int, limits: Limits) -> RunSequence:
    """`values` from iteration `start` on; not empty."""
    places, kept = _columns(values)
    xs = np.rint(places * (RUN_WIDTH / max(values.size - 1, 1))).astype(np.int64)
    ys = RUN_HEIGHT - _levels(kept, limits, RUN_HEIGHT)
    path = "M" + "L".join(f"{x} {y}" for x, y in zip(xs.tolist(), ys.tolist(), strict=True))
    return RunSequence(path if values.size > 1 else f"{path}h1", _iterations(start, values.size))


def _columns(values: Values) -> tuple[np.ndarray, Values]:
    """Every value where there are few, else the extremes of each column in their order."""
    if values.size <= 2 * COLUMNS:
        return np.arange(values.size), values
    edges = values.size * np.arange(COLUMNS + 1) // COLUMNS
    found = [
        sorted({a + int(values[a:b].argmin()), a + int(values[a:b].argmax())})
        for a, b in pairwise(edges.tolist())
    ]
    places = np.array([place for column in found for place in column])
    return places, values[places]


def _iterations(start: int, count: int) -> list[AxisTick]:
    last = start + count - 1
    step = max(round(tick_step(count, 5)), 1)
    inner = range(-(-start // step) * step, last + 1, step)
    near = max(step / 3, count / 9)  # the ends are always said, so that what is next to them is not
    middle = [each for each in inner if start + near < each < last - near]
    return [
        _at((each - start) / max(count - 1, 1), tick_text(each)) for each in (start, *middle, last)
    ]


def _at(share: float, text: str) -> AxisTick:
    return AxisTick(f"{100 * share:.4g}%", text)


# --- lag plots --------------------------------------------------------------------------------
CELLS: Final = 72
CELL: Final = 2
LAG_SIZE: Final = CELLS * CELL
MANY: Final = (1, 4, 16)  # pairs in a cell: from so many on the next darker shade


@dataclass(frozen=True, slots=True)
class LagPlot:
    """Pairs (a lag earlier, now) on equal axes, as one path for each shade."""

    lag: int
    shades: Sequence[str]
    size: int = LAG_SIZE


def lag_plot(values: Values, lag: int, limits: Limits) -> LagPlot:
    """The plot of one lag, smaller than the number of values."""
    before, now = (_levels(each, limits, CELLS - 1) for each in lag_pairs(values, lag))
    counts = np.bincount((CELLS - 1 - now) * CELLS + before, minlength=CELLS**2)
    shade = np.searchsorted(MANY, counts, side="right")
    return LagPlot(lag, [_cells(shade == level) for level in range(1, len(MANY) + 1)])


def _cells(chosen: np.ndarray) -> str:
    """Strokes as wide as a cell through neighbours in a row, relative to the one before."""
    rows = chosen.reshape(CELLS, CELLS)
    edges = np.diff(np.pad(rows.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    starts, ends = np.argwhere(edges == 1), np.argwhere(edges == -1)
    parts, x, y = [], 0, 0
    for (row, first), (_, stop) in zip(starts.tolist(), ends.tolist(), strict=True):
        parts.append(f"m{CELL * (first - x)} {CELL * (row - y)}h{CELL * (stop - first)}")
        x, y = stop, row
    return f"M0 {CELL // 2}{''.join(parts)}" if parts else ""


# --- autocorrelation --------------------------------------------------------------------------
STEP: Final = 10
BAR_HEIGHT: Final = 150


@dataclass(frozen=True, slots=True)
class Correlogram:
    """Bars r_0 … r_H in a view box, those outside of the band apart from the others."""

    inside: str
    outside: str
    zero: int
    band: tuple[int, int]
    bartlett: str
    up: Sequence[AxisTick]
    across: Sequence[AxisTick]
    width: int
    height: int = BAR_HEIGHT


def correlogram_floor(found: Sequence[Autocorrelation]) -> float:
    """Where the axis begins that all of them share: it ends at 1."""
    least = min(min(float(each.r.min()), -each.band) for each in found)
    return max(-1.0, 1.15 * least)


def correlogram(found: Autocorrelation, floor: float, *, bartlett: bool) -> Correlogram:
    """The plot of one autocorrelation on the axis from `floor` to 1."""

    def y(value: float) -> int:
        return round(BAR_HEIGHT * (1 - (min(max(value, floor), 1) - floor) / (1 - floor)))

    zero = y(0)
    strokes = [f"M{STEP // 2 + STEP * h} {zero}V{y(r)}" for h, r in enumerate(found.r.tolist())]
    out = np.abs(found.r) > found.band
    out[0] = False
    ticks = [each / 2 for each in range(-2, 3) if each / 2 >= floor]
    width = STEP * (found.lags + 1)
    return Correlogram(
        inside="".join(s for s, is_out in zip(strokes, out, strict=True) if not is_out),
        outside="".join(s for s, is_out in zip(strokes, out, strict=True) if is_out),
        zero=zero,
        band=(y(found.band), y(-found.band) - y(found.band)),
        bartlett=_bartlett(found, y) if bartlett else "",
        up=[AxisTick(str(y(tick)), tick_text(tick)) for tick in ticks],
        across=[_at((STEP // 2 + STEP * h) / width, str(h)) for h in range(0, found.lags + 1, 5)],
        width=width,
    )


def _bartlett(found: Autocorrelation, y) -> str:  # type: ignore[no-untyped-def]  # a scale
    """Two staircases, above and below."""
    stairs = []
    for side in (1, -1):
        steps = "".join(f"V{y(side * each)}h{STEP}" for each in found.bartlett[1:].tolist())
        stairs.append(f"M{STEP} {y(side * float(found.bartlett[1]))}{steps}")
    return "".join(stairs)
