"""Errors of several methods on one axis, each with its normal curve, mean and deviation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from analysis.comparison import bars
from analysis.comparison.bars import LEGEND, MARGIN
from analysis.comparison.figures import csv_file, series_list
from analysis.comparison.plots import HISTOGRAM_HEIGHT, normal_curve, signed_errors
from analysis.comparison.table import ComparisonResult
from analysis.methods.symbols import colour, dash
from analysis.statistics.answers import Floats
from analysis.statistics.histograms import ABOUT, Histogram, counted, round_step
from analysis.web.figures import (
    WHOLE_PAGE,
    FigureCell,
    FigureTable,
    Part,
    WebFigure,
    axis_words,
    lines,
    number_axis,
    upright,
)
from people.templatetags.writing import share, signed, whole

MOST: Final = 6  # of more, nobody tells the curves apart


@dataclass(frozen=True, slots=True)
class ErrorsTogether:
    """Which errors are drawn: `number` writes one, `heads` are those of its table after n.

    bounds  whether mean - 2 sd and mean + 2 sd are drawn; nothing lies below 0 of absolute errors
    """

    name: str
    label: str
    axis: str
    heads: Sequence[str]
    number: Callable[[float], str]
    bounds: bool


SIGNED: Final = ErrorsTogether(
    name="errors-together",
    label="Histograms of Δ of several methods, each with its normal curve",
    axis="Δ (iterations): early left, late right",
    heads=("mean Δ", "sd", "mean − 2 sd", "mean + 2 sd", "between"),
    number=signed,
    bounds=True,
)
ABSOLUTE: Final = ErrorsTogether(
    name="absolute-errors-together",
    label="Histograms of |Δ| of several methods, each with its normal curve",
    axis="|Δ| (iterations)",
    heads=("mean |Δ|", "sd"),
    number=whole,
    bounds=False,
)


def errors_together(compared: ComparisonResult) -> list[WebFigure]:
    """Of up to MOST methods with errors, the best first: Δ, and |Δ|; nothing without any."""
    values = {name: _known(compared, name) for name in _chosen(compared)}
    if not values:
        return []
    sizes = {name: np.abs(each) for name, each in values.items()}
    return [_together(compared, SIGNED, values), _together(compared, ABSOLUTE, sizes)]


def _together(
    compared: ComparisonResult, kind: ErrorsTogether, values: Mapping[str, Floats]
) -> WebFigure:
    """All in the same bins."""
    every = np.concatenate(list(values.values()))
    step = round_step(float(np.ptp(np.r_[every, 0.0])), ABOUT)
    found = {name: counted(each, step) for name, each in values.items()}
    low = min(each.edges[0] for each in found.values())
    high = max(each.edges[-1] for each in found.values())
    curves = {name: _curve(compared, kind, name, each) for name, each in found.items()}
    most = max(max(trace["y"]) for traces in curves.values() for trace in traces)
    return WebFigure(
        name=kind.name,
        label=kind.label,
        traces=[trace for traces in curves.values() for trace in traces],
        layout={
            "margin": MARGIN,
            **LEGEND,
            "xaxis": number_axis([low, high], 8),
            "yaxis": number_axis([0, 1.02 * most], 5),
            "shapes": [
                line for name in found for line in _lines(compared, kind, name, found[name])
            ],
            "annotations": [axis_words(kind.axis)],
        },
        table=FigureTable.of(
            ("Method", "n", *kind.heads),
            [_row(compared, kind, name, found[name], values[name]) for name in found],
        ),
        file=csv_file(compared, "histograms") if kind is SIGNED else "",
        height=HISTOGRAM_HEIGHT,
        most_width=WHOLE_PAGE,
        sentence=_sentence(compared, kind, found),
        methods={name: compared.entry(name).title for name in found},
    )


def _chosen(compared: ComparisonResult) -> list[str]:
    """Methods with errors, ranked ones first."""
    there = [each for each in compared.with_errors if each.kind == "method"]
    return [each.name for each in sorted(there, key=lambda each: each.rank or len(there) + 1)][
        :MOST
    ]


def _known(compared: ComparisonResult, name: str) -> Floats:
    values = signed_errors(compared, name)
    known: Floats = values[np.isfinite(values)]
    return known


def _curve(
    compared: ComparisonResult, kind: ErrorsTogether, name: str, found: Histogram
) -> list[Part]:
    """Counts as steps in the line of the method, and its normal curve dotted."""
    slot = compared.looks[name].slot
    mean = kind.number(found.mean or 0.0)
    steps = lines(
        [found.edges[0], *found.edges],
        [0, *found.counts, 0],
        {"shape": "hv", "width": 1.5, "color": colour(slot), "dash": dash(slot)},
        name=f"{compared.looks[name].code}: mean {mean}, sd {found.sd:.1f}",
        legendgroup=name,
    )
    normal = normal_curve(found, colour(slot), "1px,3px")
    return [steps, *({**each, "legendgroup": name, "showlegend": False} for each in normal)]


def _lines(
    compared: ComparisonResult, kind: ErrorsTogether, name: str, found: Histogram
) -> list[dict[str, Any]]:
    shade = colour(compared.looks[name].slot)
    if found.mean is None or found.two_sd is None:
        return []
    bounds = found.two_sd if kind.bounds else ()
    inside = [at for at in bounds if found.edges[0] <= at <= found.edges[-1]]
    return [
        upright(found.mean, shade, width=1.5),
        *(upright(at, shade, dash="2px,3px") for at in inside),
    ]


def _row(
    compared: ComparisonResult,
    kind: ErrorsTogether,
    name: str,
    found: Histogram,
    values: Floats,
) -> Sequence[FigureCell | str]:
    low, high = found.two_sd or (0.0, 0.0)
    inside = float(((values >= low) & (values <= high)).mean())
    return [
        compared.entry(name).title,
        FigureCell(whole(found.n), series_list(compared, cell="n", of=name)),
        kind.number(found.mean or 0.0),
        f"{found.sd:.1f}",
        *((signed(low), signed(high), share(inside)) if kind.bounds else ()),
    ]


def _sentence(
    compared: ComparisonResult, kind: ErrorsTogether, found: Mapping[str, Histogram]
) -> str:
    if kind is ABSOLUTE:
        return _absolute_sentence(compared, found)
    least = min(found, key=lambda name: found[name].sd or 0.0)
    there = sum(each.kind == "method" for each in compared.with_errors)
    left = there - len(found)
    beyond = f" {left} more are not drawn: choose methods above." if left else ""
    return (
        f"The errors of {compared.entry(least).title} scatter least, with a standard deviation of "
        f"{found[least].sd:.1f} iterations.{beyond}"
    )


def _absolute_sentence(compared: ComparisonResult, found: Mapping[str, Histogram]) -> str:
    """Who has the least mean, where all rest on equally many series."""
    n = sorted({each.n for each in found.values()})
    if len(n) > 1:
        return bars.not_comparable("Means", n)
    least = min(found, key=lambda name: found[name].mean or 0.0)
    title, mean = compared.entry(least).title, found[least].mean or 0.0
    return f"{title} has the least mean absolute error, {whole(mean)} iterations."
