"""Invocations of an iteration on the page of its series: quantiles, histogram, tables, command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from django.http import HttpRequest
from django.urls import reverse

from analysis.statistics.weighted_quantiles import (
    PERCENTILES,
    pair_histogram,
    pair_mean,
    pair_quantiles,
)
from analysis.web.figures import FigureTable, WebFigure, line_trace, log_axis, number_axis, upright
from analysis.web.page_tables import (
    SERIES,
    PageTables,
    TableEmpty,
    TableRefused,
    TableRequest,
    column_table,
)
from annotate import blind
from formats import RawSamples
from formats.tables import Cell
from people.query_form import CommandOption, QueryForm, whole_field
from people.templatetags.writing import grouped, si, si_unit
from series.folds import SeriesFold
from series.models import Series
from series.panels import PagePanel
from series.values.raw_pairs import has_pairs, pair_count, read_pairs

FOLDER: Final = "analysis/series_page/invocations"
AT_ONCE: Final = 64  # iterations whose pairs a file has in memory
MOST_TOGETHER: Final = 500_000  # pairs of a whole series that the page sorts
NO_PAIRS: Final = "the file of this series had one value an iteration, no invocations"


@dataclass(frozen=True, slots=True)
class InvocationsQuery(QueryForm):
    """Iteration whose invocations are looked at; on the page the first, in files all."""

    at: int | None = whole_field(
        "at",
        "at",
        0,
        10**9,
        fallback="the first",
        option=CommandOption("only this iteration; default: all", "I"),
    )


class InvocationSummary(NamedTuple):
    """Invocations of one iteration: how many, mean, and a quantile for each of PERCENTILES."""

    iteration: int
    invocations: int
    mean: float
    quantiles: Sequence[float]


@dataclass(frozen=True, slots=True)
class IterationInvocations:
    """One iteration, and beside it the whole series; None where that has too many pairs."""

    series: Series
    summary: InvocationSummary
    series_summary: InvocationSummary | None
    figure: WebFigure

    @property
    def last_iteration(self) -> int:
        return self.series.n - 1

    @property
    def rows(self) -> list[tuple[str, float, float | None]]:
        """Name of each figure, the iteration's, and that of all iterations."""
        names = ["mean", *map(percentile_name, PERCENTILES)]
        iteration_figures = [self.summary.mean, *self.summary.quantiles]
        series_figures: Sequence[float | None] = [None] * len(names)
        if self.series_summary is not None:
            series_figures = [self.series_summary.mean, *self.series_summary.quantiles]
        return list(zip(names, iteration_figures, series_figures, strict=True))


def percentile_name(percentile: float) -> str:
    """`p99.9`, as JMH prints it."""
    return f"p{percentile:g}"


def iteration_invocations(series: Series, iteration: int | None) -> IterationInvocations | None:
    """Invocations of one iteration, the last where there are fewer; None where no file had any."""
    index = min(iteration or 0, series.n - 1)
    pairs = read_pairs(series, index, index + 1)
    if pairs is None:
        return None
    return IterationInvocations(
        series,
        _summary(index, pairs),
        _series_summary(series),
        _draw_histogram(series, index, pairs),
    )


def _series_summary(series: Series) -> InvocationSummary | None:
    if pair_count(series) > MOST_TOGETHER:
        return None
    pairs = read_pairs(series, 0, series.n)
    return None if pairs is None else _summary(-1, pairs)


def _summary(iteration: int, pairs: RawSamples) -> InvocationSummary:
    values, counts = pairs.values, pairs.counts
    quantiles = pair_quantiles(values, counts)
    return InvocationSummary(iteration, int(counts.sum()), pair_mean(values, counts), quantiles)


