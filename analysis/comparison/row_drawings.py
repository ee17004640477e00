"""Small drawings in rows of the leaderboard, in CSS pixels: intervals, and bars of verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from analysis.comparison.table import LeaderboardRow
from analysis.web.figures import Tick, tick_step, tick_text

# --- intervals --------------------------------------------------------------------------------
INTERVAL_WIDTH: Final = 180
MARGIN: Final = 6
SPREAD: Final = 20
"""Where the greatest bound is more than so many times the least median, a linear axis would hold
most of the medians within its first twentieth."""
DECADES: Final = 2  # of a logarithmic axis: what lies below is drawn at its edge


@dataclass(frozen=True, slots=True)
class DrawnInterval:
    low: float
    high: float
    dot: float


@dataclass(frozen=True, slots=True)
class IntervalScale:
    """The scale that all rows share, and one interval a row.

    edge  iterations below which a logarithmic axis draws everything at its edge; 0 of a linear one
    """

    ticks: tuple[Tick, ...]
    rows: Mapping[str, DrawnInterval]
    edge: float = 0
    width: int = INTERVAL_WIDTH


def intervals(entries: Sequence[LeaderboardRow]) -> IntervalScale:
    """Bootstrap intervals of the median absolute error on one scale.

    A method with too few series to be ranked has none: its bounds would decide the scale.
    """
    drawn = {entry.name: bounds for entry in entries if (bounds := _bounds(entry))}
    most = max((high for _, _, high in drawn.values()), default=1.0)
    least = min((dot for _, dot, _ in drawn.values()), default=1.0)
    edge, sizes, share = _logarithmic(most) if most > SPREAD * max(least, 0.5) else _linear(most)

    def place(size: float) -> float:
        return round(MARGIN + (INTERVAL_WIDTH - 2 * MARGIN) * share(size), 1)

    rows = {
        name: DrawnInterval(place(low), place(high), place(dot))
        for name, (low, dot, high) in drawn.items()
    }
    return IntervalScale(tuple(Tick(place(size), tick_text(size)) for size in sizes), rows, edge)


def _bounds(entry: LeaderboardRow) -> tuple[float, float, float] | None:
    """Lower bound, median, upper bound; None for who is not ranked, or has no interval."""
    d = entry.row.distances
    if entry.unranked or d.median_abs is None:
        return None
    if d.median_abs_low is None or d.median_abs_high is None:
        return None
    return d.median_abs_low, d.median_abs, d.median_abs_high


Scale = tuple[float, list[float], Callable[[float], float]]
"""Its edge, its ticks, and the share of the axis at which a size stands."""


def _linear(most: float) -> Scale:
    """From 0 to a round size."""
    step = tick_step(most, 4)
    count = max(1, math.ceil(most / step))
    return 0, [at * step for at in range(count + 1)], lambda size: size / (count * step)


def _logarithmic(most: float) -> Scale:
    """Two decades that end at 1 or 3 times a power of ten."""
    rounds = [factor * 10.0**power for power in range(-2, 9) for factor in (1, 3)]
    end = next(size for size in rounds if size >= most)
    edge = end / 10**DECADES

    def share(size: float) -> float:
        return math.log10(max(size, edge) / edge) / DECADES

    return edge, [size for size in rounds if edge * 0.999 <= size <= end], share


# --- verdict bars -----------------------------------------------------------------------------
BAR_WIDTH: Final = 208
ROOM_FOR_FIGURE: Final = 28


class VerdictSegment(NamedTuple):
    """One part of a bar; `text` is the share in percent where it fits."""

    kind: str
    cell: str
    x: float
    width: float
    text: str
    words: str


def verdict_bar(entry: LeaderboardRow) -> tuple[VerdictSegment, ...]:
    """Early, within, late, missed, as on a number line; nothing without steady series."""
    v = entry.row.verdicts
    shares = (
        ("early", "early", v.early_share),
        ("within", "agrees", v.agrees_share),
        ("late", "late", v.late_share),
        ("missed", "missed", v.missed_share),
    )
    found, x = [], 0.0
    for kind, cell, share in shares:
        if not share:
            continue
        width = share * BAR_WIDTH
        figure = f"{100 * share:.0f}" if width >= ROOM_FOR_FIGURE and kind != "missed" else ""
        words = f"{kind} {100 * share:.1f} %"
        found.append(
            VerdictSegment(kind, cell, round(x, 1), round(max(width - 1, 0.5), 1), figure, words)
        )
        x += width
    return tuple(found)
