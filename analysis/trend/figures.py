"""The trend of a benchmark, large and small: a dot a recording, its steps, rings at changes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse

from analysis.statistics.answers import Floats
from analysis.trend.sentences import label, pattern
from analysis.trend.table import BenchmarkTrend, DatasetTrends
from analysis.trend.trials import run_trials
from analysis.web.figures import (
    WHOLE_PAGE,
    FigureCell,
    FigureTable,
    Part,
    Trace,
    WebFigure,
    line_trace,
    number_axis,
    points,
    straight_line,
    ticks,
)
from detectors.trends.trend import TrendChange
from people.templatetags.writing import grouped, moment, si, si_unit

PAD: Final = 0.05  # share of the range that stays free above and below
MANY: Final = 400  # number of dots from which on dots are small
MOST_LABELS: Final = 4  # labels of recordings without dates that fit on a phone
LONGEST: Final = 10  # most letters of such a label
LISTED: Final = 500
TRIALS_SENTENCE: Final = "Small dots are trials; bars are their standard deviation."
XPos = str | int
Halves = Sequence[float | None]


def trend_figure(dataset_trends: DatasetTrends, row: BenchmarkTrend) -> WebFigure | None:
    """A dot opens the first series of its recording; None for fewer than two of them."""
    if row.trend is None or len(row.dots) < 2:
        return None
    benchmark = row.benchmark
    study, dataset = benchmark.dataset.study.slug, benchmark.dataset.slug
    x_positions = [_x_position(dataset_trends, row, i) for i in range(len(row.dots))]
    trials = run_trials(row.benchmark, [dot.series for dot in row.dots])
    deviations = {dot_index: float(v.std()) for dot_index, v in trials.items()}
    halves = [deviations.get(i, half) for i, half in enumerate(row.half_widths)]
    results = [dot.result for dot in row.dots]
    heights = results if row.trend.best is None else [*results, row.trend.best]
    heights += [trial for trial_results in trials.values() for trial in trial_results.tolist()]
    factor, unit = si_unit(max(heights), benchmark.unit)
    series_address = reverse("series", args=[study, "x"]).removesuffix("x/") + "{}/"
    file_address = reverse("trend-file", args=[study, dataset, benchmark.public_id])
    return WebFigure(
        name="trend",
        label="Results over recordings",
        traces=[
            *_trials(row, x_positions, factor, trials),
            _dots(row, x_positions, factor, halves),
            _steps(row, x_positions, factor),
            *(_rings(row, x_positions, factor, change_kind) for change_kind in RINGS),
        ],
        layout={
            "margin": {"l": 68, "r": 16, "t": 8, "b": 44},
            "xaxis": _x_axis(dataset_trends, row, x_positions),
            "yaxis": number_axis(_y_range(heights, factor), 6, unit),
            "shapes": [] if row.trend.best is None else [_best_line(row.trend.best / factor)],
        },
        table=_table(row, study, halves, spread_head="Deviation" if trials else "95 %, ±"),
        file=file_address + dataset_trends.query.query(),
        pdf=file_address + dataset_trends.query.query(format="pdf"),
        height=320,
        sentence=TRIALS_SENTENCE if trials else "",
        most_width=WHOLE_PAGE,
        meta={"href": series_address, "zooms": True},
    )


def _x_position(dataset_trends: DatasetTrends, row: BenchmarkTrend, dot_index: int) -> XPos:
    measurement_time = row.dots[dot_index].recording.measured_at
    return moment(measurement_time) if dataset_trends.is_dated and measurement_time else dot_index


def _dots(row: BenchmarkTrend, x_positions: list[XPos], factor: float, halves: Halves) -> Trace:
    return points(
        x_positions,
        [dot.result / factor for dot in row.dots],
        {"size": 4 if len(x_positions) > MANY else 6, "color": "var(--series)"},
        **({} if len(x_positions) > MANY else _intervals(halves, factor)),
        customdata=[dot.series for dot in row.dots],
        hovertext=[
            _hover_words(row, dot_index, half_width) for dot_index, half_width in enumerate(halves)
        ],
    )


def _trials(
    row: BenchmarkTrend, x_positions: list[XPos], factor: float, trials: Mapping[int, Floats]
) -> list[Trace]:
    """A small dot for each trial of a run; no trace without any."""
    if not trials:
        return []
    pairs = [(dot_index, trial) for dot_index, v in trials.items() for trial in v.tolist()]
    return [
        points(
            [x_positions[dot_index] for dot_index, _ in pairs],
            [trial / factor for _, trial in pairs],
            {"size": 3, "color": "var(--soft)"},
            hovertext=[
                f"{label(row, dot_index)}: trial of {si(trial, row.benchmark.unit)}"
                for dot_index, trial in pairs
            ],
        )
    ]


def _intervals(halves: Halves, factor: float) -> Part:
    lengths = [0 if half_width is None else half_width / factor for half_width in halves]
    return {"error_y": {"array": lengths, "width": 0, "thickness": 1, "color": "var(--series)"}}


def _hover_words(row: BenchmarkTrend, dot_index: int, half_width: float | None) -> str:
    """One recording: when, result, trend, and the change that it began."""
    dot, unit, change = row.dots[dot_index], row.benchmark.unit, _change_by_dot(row).get(dot_index)
    moment_words = f", {moment(dot.recording.measured_at)}" if dot.recording.measured_at else ""
    half_width_words = "" if half_width is None else f" ± {si(half_width, unit)}"
    level_text = si(_levels(row)[dot_index], unit)
    words = (
        f"{label(row, dot_index)}{moment_words}: {si(dot.result, unit)}{half_width_words}, trend "
        f"{level_text}"
    )
    return words + (f"<br>{change.kind}, {pattern(row, change)}" if change else "")


def _levels(row: BenchmarkTrend) -> list[float]:
    """The mean of each recording's group."""
    return (
        [group.mean for group in row.trend.groups for _ in range(group.size)] if row.trend else []
    )