def _draw_histogram(series: Series, iteration: int, pairs: RawSamples) -> WebFigure:
    edges, counts, is_logarithmic = pair_histogram(pairs.values, pairs.counts)
    unit = series.benchmark.unit
    factor, scaled_unit = si_unit(float(edges[-1]), unit)
    scaled_edges = edges / factor
    axis = (
        log_axis((float(np.log10(scaled_edges[0])), float(np.log10(scaled_edges[-1]))), scaled_unit)
        if is_logarithmic
        else number_axis([float(scaled_edges[0]), float(scaled_edges[-1])], 6, scaled_unit)
    )
    median, tail = pair_quantiles(pairs.values, pairs.counts, (50.0, 99.0))
    study_slug = series.benchmark.dataset.study.slug
    address = reverse("series-invocations-file", args=[study_slug, series.public_id])
    return WebFigure(
        name="invocations-histogram",
        label=f"Invocations of iteration {grouped(iteration)}",
        traces=[
            line_trace(
                [scaled_edges[0], *scaled_edges],
                [0, *counts.tolist(), 0],
                {"shape": "hv", "width": 1.5, "color": "var(--series)"},
                fill="tozeroy",
                fillcolor="var(--heat-3)",
            )
        ],
        layout={
            "margin": {"l": 60, "r": 24, "t": 8, "b": 32},
            "showlegend": False,
            "xaxis": axis,
            "yaxis": {"rangemode": "tozero"},
            "shapes": [
                upright(median / factor, "var(--ink)"),
                upright(tail / factor, "var(--ink)", dash="2px,3px"),
            ],
        },
        table=FigureTable.from_rows(
            ["From", "To", "Invocations"],
            (
                [si(low, unit), si(high, unit), grouped(count)]
                for low, high, count in zip(edges, edges[1:], counts.tolist(), strict=False)
            ),
        ),
        file=f"{address}?what=invocations&at={iteration}",
        pdf=f"{address}?what=histogram&format=pdf&at={iteration}",
        height=200,
        sentence="Invocations by their length. Lines: p50, and dotted p99.",
    )


def invocation_panels(request: HttpRequest, series: Series) -> Iterator[PagePanel]:
    """Parts of the page of a series (`series.panels`); none for who has yet to answer it."""
    if blind.is_open(request.user, series) or not has_pairs(series):
        return
    finding = "quantiles and histogram of any iteration: click it on the chart"
    yield SeriesFold("invocations", "Invocations", finding, series, request.GET.urlencode()).panel
    yield PagePanel("scripts", f"{FOLDER}/scripts.html")


# --- tables -----------------------------------------------------------------------------------
class InvocationTable(NamedTuple):
    """Iterations whose invocations a file lists."""

    series: Series
    iterations: range


def _invocation_table(request: TableRequest) -> InvocationTable:
    series, (query,) = request.scope, request.queries
    if not has_pairs(series):
        raise TableEmpty(NO_PAIRS)
    if query.at is not None and query.at >= series.n:
        raise TableRefused(f"no iteration {query.at:,}: the series has {series.n:,}, from 0")
    indices = range(series.n)
    return InvocationTable(
        series, indices if query.at is None else indices[query.at : query.at + 1]
    )


def _iterations(table: InvocationTable) -> Iterator[tuple[int, RawSamples]]:
    """Pairs of each iteration; those of a few at a time are in memory."""
    for start in table.iterations[::AT_ONCE]:
        stop = min(start + AT_ONCE, table.iterations.stop)
        pairs = read_pairs(table.series, start, stop)
        if pairs is None:  # removed meanwhile
            return
        for iteration in range(start, stop):
            begin, end = pairs.offsets[iteration - start : iteration - start + 2].tolist()
            span = slice(begin, end)
            offsets = np.array([0, end - begin])
            yield (iteration, RawSamples(pairs.values[span], pairs.counts[span], offsets))


QUANTILE_COLUMNS: Final = {
    "iteration": "0-based",
    "invocations": "how many the file has of it",
    "mean": "of them, in the unit",
    **{
        percentile_name(percentile): f"{percentile:g} % are at most so long, in the unit"
        for percentile in PERCENTILES
    },
}
PAIR_COLUMNS: Final = {
    "iteration": "0-based",
    "value": "length of these invocations, in the unit",
    "count": "how many had it",
}


def _quantile_rows(table: InvocationTable) -> Iterator[dict[str, Cell]]:
    for iteration, pairs in _iterations(table):
        summary = _summary(iteration, pairs)
        figures = (iteration, summary.invocations, summary.mean, *summary.quantiles)
        yield dict(zip(QUANTILE_COLUMNS, figures, strict=True))


def _pair_rows(table: InvocationTable) -> Iterator[dict[str, Cell]]:
    for iteration, pairs in _iterations(table):
        for value, count in zip(pairs.values.tolist(), pairs.counts.tolist(), strict=True):
            yield {"iteration": iteration, "value": value, "count": count}


def _histogram(table: InvocationTable) -> WebFigure | None:
    """Histogram of the first iteration of a table."""
    first_pairs = next(_iterations(table), None)
    return None if first_pairs is None else _draw_histogram(table.series, *first_pairs)


INVOCATION_TABLES: Final = PageTables(
    scope=SERIES,
    queries={InvocationsQuery: ()},
    compute=_invocation_table,
    tables={
        "quantiles": column_table("Quantiles of each iteration", QUANTILE_COLUMNS, _quantile_rows),
        "invocations": column_table("All invocations", PAIR_COLUMNS, _pair_rows),
    },
    figures={"histogram": _histogram},
)
