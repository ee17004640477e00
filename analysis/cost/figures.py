"""Testing time against error of the result: a symbol a method, crosses, and the front."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final
from urllib.parse import quote

from django.urls import reverse

from analysis.cost.plot_places import SIZE, Box, Inset, LabelledPoint, inset_of, label_sides
from analysis.cost.points import CostPoint, CostPoints, MedianEstimate
from analysis.cost.sentences import error_text, length_text
from analysis.cost.table import ComparisonCosts
from analysis.methods.symbols import colour, marker
from analysis.web.figures import (
    Ends,
    FigureTable,
    Part,
    WebFigure,
    axis_words,
    lines,
    log_axis,
    points,
    told,
    words_at,
)
from people.templatetags.writing import si_unit, whole

PLOT: Final = (732, 474)  # px at the widest
MARGIN: Final = {"l": 44, "r": 16, "t": 24, "b": 44, "pad": 0}
NARROW_HEIGHT: Final = 300
ROOM: Final = 0.08  # of the range, beyond the outermost points
LEAST_RANGE: Final = 0.6  # decades
CROSS: Final = 0.35  # opacity
INSET: Final = "wide"
"""The name of shapes that are left out where the plot is narrow: a list says it there."""


def cost_scatter(found: ComparisonCosts, drawn: CostPoints, query: str) -> WebFigure:
    """A symbol opens the benchmarks of its method; `query` is that of the page."""
    study = found.compared.yardstick.study.slug
    factor, unit = _time_unit(drawn)
    across = _ends([one.time.value / factor for one in drawn.all])
    up = _ends([100 * one.drawn_error for one in drawn.all])
    placed = [_placed(one, factor, (across, up), drawn) for one in drawn.points]
    truth = [_placed(one, factor, (across, up), drawn) for one in drawn.all[len(placed) :]]
    magnified = inset_of(placed, PLOT)
    named = _named_there(placed, magnified)
    sides = label_sides([*named, *(replace(one, first=True) for one in truth)], PLOT)
    file = reverse("cost-file", args=[study])
    return WebFigure(
        name="cost-scatter",
        label="Testing time against error of the result",
        traces=[
            *(_cross(one, factor) for one in drawn.all if one.reliable),
            _steps(drawn, factor, across, up),
            _symbols(drawn, factor, sides[: len(placed)]),
            *([_truth(drawn.truth, factor, sides[-1])] if drawn.truth else []),
            _ring(drawn.chosen, factor),
            *([_magnified(drawn, factor, magnified)] if magnified else []),
        ],
        layout={
            "margin": MARGIN,
            "xaxis": log_axis(across),
            "yaxis": log_axis(up),
            **(_inset_layout(magnified, (across, up)) if magnified else {}),
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
            "narrow": {"height": NARROW_HEIGHT},
        },
    )


def crowded(drawn: CostPoints) -> list[CostPoint]:
    """The methods of the inset, for a list where there is no room for it."""
    across = _ends([one.time.value for one in drawn.all])
    up = _ends([100 * one.drawn_error for one in drawn.all])
    placed = [_placed(one, 1.0, (across, up), drawn) for one in drawn.points]
    found = inset_of(placed, PLOT)
    return [drawn.points[at] for at in found.members] if found else []


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
    return lines(
        [*lengths, None, x.value / factor, x.value / factor],
        [_percent(one), _percent(one), None, *errors],
        {"width": 1, "color": _look(one)},
        opacity=CROSS,
    )


def _steps(drawn: CostPoints, factor: float, across: Ends, up: Ends) -> Part:
    """From the top down to the shortest, along the front, and on to the right end."""
    lengths = [one.time.value / factor for one in drawn.front]
    errors = [_percent(one) for one in drawn.front]
    return lines(
        [lengths[0], *lengths, 10 ** across[1]] if lengths else [],
        [10 ** up[1], *errors, errors[-1]] if errors else [],
        {"shape": "hv", "width": 1.5, "color": "var(--accent)"},
    )


def _symbols(drawn: CostPoints, factor: float, sides: Sequence[str]) -> Part:
    shown, front = drawn.points, drawn.front
    return points(
        [one.time.value / factor for one in shown],
        [_percent(one) for one in shown],
        {
            "size": [13 if one == drawn.chosen else 11 for one in shown],
            "opacity": 1,
            "symbol": [_symbol(one) for one in shown],
            "color": [_look(one) for one in shown],
        },
        mode="markers+text",
        ids=[one.look.name for one in shown],
        text=[one.look.code if side else "" for one, side in zip(shown, sides, strict=True)],
        textposition=[side or "middle right" for side in sides],
        textfont={
            "size": 12,
            "color": ["var(--ink)" if one in front else "var(--ink-2)" for one in shown],
            "weight": [600 if one in front else 400 for one in shown],
        },
        meta={"short": [one.look.code if one in front else "" for one in shown]},
        customdata=[quote(one.look.name, safe="") for one in shown],
        cliponaxis=False,
        **told([_words(one, in_seconds=drawn.in_seconds) for one in shown]),
    )


def _placed(
    one: CostPoint, factor: float, ends: tuple[Ends, Ends], drawn: CostPoints
) -> LabelledPoint:
    """In pixels of the plot at its widest, from the top left corner."""
    (left, right), (low, high) = ends
    x = (math.log10(one.time.value / factor) - left) / (right - left)
    y = (high - math.log10(_percent(one))) / (high - low)
    return LabelledPoint(x * PLOT[0], y * PLOT[1], one.look.code, one in drawn.front)


def _named_there(points: Sequence[LabelledPoint], inset: Inset | None) -> list[LabelledPoint]:
    """Without a label where the inset has it, but for those on the front."""
    members = inset.members if inset else ()
    return [
        replace(one, text="") if at in members and not one.first else one
        for at, one in enumerate(points)
    ]


def _truth(one: CostPoint, factor: float, side: str) -> Part:
    """The mark to reach: a test that begins to measure where the yardstick says."""
    words = f"{one.look.label}: the target"
    return points(
        [one.time.value / factor],
        [_percent(one)],
        {"size": 12, "symbol": "diamond", "color": "var(--ink)", "opacity": 1},
        mode="markers+text",
        text=[one.look.label],
        textposition=side,
        textfont={"size": 12, "color": "var(--ink)", "weight": 600},
        cliponaxis=False,
        **told([words]),
    )


# --- the inset --------------------------------------------------------------------------------
def _magnified(drawn: CostPoints, factor: float, inset: Inset) -> Part:
    """The symbols of the frame again, with labels, on axes of their own."""
    members = tuple(drawn.points[at] for at in inset.members)
    sides = label_sides(_in_inset(drawn, factor, inset), SIZE)
    whole_trace = _symbols(replace(drawn, points=members), factor, sides)
    meta = {**whole_trace["meta"], "wide": True}
    return {**whole_trace, "xaxis": "x2", "yaxis": "y2", "meta": meta}


def _in_inset(drawn: CostPoints, factor: float, inset: Inset) -> list[LabelledPoint]:
    """The members in pixels of the inset."""
    across = _ends([one.time.value / factor for one in drawn.all])
    up = _ends([100 * one.drawn_error for one in drawn.all])
    left, top, right, bottom = inset.frame
    found = []
    for at in inset.members:
        there = _placed(drawn.points[at], factor, (across, up), drawn)
        x = (there.x - left) / (right - left) * SIZE[0]
        y = (there.y - top) / (bottom - top) * SIZE[1]
        found.append(replace(there, x=x, y=y))
    return found


def _inset_layout(inset: Inset, ends: tuple[Ends, Ends]) -> Part:
    """Its axes, a ground that covers what lies behind, its frame, and two lines between them."""
    (left, right), (low, high) = ends
    x0, y0, x1, y1 = inset.frame
    across = [left + x / PLOT[0] * (right - left) for x in (x0, x1)]
    up = [high - y / PLOT[1] * (high - low) for y in (y1, y0)]
    place = _on_paper(inset.place)
    bare = {"type": "log", "visible": False, "fixedrange": True}
    ground = {
        "type": "rect",
        "xref": "x2",
        "yref": "y2",
        "layer": "below",
        "x0": 10 ** across[0],
        "x1": 10 ** across[1],
        "y0": 10 ** up[0],
        "y1": 10 ** up[1],
        "fillcolor": "var(--bg)",
        "line": {"width": 0},
    }
    return {
        "xaxis2": {**bare, "range": across, "domain": place[0], "anchor": "y2"},
        "yaxis2": {**bare, "range": up, "domain": place[1], "anchor": "x2"},
        "shapes": [
            {**ground, "name": INSET},
            _outline(inset.frame),
            _outline(inset.place),
            *(_guide(each) for each in inset.guides),
        ],
    }


def _on_paper(box: Box) -> tuple[list[float], list[float]]:
    """Ends across and up, as shares of the plot."""
    left, top, right, bottom = box
    across = [left / PLOT[0], right / PLOT[0]]
    return across, [1 - bottom / PLOT[1], 1 - top / PLOT[1]]


def _outline(box: Box) -> Part:
    (x0, x1), (y0, y1) = _on_paper(box)
    return _drawn_line("rect", (x0, y0, x1, y1))


def _guide(line: Box) -> Part:
    (x0, x1), (y1, y0) = _on_paper(line)
    return _drawn_line("line", (x0, y0, x1, y1))


def _drawn_line(kind: str, ends: Box) -> Part:
    names = dict(zip(("x0", "y0", "x1", "y1"), ends, strict=True))
    line = {"width": 1, "color": "var(--border)"}
    return {"type": kind, "xref": "paper", "yref": "paper", **names, "line": line, "name": INSET}


def _ring(one: CostPoint, factor: float) -> Part:
    """Around the chosen symbol; the script moves it."""
    line = {"width": 2, "color": "var(--accent)"}
    marker = {"size": 22, "symbol": "circle-open", "opacity": 1, "line": line}
    return points(
        [one.time.value / factor],
        [_percent(one)],
        {**marker, "color": "var(--accent)"},
        meta={"ring": True},
        hoverinfo="skip",
        cliponaxis=False,
    )


# --- words ------------------------------------------------------------------------------------
def _words(one: CostPoint, *, in_seconds: bool) -> str:
    """Time and error with their intervals, and how many series they rest on."""

    lengths = partial(length_text, in_seconds=in_seconds)
    nearly = "" if one.exact else "≈\u00a0"
    return (
        f"{one.look.label}<br>test {_with_ends(one.time, lengths)}"
        f"<br>error {nearly}{_with_ends(one.error, error_text)}"
        f"<br>n = {whole(one.series)} series of {whole(one.benchmarks)} benchmarks"
    )


def _with_ends(found: MedianEstimate, text: Callable[[float], str]) -> str:
    ends = _ends_text(found, text)
    return f"{text(found.value)} ({ends})" if ends else text(found.value)


def _ends_text(found: MedianEstimate, text: Callable[[float], str]) -> str:
    if found.low is None or found.high is None:
        return ""
    return f"{text(found.low)} to {text(found.high)}"


def _table(drawn: CostPoints) -> FigureTable:
    lengths = partial(length_text, in_seconds=drawn.in_seconds)
    return FigureTable.of(
        ["Method", "Test", "95 % interval", "Error", "95 % interval", "Series", "Benchmarks"],
        (
            (
                one.look.label,
                lengths(one.time.value),
                _ends_text(one.time, lengths) or "–",
                ("" if one.exact else "≈\u00a0") + error_text(one.error.value),
                _ends_text(one.error, error_text) or "–",
                whole(one.series),
                whole(one.benchmarks),
            )
            for one in drawn.points
        ),
    )
