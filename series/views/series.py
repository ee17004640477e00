"""One series: its chart, its facts, its values; other rooms add what they know (`panels`)."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from people.access import SignedInRequest
from people.models import Role
from people.templatetags.writing import si, whole
from series import queries
from series.access import series_for
from series.drawings import chart
from series.folds import SeriesFold, fold_or_page
from series.models import Benchmark, Series
from series.panels import panels_of
from series.values import exports
from series.values.value_table import value_table


@require_GET
def series(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    found = series_for(request, study, series)
    forks = queries.neighbours(found)
    place = [each.pk for each in forks].index(found.pk)
    panels = panels_of("series", request, found)
    unit = found.benchmark.unit
    ends = f"{si(found.minimum, unit)} to {si(found.maximum, unit)}"
    finding = f"{whole(found.n)} values, {ends}"
    values = SeriesFold("table", "Values as a table", finding, found, request.GET.urlencode())
    context = {
        "series": found,
        "study": found.benchmark.dataset.study,
        "benchmark": found.benchmark,
        "dataset": found.benchmark.dataset,
        "forks": forks,
        "previous": forks[place - 1] if place else None,
        "next": forks[place + 1] if place + 1 < len(forks) else None,
        "description": chart.description(found),
        "shown": chart.range_shown(found),
        "page_data": {"series": _chart_data(found)},
        "conditions": chart.conditions(found),
        "file_name": f"{found.benchmark.short_name}-fork-{found.fork}",
        "lanes": 4 if "under" in panels else 1,
        "panels": panels,
        "folds": [*panels.get("folds", ()), values.panel],
        "owner": found.benchmark.dataset.study.role_of(request.user) == Role.OWNER,
        "ways": [("", "as unit and mode say"), *Benchmark.Better.choices],
    }
    return render(request, "series/series.html", context)


def _chart_data(series: Series) -> dict[str, Any]:
    """The chart's data; the median is left out where people annotate, and stands here."""
    return {
        **chart.chart_data(series),
        "median": series.median_last_half,
        "label": str(series),
    }


@require_GET
def values(request: SignedInRequest, study: str, series: str) -> StreamingHttpResponse:
    """The values as long CSV."""
    found = series_for(request, study, series)
    only = Series.objects.filter(pk=found.pk)
    return exports.answer(only, f"{found.benchmark.dataset.study.slug}_{found.public_id}")


@require_GET
def table(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """The values as a table: a hundred stretches, or one page of single values."""
    found = series_for(request, study, series)
    context = {"series": found, "table": value_table(found, request.GET.get("from"))}
    return fold_or_page(request, found, "table", "series/_values.html", context)
