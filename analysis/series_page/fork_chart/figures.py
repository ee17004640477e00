"""The figure: a line a fork, a diamond where the ground truth has its start."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from django.urls import reverse

from analysis.methods.symbols import colour, dash
from analysis.series_page.fork_chart.query import WINDOW, ForkChartQuery
from analysis.series_page.fork_chart.reads import ChartedFork, ForkChart
from analysis.statistics.answers import NEVER, Number
from analysis.web.figures import (
    WHOLE_PAGE,
    Part,
    WebFigure,
    axis_words,
    band,
    log_axis,
    number_axis,
    points,
    told,
    upright,
    words_at,
)
from people.templatetags.writing import si_unit, whole
from series.drawings import chart

HEIGHT, NARROW_HEIGHT = 420, 320
DIGITS: Final = 6  # of a height: more than pixels can show, and half of the bytes


def fork_figure(found: ForkChart, asked: ForkChartQuery) -> WebFigure:
    """A line or a mark opens the page of its fork."""
    benchmark = found.benchmark
    factor, unit = si_unit(max(map(abs, found.limits)), chart.axis_unit(benchmark.unit))
    chosen = next((each for each in found.forks if each.series.fork == asked.fork), None)
    return WebFigure(
        name="all-forks",
        label=f"Values of {whole(len(found.forks))} forks over iterations",
        traces=[
            *(_line(fork, at, factor, unit) for at, fork in enumerate(found.forks)),
            *_marks(found, factor, "ground truth", "diamond", _truths(found)),
            *_marks(found, factor, *_method_words(found, asked), _starts(found, asked)),
        ],
        layout={
            "margin": {"l": 72, "r": 16, "t": 24, "b": 44, "pad": 0},
            "xaxis": number_axis((found.begin, found.end), 8, fixedrange=False),
            "yaxis": _values_axis(found, asked, factor, unit),
            "hovermode": "closest",
            "shapes": list(_truth_shapes(found)),
            "annotations": [axis_words("iteration"), *_truth_words(found)],
        },
        table=None,
        sentence=_sentence(found),
        file=file_address(found, asked),
        height=HEIGHT,
        most_width=WHOLE_PAGE,
        meta={
            "raised": name_of(chosen) if chosen else "",
            "zooms": True,
            "window": [*WINDOW],
            "narrow": {"height": NARROW_HEIGHT},
        },
        methods={name_of(fork): f"Fork {fork.series.fork}" for fork in found.forks},
    )


def _values_axis(found: ForkChart, asked: ForkChartQuery, factor: float, unit: str) -> Part:
    limits = found.log_limits
    if asked.scale == "log" and limits is not None:
        low, high = (math.log10(each / factor) for each in limits)
        return log_axis((low, high), unit)
    ends = [each / factor for each in found.limits]
    return number_axis(ends, 6, ticksuffix=f" {unit}", showticksuffix="last")


def file_address(found: ForkChart, asked: ForkChartQuery) -> str:
    where = found.benchmark.dataset
    names = [where.study.slug, where.slug, found.benchmark.public_id]
    return reverse("benchmark-forks-file", args=names) + asked.query()


def name_of(fork: ChartedFork) -> str:
    return f"fork-{fork.series.fork}"


def _line(fork: ChartedFork, at: int, factor: float, unit: str) -> Part:
    words = f"Fork {fork.series.fork}<br>iteration %{{x}}<br>%{{y:.4g}} {unit}<extra></extra>"
    return {
        "type": "scatter",
        "mode": "lines",
        "x0": fork.line.first,
        "dx": fork.line.stretch,
        "y": [float(f"{each / factor:.{DIGITS}g}") for each in fork.line.y.tolist()],
        "legendgroup": name_of(fork),
        "line": {"color": colour(at), "dash": dash(at), "width": 1.2},
        "hovertemplate": words,
        "meta": {"address": fork.series.get_absolute_url(), "raises": True},
    }


Places = Mapping[str, Number]  # by the name of a fork


def _truths(found: ForkChart) -> Places:
    return {name_of(each): each.truth for each in found.forks if each.truth is not None}


def _starts(found: ForkChart, asked: ForkChartQuery) -> Places:
    said = ((each, each.starts.get(asked.method)) for each in found.forks)
    return {name_of(each): start for each, start in said if start is not None}


def _method_words(found: ForkChart, asked: ForkChartQuery) -> tuple[str, str]:
    look = found.methods.get(asked.method)
    return (look[0].code if look else "", "circle-open")


def _marks(
    found: ForkChart, factor: float, words: str, symbol: str, places: Places
) -> Iterator[Part]:
    """One mark a fork that becomes steady within the window, on its line."""
    shown = [
        (at, fork, places[name_of(fork)], height)
        for at, fork in enumerate(found.forks)
        if places.get(name_of(fork), NEVER) != NEVER
        and (height := fork.line.at(places[name_of(fork)])) is not None
    ]
    if not shown:
        return
    colours = [colour(at) for at, *_ in shown]
    edge = (
        {"width": 2, "color": colours}
        if symbol.endswith("open")
        else {"width": 1.5, "color": "var(--bg)"}
    )
    yield points(
        [start for _, _, start, _ in shown],
        [height / factor for *_, height in shown],
        {"symbol": symbol, "size": 10, "opacity": 1, "color": colours, "line": edge},
        ids=[name_of(fork) for _, fork, _, _ in shown],
        customdata=[fork.series.get_absolute_url() for _, fork, _, _ in shown],
        **told(
            [
                f"Fork {fork.series.fork}<br>{words}: steady from {whole(start)}"
                for _, fork, start, _ in shown
            ]
        ),
        meta={"raises": True},
    )


def _truth_shapes(found: ForkChart) -> Iterator[Part]:
    """The middle of the forks' starts, and a band from the least to the greatest."""
    truth = found.truth
    if truth is None or truth.middle is None:
        return
    if len(truth.steady) > 1:
        reach = band("y", xref="x", x0=truth.steady[0], x1=truth.steady[-1])
        yield {**reach, "fillcolor": "var(--hair)"}
    yield upright(truth.middle, "var(--ink)", dash="dot")


def _truth_words(found: ForkChart) -> list[Part]:
    truth = found.truth
    if truth is None or truth.middle is None or not found.begin <= truth.middle < found.end:
        return []
    right = truth.middle > (found.begin + found.end) / 2
    return [words_at(truth.middle, "benchmark", xanchor="right" if right else "left")]


def _sentence(found: ForkChart) -> str:
    lines = (
        "Every value is drawn."
        if found.stretch == 1
        else f"A line joins the medians of every {whole(found.stretch)} iterations: single spikes "
        "are hardly seen. Fewer iterations, or the page of a fork, show them."
    )
    truth = " Diamonds: ground truth of each fork." if _truths(found) else ""
    several = found.truth is not None and len(found.truth.steady) > 1
    band = " Dotted: the middle of them, on a band that holds all." if several else ""
    return lines + truth + band
