"""Parts of the comparison loaded on demand: tests of two methods, further figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.comparison import gallery, significance
from analysis.comparison.drilldown import UnknownCell
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult
from analysis.comparison.views.requested import compared
from people.access import SignedInRequest, study_for
from people.models import Study


@require_GET
def figures(request: SignedInRequest, study: str) -> HttpResponse:
    """One further figure: part of the comparison's page, or a page of its own."""
    here = study_for(request, study)
    wanted = gallery.GalleryQuery.of_query(request.GET)
    found = compared(request, here, ComparisonQuery.of(request.GET).alone)
    try:
        shown = gallery.gallery_figure(found, wanted)
    except (UnknownCell, KeyError) as unknown:
        raise Http404(str(unknown)) from unknown
    return _answer(request, here, found, "figures", {"shown": shown})


@require_GET
def tests(request: SignedInRequest, study: str) -> HttpResponse:
    """Whether two methods differ, question by question."""
    here = study_for(request, study)
    found = compared(request, here, ComparisonQuery.of(request.GET).alone)
    try:
        shown = significance.pair_page(
            found, request.GET.get("first", ""), request.GET.get("second", "")
        )
    except (UnknownCell, KeyError) as unknown:
        raise Http404(str(unknown)) from unknown
    return _answer(request, here, found, "tests", {"shown": shown})


def _answer(
    request: SignedInRequest,
    study: Study,
    found: ComparisonResult,
    part: str,
    more: Mapping[str, Any],
) -> HttpResponse:
    alone = not request.headers.get("HX-Request")
    template = "analysis/comparison/more.html" if alone else f"analysis/comparison/_{part}.html"
    context = {
        "study": study,
        "compared": found,
        "asked": found.asked,
        "part": part,
        "template": f"analysis/comparison/_{part}.html",
        **more,
    }
    return render(request, template, context)
