"""Testing time against error of the result: a symbol a method, crosses, and the front."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

from django.urls import reverse

from analysis.cost.point_labels import LabelledPoint, label_sides
from analysis.cost.points import CostPoint, CostPoints, MedianEstimate
from analysis.cost.sentences import error_text, length_text
from analysis.cost.table import ComparisonCosts
from analysis.methods.symbols import colour, marker
from analysis.web.figures import (
    FigureCell,
    FigureTable,
    Part,
    WebFigure,
    axis_words,
    tick_text,
    ticks,
    words_at,
)
from people.templatetags.writing import si_unit, whole

PLOT: Final = (732, 474)  # px at the widest
MARGIN: Final = {"l": 44, "r": 16, "t": 24, "b": 44, "pad": 0}
NARROW_HEIGHT: Final = 300
ROOM: Final = 0.08  # of the range, beyond the outermost points
LEAST_RANGE: Final = 0.6  # decades
MOST_TICKS: Final = 7
CROSS: Final = 0.35  # opacity
Ends = tuple[float, float]


def cost_scatter(found: ComparisonCosts, drawn: CostPoints, query: str) -> WebFigure:
    """A symbol opens the benchmarks of its method; `query` is that of the page."""
    study = found.compared.yardstick.study.slug
    factor, unit = _time_unit(drawn)
    across = _ends([one.time.value / factor for one in drawn.points])
    up = _ends([100 * one.drawn_error for one in drawn.points])
    file = reverse("cost-file", args=[study])
    return WebFigure(
        name="cost-scatter",
        label="Testing time against error of the result",
        traces=[
            *(_cross(one, factor) for one in drawn.points if one.reliable),
            _steps(drawn, factor, across, up),
            _symbols(drawn, factor, (across, up)),
            _ring(drawn.chosen, factor),
        ],
        layout={
            "margin": MARGIN,
            "xaxis": _log_axis(across),
            "yaxis": _log_axis(up),
            "annotations": [
                axis_words(f"testing time of a series ({unit}), logarithmic"),
                words_at(
                    *(0, "error of the result (%), logarithmic"),
                    xref="paper",
                    xanchor="left",
                    xshift=-MARGIN["l"],
                ),
            ],
        },
        table=_table(drawn),
        file=f"{file}{query}&what=methods",
        height=PLOT[1] + MARGIN["t"] + MARGIN["b"],
        most_width=PLOT[0] + MARGIN["l"] + MARGIN["r"],
        meta={
            "href": reverse("cost-benchmarks", args=[study]) + f"{query}&of={{}}",
            "narrowHeight": NARROW_HEIGHT,
        },
    )


def _time_unit(drawn: CostPoints) -> tuple[float, str]:
    longest = max(one.time.value for one in drawn.points)
    return si_unit(longest, "s") if drawn.in_seconds else (1.0, "iterations")


# --- axes -------------------------------------------------------------------------------------
def _ends(numbers: Sequence[float]) -> Ends:
    """Decades around the numbers, with room for a symbol at either end."""
    low, high = math.log10(min(numbers)), math.log10(max(numbers))
    missing = max(0.0, LEAST_RANGE - (high - low)) / 2
    room = missing + ROOM * max(high - low, LEAST_RANGE)
    return low - room, high + room


def _log_axis(ends: Ends) -> dict[str, Any]:
    places = log_ticks(ends)
    return {**ticks(places, [tick_text(each) for each in places]), "type": "log", "range": ends}


def log_ticks(ends: Ends) -> list[float]:
    """Round numbers between two decades: 1, 2, 5 and so on, or fewer where those are many."""
    for steps in ((1, 1.5, 2, 3, 4, 5, 6, 8), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
        found = [
            float(f"{step * 10.0**power:.6g}")
            for power in range(math.floor(ends[0]), math.ceil(ends[1]) + 1)
            for step in steps
        ]
        inside = [each for each in found if ends[0] <= math.log10(each) <= ends[1]]
        if len(inside) <= MOST_TICKS:
            return inside
    return inside[:: math.ceil(len(inside) / MOST_TICKS)]


# --- what is drawn ----------------------------------------------------------------------------
def _look(one: CostPoint) -> str:
    return "var(--ink-3)" if one.usual else colour(one.look.slot)


def _symbol(one: CostPoint) -> str:
    """Its slot's; hollow with too few series."""
    symbol = marker(one.look.slot)
    return symbol if one.reliable or symbol.endswith("-open") else f"{symbol}-open"


def _percent(one: CostPoint) -> float:
    return 100 * one.drawn_error


