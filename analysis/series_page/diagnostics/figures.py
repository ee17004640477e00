"""Figures of what remains of a series after a cut: run sequence, lag plots, autocorrelation.

A figure of a million values is as small as one of some thousand: each column of the run sequence
keeps its least and greatest value, each cell of a lag plot how many pairs fall into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from django.urls import reverse

from analysis.comparison.columns import decimal
from analysis.statistics.serial_dependence import Autocorrelation, Values, lag_pairs
from analysis.web.figures import (
    WHOLE_PAGE,
    FigureTable,
    Part,
    Trace,
    WebFigure,
    axis_words,
    band,
    bars,
    drawn_digits,
    level,
    line_trace,
    number_axis,
    straight_line,
    typed_array,
    words_at,
)
from people.templatetags.writing import grouped, si_unit
from series.models import Series

Limits = tuple[float, float]

TAIL: Final = 0.005
PAD: Final = 0.04
LARGEST: Final = float(np.finfo(np.float64).max)


def value_limits(values: Values, *, shows_everything: bool) -> Limits:
    """The axis of the values: 99 % of them, or all; a little wider, never empty."""
    low, high = (
        (float(values.min()), float(values.max()))
        if shows_everything
        else tuple(float(quantile) for quantile in np.quantile(values, [TAIL, 1 - TAIL]))
    )
    pad = 2 * PAD * (high / 2 - low / 2) or PAD * abs(high) or 1.0
    # Durations are never negative, so that an axis of them should not be either.
    return max(low - pad, 0.0 if low >= 0 else -LARGEST), min(high + pad, LARGEST)


def count_beyond(values: Values, limits: Limits) -> int:
    """Count the values that lie beyond the axis."""
    return int(((values < limits[0]) | (values > limits[1])).sum())


# --- run sequence -----------------------------------------------------------------------------
COLUMNS: Final = 600


def run_sequence(
    series: Series, values: Values, start: int, limits: Limits, sentence: str
) -> WebFigure:
    """x_i against i, `values` from iteration `start` on; not empty."""
    factor, unit = si_unit(limits[1], series.benchmark.unit)
    value_indices, extremes = column_extremes(values)
    return WebFigure(
        name="run-sequence",
        label="Run sequence",
        traces=[extremes_line(start + value_indices, extremes / factor, unit)],
        layout={
            "margin": {"l": 60, "r": 12, "t": 8, "b": 40},
            "hovermode": "x",
            "xaxis": number_axis([start, start + max(values.size - 1, 1)], 8),
            "yaxis": number_axis([limit / factor for limit in limits], 5, unit),
            "annotations": [axis_words("iteration")],
        },
        table=None,
        file=reverse("series-values", args=[series.benchmark.dataset.study.slug, series.public_id]),
        height=220,
        sentence=sentence,
        most_width=WHOLE_PAGE,
    )


def column_extremes(values: Values) -> tuple[np.ndarray, Values]:
    """Every value where there are few, else the extremes of each column in their order."""
    if values.size <= 2 * COLUMNS:
        return np.arange(values.size), values
    edges = values.size * np.arange(COLUMNS + 1) // COLUMNS
    columns = [
        sorted({a + int(values[a:b].argmin()), a + int(values[a:b].argmax())})
        for a, b in pairwise(edges.tolist())
    ]
    extreme_indices = np.array([value_index for column in columns for value_index in column])
    return extreme_indices, values[extreme_indices]


def extremes_line(iterations: np.ndarray, heights: Values, unit: str) -> Trace:
    """Line of the values of a series that are drawn."""
    return line_trace(
        iterations,
        drawn_digits(heights),
        {"width": 1, "color": "var(--series)"},
        hovertemplate=f"iteration %{{x:,}}: %{{y:.4r}} {unit}<extra></extra>",
    )


# --- lag plots --------------------------------------------------------------------------------
CELLS: Final = 72
SHADE_STARTS: Final = (1, 2, 3, 4, 7, 10, 13, 16)
"""Pairs in a cell from which on the shades `--heat-3` to `--heat-10` are drawn."""
FIRST_SHADE: Final = 3
GAP: Final = 0.04  # share of the width between two plots


def lag_plots(
    title: str, values: Values, acf: Autocorrelation, lags: Sequence[int], limits: Limits
) -> WebFigure:
    """Pairs (a lag earlier, now) on equal axes, a plot a lag; lags are fewer than the values."""
    counts = [lag_counts(values, lag, limits) for lag in lags]
    correlations = [decimal(acf.r[lag], 3) if lag <= acf.lags else "" for lag in lags]
    axes = [_plot_axes(plot_index, len(lags)) for plot_index in range(len(lags))]
    return WebFigure(
        name=f"lags-{title.replace(' ', '-')}",
        label=f"Lag plots {title}",
        traces=[
            trace
            for plot_index, pair_counts in enumerate(counts)
            for trace in shaded_cells(pair_counts, plot_index)
        ],
        layout={
            "margin": {"l": 0, "r": 0, "t": 36, "b": 4},
            "plot_bgcolor": "var(--surface)",
            **{name: axis for pair in axes for name, axis in pair.items()},
            "shapes": [_diagonal(plot_index) for plot_index in range(len(lags))],
            "annotations": [
                _plot_title(plot_index, f"lag {lag}" + (f"<br>r = {r}" if r else ""))
                for plot_index, (lag, r) in enumerate(zip(lags, correlations, strict=True))
            ],
        },
        table=FigureTable.from_rows(
            ["Lag", "Pairs", "Autocorrelation"],
            [
                [str(lag), grouped(values.size - lag), r or "–"]
                for lag, r in zip(lags, correlations, strict=True)
            ],
        ),
        height=180,
    )


def lag_counts(values: Values, lag: int, limits: Limits) -> np.ndarray:
    """Number of pairs in each cell: int64 (later, earlier), both rising."""
    low, high = (limit / 4 for limit in limits)  # the distance of two giants is no float64
    earlier_cells, later_cells = (
        np.rint(np.clip((partners / 4 - low) / (high - low), 0, 1) * (CELLS - 1)).astype(np.int64)
        for partners in lag_pairs(values, lag)
    )
    counts: np.ndarray = np.bincount(later_cells * CELLS + earlier_cells, minlength=CELLS**2)
    return counts.reshape(CELLS, CELLS)


def _axis_suffix(plot_index: int) -> str:
    return str(plot_index + 1) if plot_index else ""


def shaded_cells(counts: np.ndarray, plot_index: int) -> list[Trace]:
    """Rectangles of the cells with pairs, a trace a shade, on the axes of plot `plot_index`.

    Filled outlines, since the library that is served draws lines and bars alone.
    """
    shades = np.searchsorted(SHADE_STARTS, counts, side="right")
    runs, run_shades = shade_runs(shades)
    return [
        _shaded_trace(runs[:, run_shades == shade], shade - 1, plot_index)
        for shade in np.unique(run_shades).tolist()
    ]


def _shaded_trace(runs: np.ndarray, shade_index: int, plot_index: int) -> Trace:
    """Rectangles of runs, each from one corner to the other and back."""
    row_edges, run_starts, run_ends = runs - 0.5
    gap = np.full(row_edges.size, np.nan)
    return line_trace(
        typed_array(np.column_stack([run_starts, run_ends, run_starts, gap])),
        typed_array(np.column_stack([row_edges, row_edges + 1, row_edges, gap])),
        {"width": 0, "shape": "hv"},
        fill="toself",
        fillcolor=f"var(--heat-{FIRST_SHADE + shade_index})",
        hoveron="fills",
        text=_pair_count_words(shade_index),
        xaxis=f"x{_axis_suffix(plot_index)}",
        yaxis=f"y{_axis_suffix(plot_index)}",
    )


def shade_runs(shades: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Runs of cells with one shade above 0: (row, first, one past the last column), and shades."""
    rows, edges = np.nonzero(np.diff(np.pad(shades, ((0, 0), (1, 1))), axis=1))
    is_run = rows[1:] == rows[:-1]
    runs = np.array([rows[:-1], edges[:-1], edges[1:]])[:, is_run]
    run_shades = shades[runs[0], runs[1]]
    return runs[:, run_shades > 0], run_shades[run_shades > 0]


