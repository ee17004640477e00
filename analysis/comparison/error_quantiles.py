"""The signed error of every method as a figure: quantiles, early left, late right."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from analysis.comparison.error_plots import error_ticks, symlog
from analysis.comparison.figures import csv_file, pdf_file, series_list
from analysis.comparison.table import ComparisonResult, LeaderboardRow, error_curves
from analysis.methods.method_style import MethodStyle
from analysis.methods.symbols import colour, marker
from analysis.statistics.error_distributions import ErrorQuantiles
from analysis.web.figures import (
    FigureCell,
    FigureTable,
    Part,
    Trace,
    WebFigure,
    band,
    bars,
    points,
    rows_axis,
    upright,
)
from people.templatetags.writing import grouped, signed

ROW: Final = 26  # px of a row
MARGIN: Final = {"l": 44, "r": 8, "t": 8, "b": 28}
SYMBOLS_AT: Final = 1.1  # share of the axis, left of its end
QUANTILES: Final = ("5\u00a0%", "25\u00a0%", "median", "75\u00a0%", "95\u00a0%")
Strip = tuple[MethodStyle, ErrorQuantiles]


def error_strips(comparison: ComparisonResult) -> WebFigure:
    """5, 25, 50, 75 and 95 % on a symmetric logarithmic axis, rows as in the leaderboard.

    A row opens the series of its method on which both say steady; its symbol raises it.
    """
    curves = error_curves(comparison.inputs)
    rows = [
        _strip(entry, curves[entry.name][1]) for entry in comparison.entries if entry.name in curves
    ]
    strips = [row for row in rows if row[1].n]
    sizes = [abs(value) for _, quantiles in strips for value in _values(quantiles)]
    end = max(1.0, math.log10(1 + max(sizes, default=9)))
    row_positions = list(range(len(strips)))
    names = [look.name for look, _ in strips]
    hrefs = [series_list(comparison, cell="n", of=name) for name in names]
    trace_texts = {"ids": names, "hovertext": [_words(*row) for row in strips]}
    return WebFigure(
        name="signed-error",
        label="Quantiles of the signed error by method",
        traces=[
            *_traces(strips, row_positions, customdata=hrefs, **trace_texts),
            _symbols(strips, row_positions, -SYMBOLS_AT * end, **trace_texts),
        ],
        layout={
            "margin": MARGIN,
            "xaxis": {**error_ticks(end), "range": [-1.15 * end, 1.04 * end]},
            "yaxis": rows_axis([look.code for look, _ in strips]),
            "shapes": [*tolerance_band(comparison.one_tolerance, end), upright(0, "var(--border)")],
        },
        table=_table(strips, hrefs),
        file=csv_file(comparison, "errors"),
        pdf=pdf_file(comparison, "signed-error"),
        height=ROW * max(len(strips), 1) + MARGIN["t"] + MARGIN["b"],
        methods={look.name: look.label for look, _ in strips},
    )


def _strip(entry: LeaderboardRow, quantiles: ErrorQuantiles) -> Strip:
    assert entry.look is not None  # noqa: S101  # only methods have quantiles
    return entry.look, quantiles


def _values(quantiles: ErrorQuantiles) -> list[float]:
    values = (quantiles.q05, quantiles.q25, quantiles.q50, quantiles.q75, quantiles.q95)
    return [value for value in values if value is not None]


def _words(look: MethodStyle, quantiles: ErrorQuantiles) -> str:
    named_values = zip(QUANTILES, _values(quantiles), strict=True)
    figures = ", ".join(f"{name} {signed(value)}" for name, value in named_values)
    return f"{look.label}, {grouped(quantiles.n)} series: {figures}"


def _traces(
    strips: Sequence[Strip], row_positions: Sequence[int], **trace_texts: object
) -> Iterator[Trace]:
    """Traces from the least to the greatest quantile, of the middle half, and of the median."""
    strip_positions = [[symlog(value) for value in _values(quantiles)] for _, quantiles in strips]
    colours = [colour(look.slot) for look, _ in strips]
    for first, last, width, opacity in ((0, 4, 0.07, 1), (1, 3, 0.4, 0.3)):
        yield bars(
            [round(xs[last] - xs[first], 4) for xs in strip_positions],
            row_positions,
            {"color": colours, "opacity": opacity},
            base=[xs[first] for xs in strip_positions],
            orientation="h",
            width=width,
            **trace_texts,
        )
    ring = {"size": 8, "opacity": 1, "color": "var(--bg)", "line": {"width": 2, "color": colours}}
    yield points([xs[2] for xs in strip_positions], row_positions, ring, **trace_texts)


def _symbols(
    strips: Sequence[Strip], row_positions: Sequence[int], x: float, **trace_texts: object
) -> Trace:
    slots = [look.slot for look, _ in strips]
    symbol_style = {"size": 9, "symbol": [*map(marker, slots)], "color": [*map(colour, slots)]}
    return points([x] * len(strips), row_positions, symbol_style, **trace_texts)


def tolerance_band(tolerance: int | None, end: float) -> list[Part]:
    """The band of the tolerance, where all series have the same."""
    if tolerance is None:
        return []
    reach = min(symlog(tolerance), 1.04 * end)
    return [band("y", x0=-reach, x1=reach)]


def _table(strips: Sequence[Strip], hrefs: Sequence[str]) -> FigureTable:
    return FigureTable.from_rows(
        ["Method", "n", *QUANTILES],
        [
            [
                look.label,
                FigureCell(grouped(quantiles.n), href),
                *(signed(value) for value in _values(quantiles)),
            ]
            for (look, quantiles), href in zip(strips, hrefs, strict=True)
        ],
    )
