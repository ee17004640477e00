"""The figure: a line a fork, a diamond where the ground truth has its start."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from django.urls import reverse

from analysis.methods.symbols import colour, dash
from analysis.series_page.fork_chart.query import WINDOW
from analysis.series_page.fork_chart.reads import ChartedFork, ForkChart
from analysis.statistics.answers import NEVER, Number
from analysis.web.figures import (
    WHOLE_PAGE,
    Part,
    Trace,
    WebFigure,
    axis_words,
    band,
    drawn_digits,
    line_trace,
    log_axis,
    number_axis,
    points,
    upright,
    words_at,
)
from people.templatetags.writing import grouped, si_unit
from series.drawings import chart

HEIGHT, NARROW_HEIGHT = 420, 320


def fork_figure(fork_chart: ForkChart) -> WebFigure:
    """A line or a mark opens the page of its fork."""
    benchmark, query = fork_chart.benchmark, fork_chart.query
    factor, unit = si_unit(max(map(abs, fork_chart.limits)), chart.axis_unit(benchmark.unit))
    chosen_fork = next(
        (
            charted_fork
            for charted_fork in fork_chart.forks
            if charted_fork.series.fork == query.fork
        ),
        None,
    )
    return WebFigure(
        name="all-forks",
        label=f"Values of {grouped(len(fork_chart.forks))} forks over iterations",
        traces=[
            *(
                _line(fork, fork_index, factor, unit)
                for fork_index, fork in enumerate(fork_chart.forks)
            ),
            *_marks(fork_chart, factor, "ground truth", "diamond", _truth_by_fork(fork_chart)),
            *_marks(fork_chart, factor, *_method_mark(fork_chart), _start_by_fork(fork_chart)),
        ],
        layout={
            "margin": {"l": 72, "r": 16, "t": 24, "b": 44},
            "xaxis": number_axis((fork_chart.begin, fork_chart.end), 8, fixedrange=False),
            "yaxis": _values_axis(fork_chart, factor, unit),
            "shapes": list(_truth_shapes(fork_chart)),
            "annotations": [axis_words("iteration"), *_truth_words(fork_chart)],
        },
        table=None,
        sentence=_sentence(fork_chart),
        file=file_address(fork_chart),
        pdf=file_address(fork_chart, format="pdf"),
        height=HEIGHT,
        most_width=WHOLE_PAGE,
        meta={
            "raised": fork_name(chosen_fork) if chosen_fork else "",
            "zooms": True,
            "window": [*WINDOW],
            "narrow": {"height": NARROW_HEIGHT},
        },
        methods={fork_name(fork): f"Fork {fork.series.fork}" for fork in fork_chart.forks},
    )


def _values_axis(fork_chart: ForkChart, factor: float, unit: str) -> Part:
    limits = fork_chart.log_limits
    if fork_chart.query.scale == "log" and limits is not None:
        low, high = (math.log10(limit / factor) for limit in limits)
        return log_axis((low, high), unit)
    axis_ends = [limit / factor for limit in fork_chart.limits]
    return number_axis(axis_ends, 6, unit)


def file_address(fork_chart: ForkChart, **settings: str) -> str:
    dataset = fork_chart.benchmark.dataset
    address_parts = [dataset.study.slug, dataset.slug, fork_chart.benchmark.public_id]
    return reverse("benchmark-forks-file", args=address_parts) + fork_chart.query.query(**settings)


def fork_name(fork: ChartedFork) -> str:
    return f"fork-{fork.series.fork}"


def _line(fork: ChartedFork, fork_index: int, factor: float, unit: str) -> Trace:
    hover_text = f"Fork {fork.series.fork}<br>iteration %{{x}}<br>%{{y:.4g}} {unit}<extra></extra>"
    return line_trace(
        None,
        drawn_digits(fork.line.y / factor),
        {"color": colour(fork_index), "dash": dash(fork_index), "width": 1.2},
        x0=fork.line.first,
        dx=fork.line.stretch,
        legendgroup=fork_name(fork),
        hovertemplate=hover_text,
        meta={"address": fork.series.get_absolute_url(), "raises": True},
    )


Places = Mapping[str, Number]  # iteration by name of the fork


def _truth_by_fork(fork_chart: ForkChart) -> Places:
    return {
        fork_name(charted_fork): charted_fork.truth
        for charted_fork in fork_chart.forks
        if charted_fork.truth is not None
    }


def _start_by_fork(fork_chart: ForkChart) -> Places:
    method = fork_chart.query.method
    answers = ((fork, fork.starts.get(method)) for fork in fork_chart.forks)
    return {fork_name(fork): start for fork, start in answers if start is not None}


def _method_mark(fork_chart: ForkChart) -> tuple[str, str]:
    style_and_answers = fork_chart.methods.get(fork_chart.query.method)
    return (style_and_answers[0].code if style_and_answers else "", "circle-open")


def _marks(
    fork_chart: ForkChart, factor: float, source_label: str, symbol: str, start_by_fork: Places
) -> Iterator[Trace]:
    """One mark a fork that becomes steady within the window, on its line."""
    marked_forks = [
        (fork_index, fork, start_by_fork[fork_name(fork)], height)
        for fork_index, fork in enumerate(fork_chart.forks)
        if start_by_fork.get(fork_name(fork), NEVER) != NEVER
        and (height := fork.line.height_at(start_by_fork[fork_name(fork)])) is not None
    ]
    if not marked_forks:
        return
    colours = [colour(fork_index) for fork_index, *_ in marked_forks]
    marker_edge = (
        {"width": 2, "color": colours}
        if symbol.endswith("open")
        else {"width": 1.5, "color": "var(--bg)"}
    )
    yield points(
        [start for _, _, start, _ in marked_forks],
        [height / factor for *_, height in marked_forks],
        {"symbol": symbol, "size": 10, "opacity": 1, "color": colours, "line": marker_edge},
        ids=[fork_name(fork) for _, fork, _, _ in marked_forks],
        customdata=[fork.series.get_absolute_url() for _, fork, _, _ in marked_forks],
        hovertext=[
            f"Fork {fork.series.fork}<br>{source_label}: steady from {grouped(start)}"
            for _, fork, start, _ in marked_forks
        ],
        meta={"raises": True},
    )


def _truth_shapes(fork_chart: ForkChart) -> Iterator[Part]:
    """The middle of the forks' starts, and a band from the least to the greatest."""
    truth = fork_chart.truth
    if truth is None or truth.middle_start is None:
        return
    if len(truth.steady_starts) > 1:
        yield band(
            "y", x0=truth.steady_starts[0], x1=truth.steady_starts[-1], fillcolor="var(--hair)"
        )
    yield upright(truth.middle_start, "var(--ink)", dash="dot")


def _truth_words(fork_chart: ForkChart) -> list[Part]:
    truth = fork_chart.truth
    if (
        truth is None
        or truth.middle_start is None
        or not fork_chart.begin <= truth.middle_start < fork_chart.end
    ):
        return []
    is_right_half = truth.middle_start > (fork_chart.begin + fork_chart.end) / 2
    return [words_at(truth.middle_start, "benchmark", xanchor="right" if is_right_half else "left")]


def _sentence(chart: ForkChart) -> str:
    lines_sentence = (
        "Every value is drawn."
        if chart.stretch == 1
        else f"A line joins the medians of every {grouped(chart.stretch)} iterations: single "
        "spikes are hardly seen. Fewer iterations, or the page of a fork, show them."
    )
    truth_sentence = " Diamonds: ground truth of each fork." if _truth_by_fork(chart) else ""
    has_several = chart.truth is not None and len(chart.truth.steady_starts) > 1
    band_sentence = " Dotted: the middle of them, on a band that holds all." if has_several else ""
    return lines_sentence + truth_sentence + band_sentence
