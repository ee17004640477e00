"""One series: its chart, its facts, its values; other rooms add what they know (`panels`)."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from people.access import SignedInRequest
from people.models import Role
from people.templatetags.writing import grouped, si
from series import queries
from series.access import series_for
from series.drawings import chart
from series.folds import SeriesFold, fold_or_page
from series.models import Benchmark, Series
from series.panels import panels_of
from series.values import exports
from series.values.value_table import value_table


@require_GET
def series_page(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    visible_series = series_for(request, study, series)
    forks = queries.neighbours(visible_series)
    fork_index = [fork.pk for fork in forks].index(visible_series.pk)
    panels = panels_of("series", request, visible_series)
    unit = visible_series.benchmark.unit
    range_words = f"{si(visible_series.minimum, unit)} to {si(visible_series.maximum, unit)}"
    finding = f"{grouped(visible_series.n)} values, {range_words}"
    values_fold = SeriesFold(
        "table", "Values as a table", finding, visible_series, request.GET.urlencode()
    )
    context = {
        "series": visible_series,
        "study": visible_series.benchmark.dataset.study,
        "benchmark": visible_series.benchmark,
        "dataset": visible_series.benchmark.dataset,
        "forks": forks,
        "previous": forks[fork_index - 1] if fork_index else None,
        "next": forks[fork_index + 1] if fork_index + 1 < len(forks) else None,
        "description": chart.description(visible_series),
        "y_range": chart.range_shown(visible_series),
        "page_data": {"series": _chart_data(visible_series)},
        "conditions": chart.conditions(visible_series),
        "file_name": f"{visible_series.benchmark.short_name}-fork-{visible_series.fork}",
        "lanes": 4 if "chips" in panels else 1,
        "panels": panels,
        "folds": [*panels.get("folds", ()), values_fold.panel],
        "owner": visible_series.benchmark.dataset.study.role_of(request.user) == Role.OWNER,
        "ways": [("", "as unit and mode say"), *Benchmark.Better.choices],
    }
    return render(request, "series/series.html", context)


def _chart_data(series: Series) -> dict[str, Any]:
    """The chart's data; the median is left out where people annotate, and stands here."""
    return {**chart.chart_data(series), "median": series.median_last_half, "label": str(series)}


@require_GET
def series_values(request: SignedInRequest, study: str, series: str) -> StreamingHttpResponse:
    """The values as long CSV."""
    visible_series = series_for(request, study, series)
    series_rows = Series.objects.filter(pk=visible_series.pk)
    return exports.values_download(
        series_rows, f"{visible_series.benchmark.dataset.study.slug}_{visible_series.public_id}"
    )


@require_GET
def values_table_page(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """The values as a table: a hundred stretches, or one page of single values."""
    visible_series = series_for(request, study, series)
    context = {
        "series": visible_series,
        "table": value_table(visible_series, request.GET.get("from")),
    }
    return fold_or_page(request, visible_series, "table", "series/_values.html", context)
