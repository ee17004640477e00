"""Parts of the page of a series that it loads on demand, each a page of its own too; and files."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from analysis.comparison.query import ComparisonQuery
from analysis.references.yardsticks import UnknownYardstick
from analysis.series_page import overlay_file, results as steady_results, series_overlay
from analysis.series_page.diagnostics.query import DiagnosticsQuery
from analysis.series_page.diagnostics.table import diagnostics_of
from analysis.series_page.evidence import evidence_of
from analysis.series_page.online_course import page_of
from annotate.access import seen_series_for
from formats import tables
from people import downloads, query_settings
from people.page_part import part_or_page

FOLDER = "analysis/series_page"


@require_GET
def diagnostics(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """Run-sequence, lag and autocorrelation plots of what remains after a cut.

    They begin where the yardstick says, so that they are for who may see it; 404 for others.
    """
    found = seen_series_for(request, study, series)
    query_settings.warn_unused_parameters(request, DiagnosticsQuery.settings())
    asked = DiagnosticsQuery.of(request.GET).within(found.n)
    truth, named = series_overlay.truth_of(found, asked.yardstick)
    shown = diagnostics_of(found, asked, truth=truth, named=named)
    folder, context = f"{FOLDER}/diagnostics", {"aids": shown, "series": found}
    return part_or_page(request, f"{folder}/plots.html", f"{folder}/page.html", context)


@require_GET
def online(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """What online methods knew at iteration `?t=`."""
    found = seen_series_for(request, study, series)
    known = page_of(found, request.GET.get("t", "").strip())
    folder, context = f"{FOLDER}/online", {"known": known, "series": found}
    return part_or_page(request, f"{folder}/courses.html", f"{folder}/page.html", context)


@require_GET
def results(request: HttpRequest, study: str, series: str) -> HttpResponseBase:
    """The result from any iteration on, also as CSV; 404 for who may not see it."""
    here = seen_series_for(request, study, series)
    code = request.GET.get("y", "").strip()
    first = request.GET.get("from", "").strip()
    found = steady_results.results_of(here, first=first, code=code)
    if request.GET.get("as") == "csv":
        name = downloads.named(study, here.public_id, "results")
        rows = steady_results.file_rows(found)
        return downloads.csv(tables.write(steady_results.COLUMNS, rows), f"{name}.csv")
    folder, context = f"{FOLDER}/results", {"found": found, "series": here, "code": code}
    return part_or_page(request, f"{folder}/rows.html", f"{folder}/page.html", context)


@require_GET
def evidence(request: HttpRequest, study: str, series: str) -> JsonResponse:
    """Why the method `?of=` answered so."""
    found = evidence_of(seen_series_for(request, study, series), request.GET.get("of", ""))
    if found is None:
        problem = "No detection of that method is stored for this series."
        return JsonResponse({"items": [], "problem": problem}, status=422)
    return JsonResponse(found)


@require_GET
def detections(request: HttpRequest, study: str, series: str) -> StreamingHttpResponse:
    """The table of the page as CSV, by the same yardstick and tolerance."""
    seen = seen_series_for(request, study, series)
    asked = ComparisonQuery.of(request.GET)
    try:
        found = series_overlay.overlay_of(seen, code=asked.yardstick, tolerance=asked.tolerance)
    except UnknownYardstick as unknown:
        raise Http404(str(unknown)) from unknown
    pieces = tables.write(overlay_file.COLUMNS, overlay_file.file_rows(found))
    return downloads.csv(pieces, f"plateau_{study}_{seen.public_id}_detections.csv")
