"""Of one series: what online methods knew after each iteration."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.series_page.online_course import page_of
from annotate import blind
from series.access import series_for


@require_GET
def online(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """Answers so far at iteration `?t=`, as part of the series' page, or as a page of their own."""
    found = series_for(request, study, series)
    if blind.is_open(request.user, found):
        raise Http404("you have yet to answer this series")
    alone = not request.headers.get("HX-Request")
    template = (
        "analysis/series_page/online/page.html"
        if alone
        else "analysis/series_page/online/courses.html"
    )
    known = page_of(found, request.GET.get("t", "").strip())
    return render(request, template, {"known": known, "series": found})
