"""The map of a plan: how exact the result is with so many forks and iterations of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from analysis.web.figures import (
    FigureKey,
    FigureTable,
    Part,
    Trace,
    WebFigure,
    axis_words,
    points,
    straight_line,
    ticks,
    words_at,
)
from analysis.web.heat_map import heat_bars
from detectors.planning.benchmark_plan import ITERATIONS, MOST_FORKS, BenchmarkPlan, Configuration
from detectors.planning.plan_words import duration_words
from people.templatetags.writing import grouped

ROWS: Final = 7
COLUMNS: Final = 8
ROW: Final = 29  # CSS pixels
NEAR: Final = 5  # rows and columns around the recommendation on a narrow page
NEAR_ROW: Final = 36  # CSS pixels
SHADES: Final = 10
FORKS_WORDS: Final = words_at(
    0, "forks", xref="paper", xanchor="right", xshift=-6, font={"color": "var(--ink-3)"}
)
MARGIN: Final = {"l": 44, "r": 8, "t": 24, "b": 44}


def exact_figure(
    plan: BenchmarkPlan | None, setup: Configuration | None = None
) -> WebFigure | None:
    """Around the recommendation, with `setup`'s configuration; None where there is none."""
    if plan is None or plan.recommended is None or plan.levels is None:
        return None
    recommendation = plan.recommended
    max_iterations = plan.levels.recorded - recommendation.warm_up
    possible_iterations = [
        choice for choice in ITERATIONS if choice <= max(max_iterations, recommendation.iterations)
    ]
    iterations = nearest_numbers(possible_iterations, recommendation.iterations, COLUMNS)
    forks = nearest_numbers([*range(2, MOST_FORKS + 1)], recommendation.forks, ROWS)
    cells = [[plan.configuration(recommendation.warm_up, m, f) for m in iterations] for f in forks]
    recommended_cell = (
        iterations.index(recommendation.iterations),
        forks.index(recommendation.forks),
    )
    bare_axis = {"showline": False, "ticks": "", "showgrid": False}
    dots = list(_today_dots(setup, iterations, forks))
    layout = {
        "margin": MARGIN,
        "xaxis": {
            **ticks([*range(len(iterations))], [grouped(column) for column in iterations]),
            **bare_axis,
            "range": [-0.5, len(iterations) - 0.5],
        },
        "yaxis": {
            **ticks([*range(len(forks))], [str(fork_count) for fork_count in forks]),
            **bare_axis,
            "range": [len(forks) - 0.5, -0.5],
        },
        "shapes": [*_edges(cells, plan.target), _frame(*recommended_cell)],
        "annotations": [axis_words("measured iterations a fork"), FORKS_WORDS],
        "uniformtext": {"mode": "hide", "minsize": 8},
    }
    phone_layout = _phone_layout(layout, recommended_cell)
    return WebFigure(
        name="exact",
        label="How exact the result is, by forks and measured iterations",
        traces=[_bars(cells), *dots],
        layout=layout,
        table=FigureTable.from_rows(
            ["forks", *map(grouped, iterations)],
            [[str(f), *map(percent, row)] for f, row in zip(forks, cells, strict=True)],
        ),
        sentence=_sentence(plan, recommendation, cells),
        keys=[*_keys(plan, cells), *(_today_key(trace, phone_layout) for trace in dots)],
        height=_height(ROW * len(forks)),
        most_width=620,
        meta={"narrow": phone_layout},
    )


