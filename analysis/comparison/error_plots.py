"""Figures of errors that a comparison shows on demand: histograms, and a point a series."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from django.urls import reverse

from analysis.comparison import drilldown
from analysis.comparison.figures import csv_file, pdf_file, series_list
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
    Trace,
    WebFigure,
    axis_words,
    band,
    bars,
    level,
    line_trace,
    points,
    tick_step,
    tick_text,
    ticks,
    upright,
    words_at,
)
from people.templatetags.writing import HARD, grouped, share, signed

PLOT: Final = WIDTH - 56  # px between the margins at the greatest width
NARROW: Final = 40  # px that the words of two lines need between them
A_LETTER: Final = 7  # px of a letter
HISTOGRAM_HEIGHT: Final = 256
CURVE: Final = 121  # points of a curve
POINTS_HEIGHT: Final = 320
NO_TICKS: Final = {"showticklabels": False, "ticks": "", "showline": False}
FAR: Final = math.log10(1 + 100)
"""Where the axis of the errors by series reaches further, one iteration has no line of its own."""


# --- histograms -------------------------------------------------------------------------------
def error_histogram(comparison: ComparisonResult, name: str) -> WebFigure:
    """Signed errors of one row of the leaderboard, both steady. Raises UnknownCell."""
    entry = comparison.entry(name)
    values = signed_errors(comparison, name)
    bins = histogram(values)
    return _histogram(
        comparison,
        bins,
        {"cell": "error", "of": name},
        name="error-histogram",
        pdf_address=pdf_file(comparison, "error-histogram", of=name),
        fill_colour=colour(entry.look.slot) if entry.look else "var(--ink-3)",
        axis="Δ (iterations): early left, late right",
        curve=normal_curve(bins),
        sentence=_error_sentence(entry.title, bins, values),
    )


PAIRED: Final[Mapping[str, str]] = {
    "sooner": "{first} − {second} (iterations): {first} sooner left",
    "closer": "|Δ| of {first} − |Δ| of {second} (iterations): {first} closer left",
}


def difference_histogram(
    comparison: ComparisonResult, pair: ChosenPair, codes: tuple[str, str], figure: str, prefix: str
) -> WebFigure:
    """Paired differences of two methods, `sooner` of answers, `closer` of absolute errors."""
    answer_pair = drilldown.method_pair(comparison, pair.first, pair.second)
    values = drilldown.paired_differences(comparison, answer_pair, figure)
    bins = histogram(values)
    return _histogram(
        comparison,
        bins,
        {"cell": figure, "of": pair.first, "other": pair.second},
        name=f"{prefix}-{figure}",
        pdf_address=pdf_file(comparison, f"pairs-{figure}", of=pair.first, other=pair.second),
        fill_colour="var(--within)",
        axis=PAIRED[figure].format(first=codes[0], second=codes[1]),
        sentence=_difference_sentence(codes, figure, bins, values),
    )


def signed_errors(comparison: ComparisonResult, name: str) -> Floats:
    """Signed errors of a row on the series of its distances, NaN elsewhere."""
    measured_answers = comparison.measured(name)
    if measured_answers is None:
        raise drilldown.UnknownCell(f"no row {name!r}")
    delta: Floats = np.where(comparison.result.scope.distances, measured_answers.delta, np.nan)
    return delta


def _histogram(
    comparison: ComparisonResult,
    histogram: Histogram,
    cell: Mapping[str, str],
    *,
    name: str,
    pdf_address: str,
    fill_colour: str,
    axis: str,
    sentence: str,
    curve: Sequence[Trace] = (),
) -> WebFigure:
    """Bars over iterations, each of which opens its series; mean and two sd to both sides.

    `cell` is that of all bars: its figure is narrowed to the bounds of each.
    """

    def of_bin(left_edge: int, right_edge: int) -> dict[str, str]:
        return {**cell, "cell": drilldown.bin_figure(cell["cell"], left_edge, right_edge)}

    low, high = _histogram_ends(histogram)
    bins = [
        (left_edge, right_edge, count, series_list(comparison, **of_bin(left_edge, right_edge)))
        for left_edge, right_edge, count in zip(
            histogram.edges, histogram.edges[1:], histogram.counts, strict=False
        )
        if count
    ]
    uprights, words = _mean_lines(histogram, low, high)
    return WebFigure(
        name=name,
        label=f"Histogram of {axis}",
        traces=[_bars(bins, fill_colour), *curve],
        layout={
            "hovermode": "x",
            **_histogram_axes(histogram),
            "shapes": uprights,
            "annotations": [axis_words(axis), *words],
        },
        table=FigureTable.from_rows(
            ["Iterations", "Series"],
            [
                [_bin_words(left_edge, right_edge), FigureCell(grouped(count), href)]
                for left_edge, right_edge, count, href in bins
            ],
        ),
        file=csv_file(comparison, "series", **of_bin(low, high)),
        pdf=pdf_address,
        height=HISTOGRAM_HEIGHT,
        sentence=sentence,
    )


def _histogram_ends(bins: Histogram) -> tuple[int, int]:
    return (bins.edges[0], bins.edges[-1]) if bins.edges else (0, 1)


def _histogram_axes(bins: Histogram) -> Part:
    low, high = _histogram_ends(bins)
    step = tick_step(high - low, 6)
    tick_values = [
        step * step_index
        for step_index in range(math.ceil(low / step), math.floor(high / step) + 1)
    ]
    largest_count = max(bins.counts, default=1)
    count_step = max(1, tick_step(largest_count, 4))
    counts = [
        count_step * count_index for count_index in range(int(largest_count // count_step) + 1)
    ]
    return {
        "xaxis": ticks(
            tick_values, [tick_text(tick_value) for tick_value in tick_values], range=[low, high]
        ),
        "yaxis": ticks(
            counts, [tick_text(count) for count in counts], range=[0, largest_count * 1.02]
        ),
    }


def normal_curve(
    bins: Histogram, line_colour: str = "var(--ink)", dash: str = "solid", **trace_fields: object
) -> list[Trace]:
    """The normal distribution of the same mean and deviation; none without a deviation."""
    if not bins.edges:
        return []
    x_values = np.linspace(bins.edges[0], bins.edges[-1], CURVE)
    heights = normal_counts(bins, x_values)
    if not heights.size:
        return []
    return [
        line_trace(
            [round(float(x), 2) for x in x_values],
            [round(float(height), 4) for height in heights],
            {"width": 1.5, "color": line_colour, "dash": dash},
            **trace_fields,
        )
    ]


def _bars(bins: Sequence[tuple[int, int, int, str]], fill_colour: str) -> Trace:
    return bars(
        [(left_edge + right_edge) / 2 for left_edge, right_edge, _, _ in bins],
        [count for _, _, count, _ in bins],
        {"color": fill_colour},
        width=[0.96 * (right_edge - left_edge) for left_edge, right_edge, _, _ in bins],
        customdata=[href for *_, href in bins],
        hovertext=[
            f"{_bin_words(left_edge, right_edge)}: {count} series"
            for left_edge, right_edge, count, _ in bins
        ],
    )


def _bin_words(left_edge: int, right_edge: int) -> str:
    return f"{tick_text(left_edge)} up to {tick_text(right_edge)}"


def _mean_lines(bins: Histogram, low: float, high: float) -> tuple[list[Part], list[Part]]:
    """Lines of the mean, and of the bounds two sd away that lie within; words that have room."""
    if bins.mean is None or bins.two_sd is None:
        return [], []
    mean, (minus_2sd, plus_2sd) = bins.mean, bins.two_sd
    bounds = [
        (x, text) for x, text in ((minus_2sd, "−2 sd"), (plus_2sd, "+2 sd")) if low <= x <= high
    ]
    roomy_bounds = [
        labelled_bound
        for labelled_bound in bounds
        if abs(labelled_bound[0] - mean) * PLOT / (high - low) > NARROW
    ]
    side_lines = [upright(x, "var(--ink-3)", dash="2px,3px") for x, _ in bounds]
    return (
        [upright(mean, "var(--ink)", width=1.5), *side_lines],
        [words_at(x, text) for x, text in ((mean, "mean"), *roomy_bounds)],
    )


def _error_sentence(title: str, bins: Histogram, values: Floats) -> str:
    if bins.mean is None or bins.sd is None or bins.two_sd is None:
        return f"{title} and the yardstick are both steady on no series."
    low, high = bins.two_sd
    share_inside = float(((values >= low) & (values <= high)).sum()) / bins.n
    direction_word = "late" if bins.mean > 0 else "early"
    return (
        f"{title} is {grouped(abs(bins.mean))} iterations {direction_word} on average of "
        f"{grouped(bins.n)} "
        f"series, standard deviation {bins.sd:.1f}; mean{HARD}±{HARD}2{HARD}sd, "
        f"{signed(low)} to {signed(high)}, holds {share(share_inside)} of them."
    )


def _difference_sentence(
    codes: tuple[str, str], figure: str, bins: Histogram, values: Floats
) -> str:
    first_code, second_code = codes
    if bins.mean is None:
        return f"{first_code} and {second_code} are both steady on no series of the yardstick."
    finite_values = values[np.isfinite(values)]
    median, mean = float(np.median(finite_values)), bins.mean
    adverb = "closer" if figure == "closer" else "sooner"
    better_code = first_code if mean < 0 else second_code
    return (
        f"On average {better_code} is {grouped(abs(mean))} iterations {adverb}; the median "
        f"difference is {signed(median)}, on {grouped(bins.n)} series."
    )


# --- error by series --------------------------------------------------------------------------
def by_series(comparison: ComparisonResult, name: str) -> WebFigure:
    """A point a series on a symmetric logarithmic axis: late above, early below.

    Series stand in the order of systems and names; each point opens its own.
    """
    entry, delta = comparison.entry(name), signed_errors(comparison, name)
    line_indices = np.flatnonzero(np.isfinite(delta)).tolist()
    errors = [float(delta[line_index]) for line_index in line_indices]
    error_by_line = {
        line_index: signed(size) for line_index, size in zip(line_indices, errors, strict=True)
    }
    end = max(1.0, math.log10(1 + max((abs(size) for size in errors), default=9.0)))
    names = {line_index: _series_name(comparison.lines[line_index]) for line_index in line_indices}
    spans, system_names = _systems(
        [comparison.lines[line_index].system for line_index in line_indices]
    )
    address = reverse("series", args=[comparison.yardstick.study.slug, "x"]).removesuffix("x/")
    query = comparison.asked.query(**{"from": "series"}, cell="n", of=name)
    return WebFigure(
        name="error-by-series",
        label=f"Signed error of {entry.title} on every series",
        traces=[
            points(
                list(range(len(line_indices))),
                [symlog(size) for size in errors],
                {"size": 6, "color": colour(entry.look.slot if entry.look else None)},
                customdata=[comparison.lines[line_index].public_id for line_index in line_indices],
                hovertext=[
                    f"{names[line_index]}: {text}" for line_index, text in error_by_line.items()
                ],
            )
        ],
        layout={
            "xaxis": {**NO_TICKS, "range": [-1, max(len(line_indices), 1)]},
            "yaxis": {**error_ticks(end), "range": [-1.04 * end, 1.04 * end]},
            "shapes": [*_tolerance_parts(comparison.one_tolerance, end), *spans],
            "annotations": system_names,
        },
        table=FigureTable.from_rows(
            ["Series", "Δ"],
            [
                [
                    FigureCell(
                        names[line_index],
                        f"{address}{comparison.lines[line_index].public_id}/{query}",
                    ),
                    text,
                ]
                for line_index, text in error_by_line.items()
            ],
        ),
        more=FigureCell("All of them as a list", series_list(comparison, cell="n", of=name)),
        file=csv_file(comparison, "series", cell="n", of=name),
        pdf=pdf_file(comparison, "error-by-series", of=name),
        height=POINTS_HEIGHT,
        sentence=_series_sentence(entry.title, delta[line_indices]),
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
    first_power = 1 if end > FAR else 0
    decades = [10**k for k in range(first_power, 8) if math.log10(1 + 10**k) <= end]
    tick_errors = [*(-error for error in reversed(decades)), 0, *decades]
    texts = [f"+{tick_text(error)}" if error > 0 else tick_text(error) for error in tick_errors]
    return ticks([symlog(error) for error in tick_errors], texts)


def _tolerance_parts(tolerance: int | None, end: float) -> list[Part]:
    """The band of the tolerance, where all series have the same; and the line of no error."""
    zero_line = {**level(0, "var(--border)", 0, 1), "xref": "paper"}
    if tolerance is None:
        return [zero_line]
    reach = min(symlog(tolerance), 1.04 * end)
    return [band("x", y0=-reach, y1=reach), zero_line]


def _systems(system_names: Sequence[str]) -> tuple[list[Part], list[Part]]:
    """A line where each further system begins, and its name where there is room for it."""
    starts = [
        series_index
        for series_index, name in enumerate(system_names)
        if not series_index or system_names[series_index - 1] != name
    ]
    uprights: list[Part] = []
    name_texts: list[Part] = []
    for start, stop in zip(starts, [*starts[1:], len(system_names)], strict=True):
        if start:
            uprights.append(upright(start - 0.5, "var(--ink-3)", dash="2px,3px"))
        if PLOT * (stop - start) / len(system_names) >= A_LETTER * len(system_names[start]):
            anchor = {"y": 0, "yanchor": "top", "yshift": -4}
            name_texts.append(words_at((start + stop - 1) / 2, system_names[start], **anchor))
    return uprights, name_texts


def _series_sentence(title: str, delta: Floats) -> str:
    late_count, early_count = int((delta > 0).sum()), int((delta < 0).sum())
    return (
        f"{title} is late on {grouped(late_count)} series, early on {grouped(early_count)} and "
        "exact on "
        f"{grouped(delta.size - late_count - early_count)}."
    )