def _pair_count_words(shade_index: int) -> str:
    min_pairs = SHADE_STARTS[shade_index]
    if shade_index + 1 == len(SHADE_STARTS):
        return f"{min_pairs} pairs or more"
    max_pairs = SHADE_STARTS[shade_index + 1] - 1
    if min_pairs < max_pairs:
        return f"{min_pairs} to {max_pairs} pairs"
    return f"{min_pairs} pair{'s' if min_pairs > 1 else ''}"


def _plot_axes(plot_index: int, plot_count: int) -> dict[str, Any]:
    """Both axes of a square plot, the same for each."""
    width = (1 - (max(plot_count, 4) - 1) * GAP) / max(plot_count, 4)
    left_edge = plot_index * (width + GAP)
    bare_axis = {
        "range": [-0.5, CELLS - 0.5],
        "showticklabels": False,
        "ticks": "",
        "showgrid": False,
    }
    x_axis = {
        **bare_axis,
        "domain": [left_edge, left_edge + width],
        "showline": False,
        "constrain": "domain",
    }
    y_axis = {
        **bare_axis,
        "anchor": f"x{_axis_suffix(plot_index)}",
        "scaleanchor": f"x{_axis_suffix(plot_index)}",
    }
    y_axis |= {"constrain": "domain", "constraintoward": "top"}
    return {f"xaxis{_axis_suffix(plot_index)}": x_axis, f"yaxis{_axis_suffix(plot_index)}": y_axis}


