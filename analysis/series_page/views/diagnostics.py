"""Of one series: run-sequence, lag and autocorrelation plots of what remains after a cut."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.series_page import series_overlay
from analysis.series_page.diagnostics.query import DiagnosticsQuery
from analysis.series_page.diagnostics.table import diagnostics_of
from annotate import blind
from people import query_settings
from series.access import series_for


@require_GET
def aids(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """The plots as part of the series' page, or as a page of their own.

    They begin where the yardstick says, so that they are for who may see it; 404 for others.
    """
    found = series_for(request, study, series)
    if blind.is_open(request.user, found):
        raise Http404("you have yet to answer this series")
    query_settings.warn_unused_parameters(request, DiagnosticsQuery.settings())
    asked = DiagnosticsQuery.of(request.GET).within(found.n)
    truth, named = series_overlay.truth_of(found, asked.yardstick)
    shown = diagnostics_of(found, asked, truth=truth, named=named)
    alone = not request.headers.get("HX-Request")
    template = (
        "analysis/series_page/diagnostics/page.html"
        if alone
        else "analysis/series_page/diagnostics/plots.html"
    )
    return render(request, template, {"aids": shown, "series": found})
