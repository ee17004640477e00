"""Of one series: the result from any iteration on."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from analysis.series_page.results import COLUMNS, file_rows, results_of
from annotate.access import seen_series_for
from formats import tables
from people import downloads
from people.page_part import part_or_page


@require_GET
def results(request: HttpRequest, study: str, series: str) -> HttpResponseBase:
    """As part of the series' page, as a page of its own, or as CSV; 404 for who may not see it."""
    here = seen_series_for(request, study, series)
    code = request.GET.get("y", "").strip()
    found = results_of(here, first=request.GET.get("from", "").strip(), code=code)
    if request.GET.get("as") == "csv":
        name = downloads.named(study, here.public_id, "results")
        return downloads.csv(tables.write(COLUMNS, file_rows(found)), f"{name}.csv")
    folder = "analysis/series_page/results"
    context = {"found": found, "series": here, "code": code}
    return part_or_page(request, f"{folder}/rows.html", f"{folder}/page.html", context)
