"""The figure of a plan: every fork's first iterations, its start, and the warm-up of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from analysis.planner.reads import PlannedFork, PlanPage
from analysis.series_page.fork_chart.lines import fork_line
from analysis.web.figures import (
    FigureCell,
    FigureTable,
    Part,
    Trace,
    WebFigure,
    axis_words,
    band,
    line_trace,
    number_axis,
    rows_axis,
    upright,
    words_at,
)
from analysis.web.templatetags.results import shortage
from detectors.arrays.robust_range import robust_range
from detectors.intervals.steady_interval import precision_words
from people.templatetags.writing import grouped, si

ROW: Final = 31  # CSS pixels of a row
TALL: Final = 0.8  # share of a row that its bars fill
POINTS: Final = 240
MOST: Final = 30  # most forks that are drawn
SHOWN: Final = 3  # the axis shows so many times the warm-up
RESULT_HEADS: Final = ("fork", "steady from", "steady mean", "known to", "95 % interval")


def forks_figure(page: PlanPage, default: tuple[str, float] | None = None) -> WebFigure | None:
    """Figure of the forks of a plan; None where no warm-up is known.

    default  words and place of another warm-up, drawn where it is in view
    """
    plan = page.plan
    if plan is None or plan.warm_up is None:
        return None
    recommendation = plan.recommended
    warm_up = recommendation.warm_up if recommendation else plan.warm_up.iterations
    forks = page.forks[:MOST]
    begin = min(fork.measured_fork.recorded_from for fork in forks)
    recorded_end = max(fork.measured_fork.recorded_to for fork in forks)
    end = min(max(SHOWN * warm_up, 40, max(_starts(forks), default=0) * 3 // 2), recorded_end)
    names = [f"Fork {fork.series.fork}" for fork in forks]
    second_warm_up = default if default is not None and begin <= default[1] <= end else None
    return WebFigure(
        name="forks",
        label=f"Iterations {grouped(begin)} to {grouped(end)} of {grouped(len(forks))} forks",
        traces=[
            trace
            for fork_index, fork in enumerate(forks)
            for trace in _traces(fork, fork_index, end)
        ],
        layout={
            "margin": {"l": 60, "r": 56, "t": 24, "b": 44},
            "xaxis": number_axis((begin, end), 6),
            "yaxis": {**rows_axis(names), "ticks": "", "showline": False},
            "shapes": [
                band("y", x0=warm_up, x1=end),
                upright(warm_up, "var(--accent)", width=2),
                *(
                    []
                    if second_warm_up is None
                    else [upright(second_warm_up[1], "var(--ink-3)", dash="dot")]
                ),
            ],
            "annotations": [
                axis_words("iteration of the process" if begin else "iteration"),
                *_warm_up_words(warm_up, second_warm_up),
                *(_start_words(fork, fork_index) for fork_index, fork in enumerate(forks)),
            ],
        },
        table=FigureTable.from_rows(RESULT_HEADS, (_result_row(fork) for fork in page.forks)),
        sentence=_sentence(page),
        height=68 + ROW * len(forks),
        most_width=620,
    )


def _warm_up_words(warm_up: int, second_warm_up: tuple[str, float] | None) -> Iterator[Part]:
    """Words of both warm-ups, on the sides away from each other."""
    is_later = second_warm_up is not None and second_warm_up[1] > warm_up
    accent = {"color": "var(--accent)"}
    anchor = "right" if is_later else "left"
    yield words_at(warm_up, f"measure from {grouped(warm_up)}", xanchor=anchor, font=accent)
    if second_warm_up is not None:
        words = f"{second_warm_up[0]} {grouped(round(second_warm_up[1]))}"
        yield words_at(second_warm_up[1], words, xanchor="left" if is_later else "right")


def _starts(forks: Sequence[PlannedFork]) -> list[int]:
    return [fork.measured_fork.warm_up for fork in forks if fork.measured_fork.steady]


def _traces(fork: PlannedFork, fork_index: int, end: int) -> Iterator[Trace]:
    visible_iterations = max(end - fork.measured_fork.recorded_from, 1)
    line = fork_line(fork.measured_fork.values, 0, visible_iterations, POINTS)
    low, high = robust_range(fork.measured_fork.values[:visible_iterations])
    heights = np.clip((line.y - low) / ((high - low) or 1.0), 0, 1)
    yield line_trace(
        None,
        # The first row is on top: slow plans lie higher in their row.
        [float(f"{fork_index + TALL / 2 - TALL * height:.4f}") for height in heights.tolist()],
        {"color": "var(--ink-3)", "width": 1},
        x0=fork.measured_fork.recorded_from + line.first,
        dx=line.stretch,
    )
    if fork.measured_fork.steady:
        start = fork.measured_fork.warm_up
        yield line_trace(
            [start, start],
            [fork_index - TALL / 2, fork_index + TALL / 2],
            {"color": "var(--ink)", "width": 2.5},
            hovertext=f"Fork {fork.series.fork}: steady from {grouped(start)}",
        )


def _start_words(fork: PlannedFork, fork_index: int) -> Part:
    """The fork's start, behind the end of its row."""
    text = grouped(fork.measured_fork.warm_up) if fork.measured_fork.steady else "never"
    anchor = {"xref": "paper", "xanchor": "left", "xshift": 8, "yref": "y", "y": fork_index}
    return words_at(1, text, **{**anchor, "yanchor": "middle"}, font={"color": "var(--ink)"})


def _result_row(fork: PlannedFork) -> tuple[FigureCell | str, ...]:
    """Cells of a fork: its start, steady mean and interval, as on the page of its series."""
    name = FigureCell(f"Fork {fork.series.fork}", fork.series.get_absolute_url())
    result, unit = fork.result, fork.series.benchmark.unit
    if result is None:
        return name, "never", "", "", ""
    interval = result.interval
    ends = f"{si(interval.low, unit)} to {si(interval.high, unit)}" if interval.half else ""
    if interval.is_too_dependent:
        ends = f"none: worth {shortage(interval)} independent values"
    return name, grouped(fork.start), si(result.mean, unit), interval.precision_words, ends


def _sentence(page: PlanPage) -> str:
    sentence = "Each fork in its own range; a mark where it becomes steady."
    if len(page.forks) > MOST:
        sentence += f" The first {MOST} of {grouped(len(page.forks))} forks."
    return " ".join(part for part in (sentence, _precision_sentence(page.forks)) if part)


def _precision_sentence(forks: Sequence[PlannedFork]) -> str:
    """Sentence on how well the steady means are known; empty where no interval is."""
    results = [result for fork in forks if (result := fork.result) is not None]
    shares = [share for result in results if (share := result.interval.share) is not None]
    if not shares:
        return ""
    least, most = precision_words(min(shares)), precision_words(max(shares))
    words = least if least == most else f"{least} to {most}"
    if len(shares) == len(results):
        return f"Steady means are known to {words}."
    return f"{len(shares)} of {len(results)} steady means are known, to {words}."
