"""Of one series: evidence of a method as JSON, and the table of detections as a file."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse, StreamingHttpResponse
from django.views.decorators.http import require_GET

from analysis.comparison.query import ComparisonQuery
from analysis.references.yardsticks import UnknownYardstick
from analysis.series_page import overlay_file, series_overlay
from analysis.series_page.evidence import evidence_of
from annotate.access import seen_series_for
from formats import tables
from people import downloads


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
