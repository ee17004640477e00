"""Figures of errors that a comparison shows on demand: histograms, and a point a series."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from django.urls import reverse

from analysis.comparison import drilldown
from analysis.comparison.figures import csv_file, series_list
from analysis.comparison.inputs import ComparedSeries
from analysis.comparison.pairs import ChosenPair
from analysis.comparison.table import ComparisonResult
from analysis.methods.symbols import colour
from analysis.statistics.answers import Floats
from analysis.statistics.histograms import Histogram, histogram, normal_counts
from analysis.web.figures import (
    WIDTH,
    FigureCell,
    FigureTable,
    Part,
    WebFigure,
    axis_words,
    band,
    lines,
    points,
    tick_step,
    tick_text,
    ticks,
    told,
    upright,
    words_at,
)
from people.templatetags.writing import HARD, share, signed, whole

PLOT: Final = WIDTH - 56  # px between the margins, where the place is as wide as it can be
NARROW: Final = 40  # px that the words of two lines need between them
A_LETTER: Final = 7  # px
HISTOGRAM_HEIGHT: Final = 256
CURVE: Final = 121  # points of a curve
POINTS_HEIGHT: Final = 320
NO_TICKS: Final = {"showticklabels": False, "ticks": "", "showline": False}
FAR: Final = math.log10(1 + 100)
"""Where the axis of the errors by series reaches further, one iteration has no line of its own."""


# --- histograms -------------------------------------------------------------------------------
def error_histogram(compared: ComparisonResult, name: str) -> WebFigure:
    """Signed errors of one row of the leaderboard, both steady. Raises UnknownCell."""
    entry = compared.entry(name)
    values = signed_errors(compared, name)
    found = histogram(values)
    return _histogram(
        compared,
        found,
        {"cell": "error", "of": name},
        name="error-histogram",
        fill=colour(entry.look.slot) if entry.look else "var(--ink-3)",
        axis="Δ (iterations): early left, late right",
        curve=normal_curve(found),
        sentence=_error_sentence(entry.title, found, values),
    )


PAIRED: Final[Mapping[str, str]] = {
    "sooner": "{first} − {second} (iterations): {first} sooner left",
    "closer": "|Δ| of {first} − |Δ| of {second} (iterations): {first} closer left",
}


def difference_histogram(
    compared: ComparisonResult, pair: ChosenPair, names: tuple[str, str], figure: str, place: str
) -> WebFigure:
    """Paired differences of two methods, `sooner` of answers, `closer` of absolute errors."""
    found = drilldown.method_pair(compared, pair.first, pair.second)
    values = drilldown.paired_differences(compared, found, figure)
    bins = histogram(values)
    return _histogram(
        compared,
        bins,
        {"cell": figure, "of": pair.first, "other": pair.second},
        name=f"{place}-{figure}",
        fill="var(--within)",
        axis=PAIRED[figure].format(first=names[0], second=names[1]),
        sentence=_difference_sentence(names, figure, bins, values),
    )


def signed_errors(compared: ComparisonResult, name: str) -> Floats:
    """Signed errors of a row on the series of its distances, NaN elsewhere."""
    sides = compared.measured(name)
    if sides is None:
        raise drilldown.UnknownCell(f"no row {name!r}")
    delta: Floats = np.where(compared.result.scope.distances, sides.delta, np.nan)
    return delta


def _histogram(
    compared: ComparisonResult,
    found: Histogram,
    cell: Mapping[str, str],
    *,
    name: str,
    fill: str,
    axis: str,
    sentence: str,
    curve: Sequence[Part] = (),
) -> WebFigure:
    """Bars over iterations, each of which opens its series; mean and two sd to both sides.

    `cell` is that of all bars: its figure is narrowed to the bounds of each.
    """

    def of_bin(left: int, right: int) -> dict[str, str]:
        return {**cell, "cell": drilldown.bin_figure(cell["cell"], left, right)}

    low, high = _ends(found)
    bins = [
        (left, right, count, series_list(compared, **of_bin(left, right)))
        for left, right, count in zip(found.edges, found.edges[1:], found.counts, strict=False)
        if count
    ]
    uprights, words = _mean_lines(found, low, high)
    return WebFigure(
        name=name,
        label=f"Histogram of {axis}",
        traces=[_bars(bins, fill), *curve],
        layout={
            "hovermode": "x",
            **_histogram_axes(found),
            "shapes": uprights,
            "annotations": [axis_words(axis), *words],
        },
        table=FigureTable.of(
            ["Iterations", "Series"],
            [
                [_bin_words(left, right), FigureCell(whole(count), href)]
                for left, right, count, href in bins
            ],
        ),
        file=csv_file(compared, "series", **of_bin(low, high)),
        height=HISTOGRAM_HEIGHT,
        sentence=sentence,
    )


def _ends(found: Histogram) -> tuple[int, int]:
    return (found.edges[0], found.edges[-1]) if found.edges else (0, 1)


def _histogram_axes(found: Histogram) -> Part:
    low, high = _ends(found)
    step = tick_step(high - low, 6)
    places = [step * at for at in range(math.ceil(low / step), math.floor(high / step) + 1)]
    most = max(found.counts, default=1)
    every = max(1, tick_step(most, 4))
    counts = [every * at for at in range(int(most // every) + 1)]
    return {
        "xaxis": ticks(places, [tick_text(each) for each in places], range=[low, high]),
        "yaxis": ticks(counts, [tick_text(each) for each in counts], range=[0, most * 1.02]),
    }


def normal_curve(found: Histogram, shade: str = "var(--ink)", strokes: str = "solid") -> list[Part]:
    """The normal distribution of the same mean and deviation; none without a deviation."""
    if not found.edges:
        return []
    places = np.linspace(found.edges[0], found.edges[-1], CURVE)
    heights = normal_counts(found, places)
    if not heights.size:
        return []
    return [
        lines(
            [round(float(each), 2) for each in places],
            [round(float(each), 4) for each in heights],
            {"width": 1.5, "color": shade, "dash": strokes},
        )
    ]


def _bars(bins: Sequence[tuple[int, int, int, str]], fill: str) -> Part:
    return {
        "type": "bar",
        "x": [(left + right) / 2 for left, right, _, _ in bins],
        "y": [count for _, _, count, _ in bins],
        "width": [0.96 * (right - left) for left, right, _, _ in bins],
        "marker": {"color": fill},
        "customdata": [href for *_, href in bins],
        **told([f"{_bin_words(left, right)}: {count} series" for left, right, count, _ in bins]),
    }


def _bin_words(left: int, right: int) -> str:
    return f"{tick_text(left)} up to {tick_text(right)}"


def _mean_lines(
    found: Histogram, low: float, high: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lines of the mean, and of the bounds two sd away that lie within; words that have room."""
    if found.mean is None or found.two_sd is None:
        return [], []
    mean, (under, over) = found.mean, found.two_sd
    bounds = [(at, text) for at, text in ((under, "−2 sd"), (over, "+2 sd")) if low <= at <= high]
    told = [each for each in bounds if abs(each[0] - mean) * PLOT / (high - low) > NARROW]
    sides = [upright(at, "var(--ink-3)", dash="2px,3px") for at, _ in bounds]
    return (
        [upright(mean, "var(--ink)", width=1.5), *sides],
        [words_at(at, text) for at, text in ((mean, "mean"), *told)],
    )