def _diagonal(plot_index: int) -> Part:
    axis_ends, suffix = (-0.5, CELLS - 0.5), _axis_suffix(plot_index)
    axes = {"xref": f"x{suffix}", "yref": f"y{suffix}"}
    return {**straight_line(axis_ends, axis_ends, "var(--rule)"), "layer": "below", **axes}


def _plot_title(plot_index: int, title: str) -> Part:
    x, y = f"x{_axis_suffix(plot_index)} domain", f"y{_axis_suffix(plot_index)} domain"
    return words_at(0, title, xref=x, yref=y, xanchor="left", align="left")


# --- autocorrelation --------------------------------------------------------------------------
def lowest_correlation(correlations: Sequence[Autocorrelation], *, has_bartlett: bool) -> float:
    """Lower end of the axis that all correlograms share; it ends at 1."""
    widest_band = max(
        float(correlation.bartlett.max()) if has_bartlett else correlation.band
        for correlation in correlations
    )
    lowest_limit = min(-widest_band, *(float(correlation.r.min()) for correlation in correlations))
    return max(-1.0, 1.15 * lowest_limit)


def correlogram(title: str, acf: Autocorrelation, y_min: float, *, has_bartlett: bool) -> WebFigure:
    """Bars r_0 … r_H on the axis from `y_min` to 1, with the band of white noise."""
    lags, r = list(range(acf.lags + 1)), acf.r.tolist()
    noise_band = band("x", y0=-acf.band, y1=acf.band)
    outside_mask = [lag > 0 and abs(coefficient) > acf.band for lag, coefficient in enumerate(r)]
    return WebFigure(
        name=f"correlation-{title.replace(' ', '-')}",
        label=f"Autocorrelation {title}",
        traces=[
            bars(
                lags,
                [round(coefficient, 4) for coefficient in r],
                {"color": ["var(--ink)" if is_out else "var(--ink-3)" for is_out in outside_mask]},
                width=0.4,
                hovertemplate=f"lag %{{x}}: %{{y:.4f}}, band ±{acf.band:.4f}<extra></extra>",
            ),
            *(_bartlett(acf) if has_bartlett else ()),
        ],
        layout={
            "hovermode": "x",
            "xaxis": {**number_axis([-0.5, acf.lags + 0.5], 8), "showline": False},
            "yaxis": number_axis([y_min, 1.04], 5),
            "shapes": [noise_band, level(0, "var(--border)", -0.5, acf.lags + 0.5)],
            "annotations": [axis_words("lag")],
        },
        table=_correlation_table(acf, outside_mask),
        height=220,
        sentence=(
            f"Autocorrelation {title}: {grouped(acf.outside)} of {grouped(acf.lags)} bars outside "
            f"of ±{acf.band:.4f}; at lag 1 it is {decimal(acf.r[1], 3)}."
        ),
    )


def _bartlett(acf: Autocorrelation) -> list[Trace]:
    """Two staircases, above and below."""
    line = {"shape": "hvh", "width": 1, "color": "var(--ink-3)", "dash": "2px,3px"}
    lags, widths = list(range(1, acf.lags + 1)), acf.bartlett[1:].tolist()
    return [
        line_trace(lags, [round(sign * width, 5) for width in widths], line) for sign in (1, -1)
    ]


def _correlation_table(acf: Autocorrelation, outside_mask: Sequence[bool]) -> FigureTable:
    return FigureTable.from_rows(
        ["Lag", "r", "Outside", "Bartlett’s band"],
        [
            [
                str(lag),
                decimal(acf.r[lag], 4),
                "yes" if outside_mask[lag] else "",
                f"±{acf.bartlett[lag]:.4f}",
            ]
            for lag in range(1, acf.lags + 1)
        ],
    )
