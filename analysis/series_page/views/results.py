"""Of one series: the result from any iteration on."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.series_page.results import COLUMNS, file_rows, results_of
from annotate import blind
from formats import tables
from people import downloads
from series.access import series_for


@require_GET
def results(request: HttpRequest, study: str, series: str) -> HttpResponseBase:
    """As part of the series' page, as a page of its own, or as CSV; 404 for who may not see it."""
    here = series_for(request, study, series)
    if blind.is_open(request.user, here):
        raise Http404("you have yet to answer this series")
    code = request.GET.get("y", "").strip()
    found = results_of(here, first=request.GET.get("from", "").strip(), code=code)
    if request.GET.get("as") == "csv":
        name = downloads.named(study, here.public_id, "results")
        return downloads.csv(tables.write(COLUMNS, file_rows(found)), f"{name}.csv")
    alone = not request.headers.get("HX-Request")
    template = (
        "analysis/series_page/results/page.html"
        if alone
        else "analysis/series_page/results/rows.html"
    )
    return render(request, template, {"found": found, "series": here, "code": code})
