"""Of one series: run-sequence, lag and autocorrelation plots of what remains after a cut."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from analysis.series_page import series_overlay
from analysis.series_page.diagnostics.query import DiagnosticsQuery
from analysis.series_page.diagnostics.table import diagnostics_of
from annotate.access import seen_series_for
from people import query_settings
from people.page_part import part_or_page


@require_GET
def aids(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """The plots as part of the series' page, or as a page of their own.

    They begin where the yardstick says, so that they are for who may see it; 404 for others.
    """
    found = seen_series_for(request, study, series)
    query_settings.warn_unused_parameters(request, DiagnosticsQuery.settings())
    asked = DiagnosticsQuery.of(request.GET).within(found.n)
    truth, named = series_overlay.truth_of(found, asked.yardstick)
    shown = diagnostics_of(found, asked, truth=truth, named=named)
    folder, context = "analysis/series_page/diagnostics", {"aids": shown, "series": found}
    return part_or_page(request, f"{folder}/plots.html", f"{folder}/page.html", context)