def _change_by_dot(row: BenchmarkTrend) -> dict[int, TrendChange]:
    return {change.at: change for change in row.trend.jumps} if row.trend else {}


def _steps(row: BenchmarkTrend, x_positions: list[XPos], factor: float) -> Trace:
    """Steps from the first to the last dot of each group; a group of one is a dash."""
    groups = row.trend.groups if row.trend else ()
    return line_trace(
        [
            edge
            for group in groups
            for edge in (x_positions[group.start], x_positions[group.stop - 1], None)
        ],
        [height for group in groups for height in (group.mean / factor, group.mean / factor, None)],
        {"width": 2.5, "color": "var(--ink)"},
        mode="lines+markers",
        marker={"symbol": "line-ew-open", "size": 9, "line": {"width": 2.5}},
    )


RINGS: Final = {
    "regression": ("circle-open", "var(--bad)"),
    "progression": ("diamond-open", "var(--good)"),
}


def _rings(row: BenchmarkTrend, x_positions: list[XPos], factor: float, change_kind: str) -> Trace:
    """Rings where the trend changed; small ones for changes that do not count."""
    jumps = [change for change in _change_by_dot(row).values() if change.kind == change_kind]
    symbol, colour = RINGS[change_kind]
    sizes = [14 if change.counts else 9 for change in jumps]
    ring = {"symbol": symbol, "opacity": 1, "size": sizes, "color": colour, "line": {"width": 2}}
    return points(
        [x_positions[change.at] for change in jumps],
        [row.dots[change.at].result / factor for change in jumps],
        ring,
        hoverinfo="skip",
    )


def _y_range(heights: list[float], factor: float) -> tuple[float, float]:
    low, high = min(heights) / factor, max(heights) / factor
    pad = PAD * (high - low) or PAD * abs(high) or 1.0
    return low - pad, high + pad


def _x_axis(
    dataset_trends: DatasetTrends, row: BenchmarkTrend, x_positions: list[XPos]
) -> dict[str, Any]:
    if dataset_trends.is_dated:
        return {"type": "date", "nticks": 8, "fixedrange": False}
    step = max(1, math.ceil(len(x_positions) / MOST_LABELS))
    labelled_indices = range(0, len(x_positions), step)
    labels = [label(row, dot_index) for dot_index in labelled_indices]
    short_names = [text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…" for text in labels]
    return {**ticks(list(labelled_indices), short_names), "fixedrange": False}


def _best_line(best_result: float) -> Part:
    line_ends = (best_result, best_result)
    line = straight_line((0, 1), line_ends, "var(--accent)", width=1.5, dash="dot")
    return {**line, "xref": "paper"}


def _table(row: BenchmarkTrend, study: str, halves: Halves, *, spread_head: str) -> FigureTable:
    """The newest recordings first; the file has all."""
    levels, changes, unit = _levels(row), _change_by_dot(row), row.benchmark.unit
    newest_dots = list(reversed(list(enumerate(row.dots))))[:LISTED]
    return FigureTable.from_rows(
        ["Recording", "Measured", "Forks", "Result", spread_head, "Trend", "Change"],
        [
            [
                FigureCell(label(row, dot_index), reverse("series", args=[study, dot.series])),
                moment(dot.recording.measured_at) if dot.recording.measured_at else "–",
                grouped(dot.fork_count)
                + ("" if dot.fork_count == dot.recorded_count else f" of {dot.recorded_count}"),
                si(dot.result, unit),
                "–" if (half_width := halves[dot_index]) is None else si(half_width, unit),
                si(levels[dot_index], unit),
                changes[dot_index].kind if dot_index in changes else "",
            ]
            for dot_index, dot in newest_dots
        ],
    )


# --- the small drawing in a list --------------------------------------------------------------
WIDTH: Final = 168
HEIGHT: Final = 28
EDGE: Final = 4
MOST_DOTS: Final = 80  # most dots of a sparkline, the newest ones


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
    first_index = max(len(row.dots) - MOST_DOTS, 0)
    results = [dot.result for dot in row.dots[first_index:]]
    low, high = min(results), max(results)

    def x(dot_index: float) -> float:
        span = max(len(results) - 1, 1)
        x_position = EDGE + (WIDTH - 2 * EDGE) * (dot_index - first_index) / span
        return round(min(max(x_position, EDGE), WIDTH - EDGE), 1)  # steps reach beyond the dots

    def y(value: float) -> float:
        room = HEIGHT - 2 * EDGE
        return round(
            HEIGHT - EDGE - room * ((value - low) / (high - low) if high > low else 0.5), 1
        )

    groups = (
        [group for group in row.trend.groups if group.stop > first_index]
        if len(results) > 1
        else []
    )
    steps = "".join(
        f"M{x(max(group.start, first_index) - 0.4)} {y(group.mean)}H{x(group.stop - 0.6)}"
        for group in groups
    )
    dots = "".join(
        f"M{x(first_index + dot_index)} {y(result)}h0" for dot_index, result in enumerate(results)
    )
    rings = {
        change_kind: tuple(
            (x(change.at), y(row.dots[change.at].result))
            for change in row.trend.jumps
            if change.kind == change_kind and change.at >= first_index and change.pattern != "small"
        )
        for change_kind in ("regression", "progression")
    }
    return TrendSparkline(dots, steps, rings["regression"], rings["progression"])