def _error_sentence(title: str, found: Histogram, values: Floats) -> str:
    if found.mean is None or found.sd is None or found.two_sd is None:
        return f"{title} and the yardstick are both steady on no series."
    low, high = found.two_sd
    inside = float(((values >= low) & (values <= high)).sum()) / found.n
    side = "late" if found.mean > 0 else "early"
    return (
        f"{title} is {whole(abs(found.mean))} iterations {side} on average of {whole(found.n)} "
        f"series, standard deviation {found.sd:.1f}; mean{HARD}±{HARD}2{HARD}sd, "
        f"{signed(low)} to {signed(high)}, holds {share(inside)} of them."
    )


def _difference_sentence(
    names: tuple[str, str], figure: str, found: Histogram, values: Floats
) -> str:
    first, second = names
    if found.mean is None:
        return f"{first} and {second} are both steady on no series of the yardstick."
    known = values[np.isfinite(values)]
    middle, mean = float(np.median(known)), found.mean
    what = "closer" if figure == "closer" else "sooner"
    better = first if mean < 0 else second
    return (
        f"On average {better} is {whole(abs(mean))} iterations {what}; the median difference is "
        f"{signed(middle)}, on {whole(found.n)} series."
    )


# --- error by series --------------------------------------------------------------------------
def by_series(compared: ComparisonResult, name: str) -> WebFigure:
    """A point a series on a symmetric logarithmic axis: late above, early below.

    Series stand in the order of systems and names; each point opens its own.
    """
    entry, delta = compared.entry(name), signed_errors(compared, name)
    places = np.flatnonzero(np.isfinite(delta)).tolist()
    sizes = [float(delta[at]) for at in places]
    errors_of = {at: signed(size) for at, size in zip(places, sizes, strict=True)}
    end = max(1.0, math.log10(1 + max((abs(size) for size in sizes), default=9.0)))
    names = {at: _series_name(compared.lines[at]) for at in places}
    spans, system_names = _systems([compared.lines[at].system for at in places])
    address = reverse("series", args=[compared.yardstick.study.slug, "x"]).removesuffix("x/")
    query = compared.asked.query(**{"from": "series"}, cell="n", of=name)
    return WebFigure(
        name="error-by-series",
        label=f"Signed error of {entry.title} on every series",
        traces=[
            points(
                list(range(len(places))),
                [symlog(size) for size in sizes],
                {"size": 6, "color": colour(entry.look.slot if entry.look else None)},
                customdata=[compared.lines[at].public_id for at in places],
                **told([f"{names[at]}: {text}" for at, text in errors_of.items()]),
            )
        ],
        layout={
            "xaxis": {**NO_TICKS, "range": [-1, max(len(places), 1)]},
            "yaxis": {**error_ticks(end), "range": [-1.04 * end, 1.04 * end]},
            "shapes": [*_zone(compared.one_tolerance, end), *spans],
            "annotations": system_names,
        },
        table=FigureTable.of(
            ["Series", "Δ"],
            [
                [FigureCell(names[at], f"{address}{compared.lines[at].public_id}/{query}"), text]
                for at, text in errors_of.items()
            ],
        ),
        more=FigureCell("All of them as a list", series_list(compared, cell="n", of=name)),
        file=csv_file(compared, "series", cell="n", of=name),
        height=POINTS_HEIGHT,
        sentence=_series_sentence(entry.title, delta[places]),
        meta={"href": f"{address}{{}}/{query}"},
    )


