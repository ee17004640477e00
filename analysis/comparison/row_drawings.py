"""Small drawings in rows of the leaderboard, in CSS pixels: intervals, and bars of verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from analysis.comparison.table import LeaderboardRow
from analysis.web.interval_scale import (
    INTERVAL_WIDTH,
    IntervalScale,
    MedianInterval,
    interval_scale,
)


# --- intervals --------------------------------------------------------------------------------
def intervals(entries: Sequence[LeaderboardRow], width: int = INTERVAL_WIDTH) -> IntervalScale:
    """Bootstrap intervals of the median absolute error on one scale.

    A method with too few series to be ranked has none: its bounds would decide the scale.
    """
    drawn = {entry.name: bounds for entry in entries if (bounds := median_interval(entry))}
    return interval_scale(drawn, width)


def median_interval(entry: LeaderboardRow) -> MedianInterval | None:
    """Interval of the median absolute error; None for a row without rank or interval."""
    d = entry.row.distances
    if entry.unranked or d.median_abs is None:
        return None
    if d.median_abs_low is None or d.median_abs_high is None:
        return None
    return MedianInterval(d.median_abs_low, d.median_abs, d.median_abs_high)


# --- verdict bars -----------------------------------------------------------------------------
BAR_WIDTH: Final = 208
ROOM_FOR_FIGURE: Final = 28


class VerdictSegment(NamedTuple):
    """One part of a bar; `text` is the share in percent where it fits, `href` lists its series."""

    kind: str
    href: str
    x: float
    width: float
    text: str
    words: str


def verdict_bar(entry: LeaderboardRow, listed: Callable[[str], str]) -> list[VerdictSegment]:
    """Early, within, late, missed, as on a number line; nothing without steady series.

    listed  the address of the series behind a figure
    """
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
        inner = round(max(width - 1, 0.5), 1)
        found.append(VerdictSegment(kind, listed(cell), round(x, 1), inner, figure, words))
        x += width
    return found