def nearest_numbers(numbers: Sequence[int], middle: int, count: int) -> list[int]:
    """`count` of the numbers, with `middle` as near their middle as the ends allow."""
    begin = min(max(numbers.index(middle) - count // 2, 0), max(len(numbers) - count, 0))
    return list(numbers[begin : begin + count])


def _phone_layout(layout: Part, recommended_cell: tuple[int, int]) -> Part:
    """Layout changes for a phone: only the cells around the recommendation, each larger."""
    x_axis, y_axis = layout["xaxis"], layout["yaxis"]
    columns, rows = (
        nearest_numbers(axis["tickvals"], position, NEAR)
        for axis, position in zip((x_axis, y_axis), recommended_cell, strict=True)
    )
    return {
        "xaxis": {**x_axis, "range": [columns[0] - 0.5, columns[-1] + 0.5]},
        "yaxis": {**y_axis, "range": [rows[-1] + 0.5, rows[0] - 0.5]},
        "height": _height(NEAR_ROW * len(rows)),
    }


def _height(cells: int) -> int:
    return MARGIN["t"] + cells + MARGIN["b"]


def percent(configuration: Configuration) -> str:
    """Three digits: `0.990`, `5.00`, `12.1`, so that a column reads well."""
    return f"{100 * configuration.off:#.3g}".rstrip(".")


def _sentence(
    plan: BenchmarkPlan, best: Configuration, cells: Sequence[Sequence[Configuration]]
) -> str:
    sentence = (
        f"Percent that the result is off at the most, after {grouped(best.warm_up)} iterations of "
        "warm-up."
    )
    is_reached = _reaches_target(plan, cells)
    return sentence if is_reached else f"{sentence} Nothing here reaches {_target(plan)}."


def _reaches_target(plan: BenchmarkPlan, cells: Sequence[Sequence[Configuration]]) -> bool:
    return any(configuration.off <= plan.target for row in cells for configuration in row)


def _keys(plan: BenchmarkPlan, cells: Sequence[Sequence[Configuration]]) -> Iterator[FigureKey]:
    if _reaches_target(plan, cells):
        yield FigureKey("line", f"{_target(plan)} is reached")
    yield FigureKey("frame", "the nearest in reach" if plan.lacking else "shortest test")


def _target(plan: BenchmarkPlan) -> str:
    return f"±{100 * plan.target:g} %"


def _bars(cells: Sequence[Sequence[Configuration]]) -> Trace:
    configurations = [configuration for row in cells for configuration in row]
    return heat_bars(
        len(cells[0]),
        _shades([configuration.off for configuration in configurations]),
        [percent(configuration) for configuration in configurations],
        [_words(configuration) for configuration in configurations],
    )


def _today_dots(
    setup: Configuration | None, iterations: Sequence[int], forks: Sequence[int]
) -> Iterator[Trace]:
    """A hollow dot between its neighbours, where the map reaches so far."""
    if (
        setup is None
        or setup.forks not in forks
        or not iterations[0] <= setup.iterations <= iterations[-1]
    ):
        return
    column_position = float(np.interp(setup.iterations, iterations, np.arange(len(iterations))))
    line = {"width": 2, "color": "var(--ink)"}
    yield points(
        [column_position],
        [forks.index(setup.forks)],
        {"symbol": "circle", "size": 11, "opacity": 1, "color": "var(--bg)", "line": line},
        hovertext=[f"As it was configured<br>{_words(setup)}"],
    )


def _today_key(dot: Trace, phone_layout: Part) -> FigureKey:
    x, y = phone_layout["xaxis"]["range"], phone_layout["yaxis"]["range"]
    (column_position,), (row_position,) = (dot.to_plotly_json()[name] for name in "xy")
    is_near = x[0] <= column_position <= x[1] and y[1] <= row_position <= y[0]
    return FigureKey("dot", "today", is_wide=not is_near)


def _words(config: Configuration) -> str:
    return (
        f"{config.forks} forks of {grouped(config.iterations)} iterations<br>±{percent(config)} "
        f"% in {duration_words(config.seconds)}"
    )


def _shades(errors: Sequence[float]) -> list[int]:
    """Shades by ratio: half as wide is as much of a step at 8 % as at 1 %; the darkest is most
    exact.
    """
    least_error, greatest_error = min(errors), max(errors)
    if greatest_error <= least_error:
        return [0] * len(errors)
    return [
        round(SHADES * (greatest_error / error - 1) / (greatest_error / least_error - 1))
        for error in errors
    ]


def _edges(cells: Sequence[Sequence[Configuration]], target: float) -> Iterator[Part]:
    """A line on the left and above of cells that reach the target beside cells that do not."""
    for row_index, row in enumerate(cells):
        for column_index, configuration in enumerate(row):
            if configuration.off > target:
                continue
            left, top = column_index - 0.5, row_index - 0.5
            if column_index and row[column_index - 1].off > target:
                yield straight_line((left, left), (top, top + 1), "var(--ink)", width=2)
            if row_index and cells[row_index - 1][column_index].off > target:
                yield straight_line((left, left + 1), (top, top), "var(--ink)", width=2)


def _frame(x: int, y: int) -> Part:
    ends = {"x0": x - 0.48, "x1": x + 0.48, "y0": y - 0.48, "y1": y + 0.48}
    return {"type": "rect", **ends, "line": {"color": "var(--accent)", "width": 3}}
