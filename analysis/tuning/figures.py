"""Figures of an exploration: Sobol' indices, and two figures of every parameter set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from django.urls import reverse

from analysis.methods.method_style import style_of
from analysis.methods.symbols import colour
from analysis.statistics.answers import Floats
from analysis.statistics.sensitivity import IndexConvergence, SobolIndex
from analysis.statistics.tuning_objectives import OBJECTIVES
from analysis.tuning import page
from analysis.tuning.designs import stored_ranges
from analysis.tuning.page import HEADS, IndexRow, figure_text, figure_units
from analysis.tuning.query import ResultsChoice, ResultsQuery
from analysis.tuning.reads import DEFAULTS, ExplorationResults, exploration_goal
from analysis.web.figures import (
    FigureTable,
    Part,
    Trace,
    WebFigure,
    axis_words,
    bars,
    line_trace,
    number_axis,
    points,
    rows_axis,
    upright,
    words_at,
)
from people.templatetags.writing import grouped


def results_context(reading: ExplorationResults, results_query: ResultsQuery) -> dict[str, Any]:
    """Context of the results template: entries of `page`, and their figure."""
    exploration = reading.exploration
    choice = results_query.choice(exploration_goal(exploration), exploration.most_error)
    base_address = reverse("tuning-file", args=[exploration.study.slug, exploration.public_id])
    context = page.results_context(reading, choice)
    if "tuned" in context:
        file_address = base_address + results_query.query(what="front")
        return {**context, "figure": front_figure(reading, choice, file_address)}
    if "indices" in context and context["indices"].rows:
        file_address = base_address + results_query.query(what="indices")
        method_colour = colour(style_of(reading.exploration.method).slot)
        return {
            **context,
            "figure": index_bars(reading.sensitivity(choice.output), method_colour, file_address),
        }
    return context


# --- Sobol' indices ---------------------------------------------------------------------------
ROW: Final = 44  # px of a row
THICK: Final = 0.34  # share of a row that its bar fills
A_LETTER: Final = 7  # px of a letter
WIDEST: Final = 168  # px for names of parameters


def index_bars(convergence: IndexConvergence, method_colour: str, file: str) -> WebFigure:
    """A pair of bars a parameter, the largest total index first."""
    rows = page.index_rows(convergence)
    names = [row.name for row in rows]
    total_pairs = [(row.total, row.quarter_total) for row in rows]
    first_pairs = [(row.first, row.quarter_first) for row in rows]
    left_margin = min(WIDEST, 16 + A_LETTER * max(map(len, names), default=0))
    return WebFigure(
        name="sobol-indices",
        label="Total and first-order index of each parameter",
        traces=[
            *_index_bars(total_pairs, -THICK / 2, "in all", method_colour, 0.4),
            *_index_bars(first_pairs, THICK / 2, "by itself", method_colour, 1),
        ],
        layout={
            "margin": {"l": left_margin, "r": 12, "t": 4, "b": 40},
            "xaxis": number_axis(
                _index_range(convergence), 6, showgrid=True, gridcolor="var(--hair)"
            ),
            "yaxis": rows_axis(names),
            "shapes": [upright(0, "var(--border)")],
            "annotations": [axis_words("share of the variance")],
        },
        table=_index_table(rows),
        file=file,
        height=ROW * max(len(rows), 1) + 44,
    )


def _index_range(convergence: IndexConvergence) -> tuple[float, float]:
    """Least and greatest end of all intervals, with 0 and every ring between."""
    indices = [*convergence.whole.total, *convergence.whole.first]
    rings = (
        [index.value for index in (*convergence.quarter.total, *convergence.quarter.first)]
        if convergence.quarter
        else []
    )
    low = min(0.0, *rings, *(index.low for index in indices))
    high = max(0.0, *rings, *(index.high for index in indices))
    margin = 0.03 * (high - low or 1)
    return low - (margin if low < 0 else 0), high + margin


def _index_bars(
    pairs: Sequence[tuple[SobolIndex, SobolIndex | None]],
    shift: float,
    index_name: str,
    method_colour: str,
    opacity: float,
) -> list[Trace]:
    """Bars with their intervals, and a ring where a quarter of the samples puts each."""
    bar_positions = [row_index + shift for row_index in range(len(pairs))]
    intervals = {"array": [index.half_width for index, _ in pairs], "color": "var(--ink)"}
    index_trace = bars(
        [index.value for index, _ in pairs],
        bar_positions,
        {"color": method_colour, "opacity": opacity},
        orientation="h",
        width=THICK,
        error_x={**intervals, "thickness": 1.5, "width": 0},
        hovertext=[_index_words(*pair, index_name) for pair in pairs],
    )
    rings = [
        (quarter_index.value, y)
        for (_, quarter_index), y in zip(pairs, bar_positions, strict=True)
        if quarter_index
    ]
    x, y = [x for x, _ in rings], [y for _, y in rings]
    return [index_trace, points(x, y, _ring_marker(method_colour), hoverinfo="skip")]


def _ring_marker(method_colour: str) -> Part:
    return {
        "size": 8,
        "opacity": 1,
        "color": "var(--bg)",
        "line": {"width": 2, "color": method_colour},
    }


def _index_words(index: SobolIndex, quarter_index: SobolIndex | None, index_name: str) -> str:
    index_text = f"{index.names[0]}, {index_name}: {index.value:.3f} ± {index.half_width:.3f}"
    return index_text + (
        f"; a quarter of the samples {quarter_index.value:.3f}" if quarter_index else ""
    )


def _index_table(rows: Sequence[IndexRow]) -> FigureTable:
    heads = ["Parameter", "in all", "±", "by itself", "±", "in all, a quarter"]
    return FigureTable.from_rows(
        heads,
        [
            [
                row.name,
                *(
                    f"{figure:.3f}".replace("-", "−")
                    for index in (row.total, row.first)
                    for figure in (index.value, index.half_width)
                ),
                f"{row.quarter_total.value:.3f}" if row.quarter_total else "–",
            ]
            for row in rows
        ],
    )


# --- two figures of every set -----------------------------------------------------------------
MOST_DOTS: Final = 400
MOST_POINTS: Final = 60
MOST: Final = 0.75  # share of the sets that the axis holds; the worst would squeeze the picture
LISTED: Final = 100


def front_figure(reading: ExplorationResults, choice: ResultsChoice, file: str) -> WebFigure | None:
    """Two figures of the sets against each other; None where no set has both."""
    front = reading.front((choice.x, choice.y)).tolist()
    if not front:
        return None
    x, y = reading.figures[choice.x], reading.figures[choice.y]
    axis_ends = front_range(x, [*front, DEFAULTS]), front_range(y, [*front, DEFAULTS])
    is_inside = range_mask(x, axis_ends[0]) & range_mask(y, axis_ends[1])
    beaten_sets = np.setdiff1d(np.flatnonzero(is_inside), np.asarray(front))
    method_colour, units = (
        colour(style_of(reading.exploration.method).slot),
        figure_units(reading),
    )
    return WebFigure(
        name="pareto-front",
        label="Two figures of every set",
        traces=front_traces(
            reading, choice, (front, _thin_out(beaten_sets, MOST_DOTS)), method_colour
        ),
        layout={
            "margin": {"l": 60, "r": 12, "t": 24, "b": 44},
            "xaxis": number_axis(axis_ends[0], 6),
            "yaxis": number_axis(axis_ends[1], 6),
            "annotations": [
                axis_words(f"{HEADS[choice.x]}, {units[choice.x]}"),
                words_at(0, f"{HEADS[choice.y]}, {units[choice.y]}", xref="paper", xanchor="left"),
            ],
        },
        table=_front_table(reading, choice, front[:LISTED]),
        file=file,
        height=320,
        sentence=_front_sentence(front, x, y, is_inside),
    )


def front_range(values: Floats, set_indices: Sequence[int]) -> tuple[float, float]:
    """Around what is shown and most of the rest, with room for a point at either end."""
    shown_values, finite_values = values[list(set_indices)], values[np.isfinite(values)]
    shown_values = shown_values[np.isfinite(shown_values)]
    low, high = (
        float(shown_values.min()),
        max(float(shown_values.max()), float(np.quantile(finite_values, MOST))),
    )
    margin = max((high - low) * 0.08, abs(high) * 0.02, 0.5)
    return max(low - margin, -0.04 * (high + margin)), high + margin


def range_mask(values: Floats, axis_ends: tuple[float, float]) -> np.ndarray:
    is_within: np.ndarray = (
        np.isfinite(values) & (values >= axis_ends[0]) & (values <= axis_ends[1])
    )
    return is_within


def _thin_out(set_indices: np.ndarray, max_count: int) -> list[int]:
    thinned_indices: list[int] = set_indices[
        :: max(1, math.ceil(set_indices.size / max_count))
    ].tolist()
    return thinned_indices


def front_traces(
    reading: ExplorationResults,
    choice: ResultsChoice,
    front_and_beaten: tuple[Sequence[int], Sequence[int]],
    method_colour: str,
) -> list[Trace]:
    """Sets that are beaten, the steps of the front with its sets, and the defaults."""
    front, beaten_sets = front_and_beaten
    thinned_front = _thin_out(np.asarray(front), MOST_POINTS)
    default_sets = (
        [DEFAULTS] if np.isfinite(_coordinates(reading, choice, [DEFAULTS])).all() else []
    )
    front_x, front_y = _coordinates(reading, choice, front).tolist()
    grey = {"size": 5, "color": "var(--ink-3)", "opacity": 0.6}
    diamond = {"size": 11, "symbol": "diamond", "color": "var(--ink)"}
    return [
        _set_points(reading, choice, beaten_sets, grey),
        line_trace(front_x, front_y, {"shape": "hv", "width": 1.5, "color": method_colour}),
        _set_points(reading, choice, thinned_front, _ring_marker(method_colour)),
        _set_points(reading, choice, default_sets, diamond),
    ]


def _coordinates(
    reading: ExplorationResults, choice: ResultsChoice, set_indices: Sequence[int]
) -> Floats:
    """Both figures of some sets: float64 (2, places)."""
    figures = reading.figures
    return np.array([figures[choice.x][list(set_indices)], figures[choice.y][list(set_indices)]])


def _set_points(
    reading: ExplorationResults, choice: ResultsChoice, set_indices: Sequence[int], marker: Part
) -> Trace:
    x, y = _coordinates(reading, choice, set_indices).tolist()
    texts = [
        f"{_set_label(reading, set_index)}<br>"
        f"{HEADS[choice.x]} {figure_text(x_value)}, {HEADS[choice.y]} {figure_text(y_value)}"
        for set_index, x_value, y_value in zip(set_indices, x, y, strict=True)
    ]
    return points(x, y, marker, hovertext=texts)


def _set_label(reading: ExplorationResults, set_index: int) -> str:
    if set_index == DEFAULTS:
        return "defaults"
    return ", ".join(f"{name} {text}" for name, text in reading.parameter_texts(set_index).items())


def _front_sentence(front: Sequence[int], x: Floats, y: Floats, is_inside: np.ndarray) -> str:
    """Sentence that counts the sets drawn and the sets outside of the drawn range."""
    finite_count = int((np.isfinite(x) & np.isfinite(y)).sum())
    beyond_count = finite_count - int(is_inside.sum())
    outside_note = (
        f" {grouped(beyond_count)} are outside of the drawn range." if beyond_count else ""
    )
    noun = "set" if len(front) == 1 else "sets"
    return (
        f"Rings: {grouped(len(front))} {noun} of {grouped(finite_count)} on the Pareto front of "
        f"both; dots: all other sets; diamond: the defaults.{outside_note}"
    )


def _front_table(
    reading: ExplorationResults, choice: ResultsChoice, front: Sequence[int]
) -> FigureTable:
    parameter_names = [r.parameter.name for r in stored_ranges(reading.exploration)]
    scores = reading.scores(choice.weights, choice.most_error)
    rows = [page.set_row(reading, set_index, None, scores[set_index]) for set_index in front]
    return FigureTable.from_rows(
        [*parameter_names, "Score", *(HEADS[name] for name in OBJECTIVES)],
        [[*row.values.values(), figure_text(row.score), *row.cells] for row in rows],
    )
