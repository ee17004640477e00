"""Of one series: what online methods knew after each iteration."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from analysis.series_page.online_course import page_of
from annotate.access import seen_series_for
from people.page_part import part_or_page


@require_GET
def online(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """Answers so far at iteration `?t=`, as part of the series' page, or as a page of their own."""
    found = seen_series_for(request, study, series)
    known = page_of(found, request.GET.get("t", "").strip())
    folder, context = "analysis/series_page/online", {"known": known, "series": found}
    return part_or_page(request, f"{folder}/courses.html", f"{folder}/page.html", context)
