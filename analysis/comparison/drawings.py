"""Geometry of the drawings of a comparison: coordinates only, in CSS pixels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from analysis.comparison.table import LeaderboardRow
from analysis.methods.method_style import MethodStyle
from analysis.methods.symbols import is_open, shape
from analysis.statistics import RankTest
from analysis.web.figures import tick_step, tick_text

WIDTH: Final = 588  # half of a page of 1280, less gutters and the gap


class Tick(NamedTuple):
    at: float
    text: str


class PlacedLabel(NamedTuple):
    """A label: where its symbol stands, and its words."""

    x: float
    y: float
    text: str
    look: MethodStyle | None
    figure: str = ""

    @property
    def symbol(self) -> str:
        return shape(self.look.slot) if self.look and self.look.slot is not None else ""

    @property
    def classes(self) -> str:
        if self.look is None or self.look.slot is None:
            return "line-symbol"
        open_ = " line-symbol-open" if is_open(self.look.slot) else ""
        return f"line-symbol{open_} {self.look.symbol}"


# --- intervals in the leaderboard -------------------------------------------------------------
INTERVAL_WIDTH: Final = 180
MARGIN: Final = 6


@dataclass(frozen=True, slots=True)
class DrawnInterval:
    low: float
    high: float
    dot: float


@dataclass(frozen=True, slots=True)
class IntervalScale:
    """The scale that all rows share, and one interval a row."""

    ticks: tuple[Tick, ...]
    rows: Mapping[str, DrawnInterval]
    width: int = INTERVAL_WIDTH


def intervals(entries: Sequence[LeaderboardRow]) -> IntervalScale:
    """Bootstrap intervals of the median absolute error on one scale from 0.

    A method with too few series to be ranked has none: its bounds would decide the scale.
    """
    drawn = [entry for entry in entries if not entry.unranked]
    highs = [e.row.distances.median_abs_high for e in drawn]
    most = max((high for high in highs if high is not None), default=1.0)
    step = tick_step(most, 4)
    count = max(1, math.ceil(most / step))
    reach = (INTERVAL_WIDTH - 2 * MARGIN) / (count * step)
    ticks = tuple(Tick(MARGIN + k * step * reach, tick_text(k * step)) for k in range(count + 1))
    rows = {}
    for entry in drawn:
        d = entry.row.distances
        if d.median_abs is None or d.median_abs_low is None or d.median_abs_high is None:
            continue
        low, high, dot = (
            round(MARGIN + value * reach, 1)
            for value in (d.median_abs_low, d.median_abs_high, d.median_abs)
        )
        rows[entry.name] = DrawnInterval(low, high, dot)
    return IntervalScale(ticks, rows)


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


# --- average ranks ----------------------------------------------------------------------------
RANK_LEFT, RANK_RIGHT = 96, WIDTH - 96
RANK_TOP: Final = 26
CLIQUE_STEP: Final = 8
RANK_ROW: Final = 20


@dataclass(frozen=True, slots=True)
class RankedLabel:
    """A method's elbow from the axis to its label, on the left or right half."""

    look: MethodStyle
    path: str
    x: float
    label: PlacedLabel
    rank: PlacedLabel
    left: bool


class CliqueBar(NamedTuple):
    start: float
    end: float
    y: float


@dataclass(frozen=True, slots=True)
class RankDrawing:
    ticks: tuple[Tick, ...]
    bars: tuple[CliqueBar, ...]
    labels: tuple[RankedLabel, ...]
    height: float
    axis: int = RANK_TOP
    left: int = RANK_LEFT
    right: int = RANK_RIGHT
    width: int = WIDTH


def rank_drawing(test: RankTest, looks: Mapping[str, MethodStyle]) -> RankDrawing:
    """Axis of average ranks, bars of methods that are not told apart, labels in two halves."""
    ranks = {one.method: one.average_rank for one in test.methods}
    low, high = math.floor(min(ranks.values())), math.ceil(max(ranks.values()))
    high = max(high, low + 1)

    def x(rank: float) -> float:
        return round(RANK_LEFT + (RANK_RIGHT - RANK_LEFT) * (rank - low) / (high - low), 1)

    bars = tuple(
        CliqueBar(x(ranks[b[0]]) - 4, x(ranks[b[-1]]) + 4, RANK_TOP + 8 + CLIQUE_STEP * at)
        for at, b in enumerate(test.bars)
    )
    start = RANK_TOP + 24 + CLIQUE_STEP * len(bars)
    names = [one.method for one in test.methods]
    half = (len(names) + 1) // 2
    sides = [(names[:half], True), (list(reversed(names[half:])), False)]
    labels = tuple(
        _ranked_label(looks[name], x(ranks[name]), start + RANK_ROW * row, ranks[name], left=left)
        for side, left in sides
        for row, name in enumerate(side)
    )
    step = max(1, math.ceil((high - low) / 10))
    ticks = tuple(Tick(x(rank), str(rank)) for rank in range(low, high + 1, step))
    return RankDrawing(ticks, bars, labels, start + RANK_ROW * half)


def _ranked_label(look: MethodStyle, x: float, y: float, rank: float, *, left: bool) -> RankedLabel:
    end = RANK_LEFT - 4 if left else RANK_RIGHT + 4
    path = f"M{x} {RANK_TOP}V{y}H{end}"
    symbol = RANK_LEFT - 18 if left else RANK_RIGHT + 6
    figure = PlacedLabel(2 if left else WIDTH - 2, y, f"{rank:.2f}", None)
    return RankedLabel(look, path, x, PlacedLabel(symbol, y, look.code, look), figure, left)
