"""The small drawing of a benchmark's trend in a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analysis.trend.table import BenchmarkTrend

WIDTH: Final = 168
HEIGHT: Final = 28
EDGE: Final = 4
MOST_DOTS: Final = 80  # of a small drawing; it shows the newest ones


@dataclass(frozen=True, slots=True)
class TrendSparkline:
    """A row's drawing: dots, steps of the trend, and a ring at each change."""

    dots: str
    steps: str
    regressions: tuple[tuple[float, float], ...]
    progressions: tuple[tuple[float, float], ...]
    width: int = WIDTH
    height: int = HEIGHT


def trend_sparkline(row: BenchmarkTrend) -> TrendSparkline | None:
    """The newest dots; None where there is no trend."""
    if row.trend is None:
        return None
    first = max(len(row.dots) - MOST_DOTS, 0)
    results = [dot.result for dot in row.dots[first:]]
    low, high = min(results), max(results)

    def x(at: float) -> float:
        span = max(len(results) - 1, 1)
        place = EDGE + (WIDTH - 2 * EDGE) * (at - first) / span
        return round(min(max(place, EDGE), WIDTH - EDGE), 1)  # steps reach beyond the dots

    def y(value: float) -> float:
        room = HEIGHT - 2 * EDGE
        return round(
            HEIGHT - EDGE - room * ((value - low) / (high - low) if high > low else 0.5), 1
        )

    groups = [one for one in row.trend.groups if one.stop > first] if len(results) > 1 else []
    steps = "".join(
        f"M{x(max(one.start, first) - 0.4)} {y(one.mean)}H{x(one.stop - 0.6)}" for one in groups
    )
    dots = "".join(f"M{x(first + at)} {y(one)}h0" for at, one in enumerate(results))
    rings = {
        kind: tuple(
            (x(jump.at), y(row.dots[jump.at].result))
            for jump in row.trend.jumps
            if jump.kind == kind and jump.at >= first and jump.pattern != "small"
        )
        for kind in ("regression", "progression")
    }
    return TrendSparkline(dots, steps, rings["regression"], rings["progression"])
