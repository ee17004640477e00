"""Small drawings in rows of the leaderboard, in CSS pixels: intervals, and bars of verdicts."""

from __future__ import annotations

from collections.abc import Sequence
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
    interval_by_name = {
        entry.name: bounds for entry in entries if (bounds := median_interval(entry))
    }
    return interval_scale(interval_by_name, width)


def median_interval(entry: LeaderboardRow) -> MedianInterval | None:
    """Interval of the median absolute error; None for a row without rank or interval."""
    median, low, high = (
        entry.figures[key] for key in ("median_abs", "median_abs_low", "median_abs_high")
    )
    if entry.unranked or median is None or low is None or high is None:
        return None
    return MedianInterval(low, median, high)


# --- verdict bars -----------------------------------------------------------------------------
BAR_WIDTH: Final = 208
ROOM_FOR_FIGURE: Final = 28
VERDICT_LISTS: Final = (
    ("early", "early"),
    ("agrees", "within"),
    ("late", "late"),
    ("missed", "missed"),
)
"""Names of the lists of series behind the parts of a bar, and what the parts are called."""


class VerdictSegment(NamedTuple):
    """One part of a bar; `text` is the share in percent where it fits."""

    kind: str
    list_name: str
    x: float
    width: float
    text: str
    words: str


def verdict_bar(entry: LeaderboardRow) -> list[VerdictSegment]:
    """Early, within, late, missed, as on a number line; nothing without steady series."""
    segments, x = [], 0.0
    for list_name, verdict in VERDICT_LISTS:
        share = entry.figures[f"{list_name}_share"]
        if not share:
            continue
        width = share * BAR_WIDTH
        text = f"{100 * share:.0f}" if width >= ROOM_FOR_FIGURE and verdict != "missed" else ""
        words = f"{verdict} {100 * share:.1f} %"
        inner_width = round(max(width - 1, 0.5), 1)
        segments.append(VerdictSegment(verdict, list_name, round(x, 1), inner_width, text, words))
        x += width
    return segments