def _series_name(line: ComparedSeries) -> str:
    params = f" {line.spoken_params}" if line.params else ""
    return f"{line.short_name}{params}, fork {line.fork}"


def symlog(error: float) -> float:
    """The place of an error on a symmetric logarithmic axis."""
    return round(math.copysign(math.log10(1 + abs(error)), error), 4)


def error_ticks(end: float) -> dict[str, Any]:
    """Decades to both sides of 0, up to `end`, a place on the axis."""
    first = 1 if end > FAR else 0
    decades = [10**k for k in range(first, 8) if math.log10(1 + 10**k) <= end]
    sizes = [*(-each for each in reversed(decades)), 0, *decades]
    texts = [f"+{tick_text(each)}" if each > 0 else tick_text(each) for each in sizes]
    return ticks([symlog(each) for each in sizes], texts)


def _zone(tolerance: int | None, end: float) -> list[dict[str, Any]]:
    """The band of the tolerance, where all series have the same; and the line of no error."""
    zero = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 0, "y1": 0}
    line = {**zero, "layer": "below", "line": {"color": "var(--border)", "width": 1}}
    if tolerance is None:
        return [line]
    reach = min(symlog(tolerance), 1.04 * end)
    return [band("x", y0=-reach, y1=reach), line]


def _systems(systems: Sequence[str]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A line where each further system begins, and its name where there is room for it."""
    starts = [at for at, name in enumerate(systems) if not at or systems[at - 1] != name]
    uprights, names = [], []
    for start, stop in zip(starts, [*starts[1:], len(systems)], strict=True):
        if start:
            uprights.append(upright(start - 0.5, "var(--ink-3)", dash="2px,3px"))
        if PLOT * (stop - start) / len(systems) >= A_LETTER * len(systems[start]):
            words = words_at((start + stop - 1) / 2, systems[start], y=0, yanchor="top")
            names.append({**words, "yshift": -4})
    return uprights, names


def _series_sentence(title: str, delta: Floats) -> str:
    late, early = int((delta > 0).sum()), int((delta < 0).sum())
    return (
        f"{title} is late on {whole(late)} series, early on {whole(early)} and exact on "
        f"{whole(delta.size - late - early)}."
    )
