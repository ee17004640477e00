"""Errors of several methods on one axis, each with its normal curve, mean and deviation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.comparison import stacked_bars
from analysis.comparison.error_plots import HISTOGRAM_HEIGHT, normal_curve, signed_errors
from analysis.comparison.figures import csv_file, pdf_file, series_list
from analysis.comparison.stacked_bars import MARGIN
from analysis.comparison.table import ComparisonResult
from analysis.methods.symbols import colour, dash
from analysis.statistics.answers import Floats
from analysis.statistics.histograms import ABOUT, Histogram, binned_histogram, round_step
from analysis.web.figures import (
    WHOLE_PAGE,
    FigureCell,
    FigureTable,
    Part,
    Trace,
    WebFigure,
    axis_words,
    line_trace,
    number_axis,
    upright,
)
from people.templatetags.writing import grouped, share, signed

MOST: Final = 6  # methods; more curves cannot be told apart


@dataclass(frozen=True, slots=True)
class ErrorsTogether:
    """Kind of errors to draw: `write_number` writes an error; `column_heads` follow n in its table.

    draws_bounds  whether mean ± 2 sd are drawn; nothing lies below 0 of absolute errors
    """

    name: str
    label: str
    axis: str
    column_heads: Sequence[str]
    write_number: Callable[[float], str]
    draws_bounds: bool


SIGNED: Final = ErrorsTogether(
    name="errors-together",
    label="Histograms of Δ of several methods, each with its normal curve",
    axis="Δ (iterations): early left, late right",
    column_heads=("mean Δ", "sd", "mean − 2 sd", "mean + 2 sd", "between"),
    write_number=signed,
    draws_bounds=True,
)
ABSOLUTE: Final = ErrorsTogether(
    name="absolute-errors-together",
    label="Histograms of |Δ| of several methods, each with its normal curve",
    axis="|Δ| (iterations)",
    column_heads=("mean |Δ|", "sd"),
    write_number=grouped,
    draws_bounds=False,
)


def error_figures(comparison: ComparisonResult) -> list[WebFigure]:
    """Figures of Δ and |Δ| of up to MOST methods with errors, the best first; none without
    errors.
    """
    names = _methods_with_errors(comparison)
    errors_by_name = {name: _known_errors(comparison, name) for name in names}
    if not errors_by_name:
        return []
    absolute_errors = {name: np.abs(errors) for name, errors in errors_by_name.items()}
    return [
        _joint_figure(comparison, SIGNED, errors_by_name),
        _joint_figure(comparison, ABSOLUTE, absolute_errors),
    ]


def _joint_figure(
    comparison: ComparisonResult, error_kind: ErrorsTogether, errors_by_name: Mapping[str, Floats]
) -> WebFigure:
    """All in the same bins."""
    all_errors = np.concatenate(list(errors_by_name.values()))
    step = round_step(float(np.ptp(np.r_[all_errors, 0.0])), ABOUT)
    histograms = {name: binned_histogram(errors, step) for name, errors in errors_by_name.items()}
    low = min(histogram.edges[0] for histogram in histograms.values())
    high = max(histogram.edges[-1] for histogram in histograms.values())
    curves = {
        name: _curve(comparison, error_kind, name, histogram)
        for name, histogram in histograms.items()
    }
    drawn_curves = [trace for traces in curves.values() for trace in traces]
    highest_y = max(max(trace.to_plotly_json()["y"]) for trace in drawn_curves)
    return WebFigure(
        name=error_kind.name,
        label=error_kind.label,
        traces=drawn_curves,
        layout={
            "margin": MARGIN,
            "showlegend": True,
            "xaxis": number_axis([low, high], 8),
            "yaxis": number_axis([0, 1.02 * highest_y], 5),
            "shapes": [
                line
                for name in histograms
                for line in _lines(comparison, error_kind, name, histograms[name])
            ],
            "annotations": [axis_words(error_kind.axis)],
        },
        table=FigureTable.from_rows(
            ("Method", "n", *error_kind.column_heads),
            [
                _histogram_row(comparison, error_kind, name, histograms[name], errors_by_name[name])
                for name in histograms
            ],
        ),
        file=csv_file(comparison, "histograms") if error_kind is SIGNED else "",
        pdf=pdf_file(comparison, error_kind.name),
        height=HISTOGRAM_HEIGHT,
        most_width=WHOLE_PAGE,
        sentence=_sentence(comparison, error_kind, histograms),
        methods={name: comparison.entry(name).title for name in histograms},
    )


def _methods_with_errors(comparison: ComparisonResult) -> list[str]:
    """Methods with errors, ranked ones first."""
    methods = [row for row in comparison.with_errors if row.kind == "method"]
    return [row.name for row in sorted(methods, key=lambda row: row.rank or len(methods) + 1)][
        :MOST
    ]


def _known_errors(comparison: ComparisonResult, name: str) -> Floats:
    values = signed_errors(comparison, name)
    finite_values: Floats = values[np.isfinite(values)]
    return finite_values


def _curve(
    comparison: ComparisonResult, error_kind: ErrorsTogether, name: str, histogram: Histogram
) -> list[Trace]:
    """Counts as steps in the line of the method, and its normal curve dotted."""
    slot = comparison.looks[name].slot
    mean = error_kind.write_number(histogram.mean or 0.0)
    steps = line_trace(
        [histogram.edges[0], *histogram.edges],
        [0, *histogram.counts, 0],
        {"shape": "hv", "width": 1.5, "color": colour(slot), "dash": dash(slot)},
        name=f"{comparison.looks[name].code}: mean {mean}, sd {histogram.sd:.1f}",
        legendgroup=name,
    )
    legend_fields = {"legendgroup": name, "showlegend": False}
    return [steps, *normal_curve(histogram, colour(slot), "1px,3px", **legend_fields)]


def _lines(
    comparison: ComparisonResult, error_kind: ErrorsTogether, name: str, histogram: Histogram
) -> list[Part]:
    shade = colour(comparison.looks[name].slot)
    if histogram.mean is None or histogram.two_sd is None:
        return []
    bounds = histogram.two_sd if error_kind.draws_bounds else ()
    inner_bounds = [bound for bound in bounds if histogram.edges[0] <= bound <= histogram.edges[-1]]
    return [
        upright(histogram.mean, shade, width=1.5),
        *(upright(bound, shade, dash="2px,3px") for bound in inner_bounds),
    ]


def _histogram_row(
    comparison: ComparisonResult,
    error_kind: ErrorsTogether,
    name: str,
    histogram: Histogram,
    method_errors: Floats,
) -> Sequence[FigureCell | str]:
    low, high = histogram.two_sd or (0.0, 0.0)
    inner_share = float(((method_errors >= low) & (method_errors <= high)).mean())
    return [
        comparison.entry(name).title,
        FigureCell(grouped(histogram.n), series_list(comparison, cell="n", of=name)),
        error_kind.write_number(histogram.mean or 0.0),
        f"{histogram.sd:.1f}",
        *((signed(low), signed(high), share(inner_share)) if error_kind.draws_bounds else ()),
    ]


def _sentence(
    comparison: ComparisonResult, error_kind: ErrorsTogether, histograms: Mapping[str, Histogram]
) -> str:
    if error_kind is ABSOLUTE:
        return _absolute_sentence(comparison, histograms)
    least_spread_name = min(histograms, key=lambda name: histograms[name].sd or 0.0)
    method_count = sum(row.kind == "method" for row in comparison.with_errors)
    undrawn_count = method_count - len(histograms)
    undrawn_words = (
        f" {undrawn_count} more are not drawn: choose fewer methods." if undrawn_count else ""
    )
    return (
        f"The errors of {comparison.entry(least_spread_name).title} scatter least, with a standard "
        "deviation of "
        f"{histograms[least_spread_name].sd:.1f} iterations.{undrawn_words}"
    )


def _absolute_sentence(comparison: ComparisonResult, histograms: Mapping[str, Histogram]) -> str:
    """Sentence of the least mean, where all means rest on equally many series."""
    counts = sorted({histogram.n for histogram in histograms.values()})
    if len(counts) > 1:
        return stacked_bars.incomparable_sentence("Means", counts)
    least_error_name = min(histograms, key=lambda name: histograms[name].mean or 0.0)
    title, mean = comparison.entry(least_error_name).title, histograms[least_error_name].mean or 0.0
    return f"{title} has the least mean absolute error, {grouped(mean)} iterations."