def _cross(one: CostPoint, factor: float) -> Part:
    """The 95 % intervals of both medians."""
    x, y = one.time, one.error
    lengths = [end / factor for end in (x.low or x.value, x.high or x.value)]
    errors = [100 * max(end or 0.0, one.drawn_error * 1e-3) for end in (y.low, y.high)]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [*lengths, None, x.value / factor, x.value / factor],
        "y": [_percent(one), _percent(one), None, *errors],
        "line": {"width": 1, "color": _look(one)},
        "opacity": CROSS,
        "hoverinfo": "skip",
    }


def _steps(drawn: CostPoints, factor: float, across: Ends, up: Ends) -> Part:
    """From the top down to the shortest, along the front, and on to the right end."""
    lengths = [one.time.value / factor for one in drawn.front]
    errors = [_percent(one) for one in drawn.front]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [lengths[0], *lengths, 10 ** across[1]] if lengths else [],
        "y": [10 ** up[1], *errors, errors[-1]] if errors else [],
        "line": {"shape": "hv", "width": 1.5, "color": "var(--accent)"},
        "hoverinfo": "skip",
    }


def _symbols(drawn: CostPoints, factor: float, ends: tuple[Ends, Ends]) -> Part:
    points, front = drawn.points, drawn.front
    sides = label_sides([_placed(one, factor, ends, on_front=one in front) for one in points], PLOT)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "ids": [one.look.name for one in points],
        "x": [one.time.value / factor for one in points],
        "y": [_percent(one) for one in points],
        "marker": {
            "size": [13 if one == drawn.chosen else 11 for one in points],
            "opacity": 1,
            "symbol": [_symbol(one) for one in points],
            "color": [_look(one) for one in points],
        },
        "text": [one.look.code if side else "" for one, side in zip(points, sides, strict=True)],
        "textposition": [side or "middle right" for side in sides],
        "textfont": {
            "size": 12,
            "color": ["var(--ink)" if one in front else "var(--ink-2)" for one in points],
            "weight": [600 if one in front else 400 for one in points],
        },
        "meta": {"short": [one.look.code if one in front else "" for one in points]},
        "customdata": [quote(one.look.name, safe="") for one in points],
        "hovertext": [_words(one, in_seconds=drawn.in_seconds) for one in points],
        "hoverinfo": "text",
        "cliponaxis": False,
    }


def _placed(
    one: CostPoint, factor: float, ends: tuple[Ends, Ends], *, on_front: bool
) -> LabelledPoint:
    """In pixels of the plot at its widest, from the top left corner."""
    (left, right), (low, high) = ends
    x = (math.log10(one.time.value / factor) - left) / (right - left)
    y = (high - math.log10(_percent(one))) / (high - low)
    return LabelledPoint(x * PLOT[0], y * PLOT[1], one.look.code, on_front)


def _ring(one: CostPoint, factor: float) -> Part:
    """Around the chosen symbol; the script moves it."""
    line = {"width": 2, "color": "var(--accent)"}
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [one.time.value / factor],
        "y": [_percent(one)],
        "marker": {"size": 22, "symbol": "circle-open", "opacity": 1, "line": line,
                   "color": "var(--accent)"},
        "meta": {"ring": True},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }  # fmt: skip


# --- words ------------------------------------------------------------------------------------
def _words(one: CostPoint, *, in_seconds: bool) -> str:
    """Time and error with their intervals, and how many series they rest on."""

    def lengths(seconds: float) -> str:
        return length_text(seconds, in_seconds=in_seconds)

    nearly = "" if one.exact else "≈\u00a0"
    return (
        f"{one.look.label}<br>test {_with_ends(one.time, lengths)}"
        f"<br>error {nearly}{_with_ends(one.error, error_text)}"
        f"<br>n = {whole(one.series)} series of {whole(one.benchmarks)} benchmarks"
    )


def _with_ends(found: MedianEstimate, text: Any) -> str:
    if found.low is None or found.high is None:
        return str(text(found.value))
    return f"{text(found.value)} ({text(found.low)} to {text(found.high)})"


def _table(drawn: CostPoints) -> FigureTable:
    def ends(found: MedianEstimate, text: Any) -> str:
        return "–" if found.low is None else f"{text(found.low)} to {text(found.high)}"

    def lengths(seconds: float) -> str:
        return length_text(seconds, in_seconds=drawn.in_seconds)

    return FigureTable(
        ["Method", "Test", "95 % interval", "Error", "95 % interval", "Series", "Benchmarks"],
        [
            [
                FigureCell(one.look.label),
                FigureCell(lengths(one.time.value)),
                FigureCell(ends(one.time, lengths)),
                FigureCell(("" if one.exact else "≈\u00a0") + error_text(one.error.value)),
                FigureCell(ends(one.error, error_text)),
                FigureCell(whole(one.series)),
                FigureCell(whole(one.benchmarks)),
            ]
            for one in drawn.points
        ],
    )
