"""Trends as drawings: what the chart's script is told, and the small drawing of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from analysis.trend.sentences import label, pattern
from analysis.trend.table import BenchmarkTrend, DatasetTrends
from people.templatetags.writing import moment

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
        return round(EDGE + (WIDTH - 2 * EDGE) * (at - first) / span, 1)

    def y(value: float) -> float:
        room = HEIGHT - 2 * EDGE
        return round(
            HEIGHT - EDGE - room * ((value - low) / (high - low) if high > low else 0.5), 1
        )

    groups = [one for one in row.trend.groups if one.stop > first]
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


def trend_chart(found: DatasetTrends, row: BenchmarkTrend) -> dict[str, Any]:
    """What js/trend/page.js draws; times are ISO dates where the days are known."""
    assert row.trend is not None  # noqa: S101  # the page asks only then
    unit = row.benchmark.unit
    return {
        "unit": "s" if unit.split("/", 1)[0] == "s" else unit,
        "dated": found.dated,
        "x": [_place(found, row, at) for at in range(len(row.dots))],
        "results": [dot.result for dot in row.dots],
        "labels": [label(row, at) for at in range(len(row.dots))],
        "groups": [[one.start, one.stop, one.mean] for one in row.trend.groups],
        "jumps": [
            {
                "at": jump.at,
                "kind": jump.kind,
                "small": not jump.counts,
                "words": f"{jump.kind}, {pattern(row, jump)}",
            }
            for jump in row.trend.jumps
        ],
        "best": row.trend.best,
    }


def _place(found: DatasetTrends, row: BenchmarkTrend, at: int) -> str | int:
    when = row.dots[at].recording.measured_at
    return moment(when) if found.dated and when else at


@dataclass(frozen=True, slots=True)
class TrendDotLine:
    """One recording in the table of a benchmark's page; `trend` is the mean of its group."""

    at: int
    label: str
    when: str
    forks: int
    of: int
    result: float
    trend: float
    series: str
    change: str


def dot_lines(row: BenchmarkTrend) -> Sequence[TrendDotLine]:
    """The recordings, the newest first."""
    if row.trend is None:
        return ()
    levels = [one.mean for one in row.trend.groups for _ in range(one.size)]
    jumps = {jump.at: jump for jump in row.trend.jumps}
    return [
        TrendDotLine(
            at=at,
            label=label(row, at),
            when=moment(dot.recording.measured_at) if dot.recording.measured_at else "",
            forks=dot.forks,
            of=dot.of,
            result=dot.result,
            trend=levels[at],
            series=dot.series,
            change=jumps[at].kind if at in jumps else "",
        )
        for at, dot in reversed(list(enumerate(row.dots)))
    ]
