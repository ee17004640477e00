"""Parts of the comparison loaded on demand: tests of two methods, further figures."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from analysis.comparison import gallery, significance
from analysis.comparison.query import ComparisonQuery, GalleryQuery, PairQuery
from analysis.comparison.table import ComparisonResult
from analysis.comparison.views.requested import compared, known_or_404
from people.access import SignedInRequest, study_for
from people.models import Study
from people.page_part import part_or_page


@require_GET
def figures(request: SignedInRequest, study: str) -> HttpResponse:
    """One further figure: part of the comparison's page, or a page of its own."""
    here = study_for(request, study)
    found = compared(request, here, ComparisonQuery.of(request.GET).alone)
    shown = known_or_404(gallery.gallery_figure, found, GalleryQuery.of(request.GET))
    return _answer(request, here, found, "figures", shown)


@require_GET
def tests(request: SignedInRequest, study: str) -> HttpResponse:
    """Whether two methods differ, question by question."""
    here = study_for(request, study)
    found = compared(request, here, ComparisonQuery.of(request.GET).alone)
    wanted = PairQuery.of(request.GET)
    shown = known_or_404(significance.pair_page, found, wanted.first, wanted.second)
    return _answer(request, here, found, "tests", shown)


def _answer(
    request: SignedInRequest, study: Study, found: ComparisonResult, part: str, shown: object
) -> HttpResponse:
    template = f"analysis/comparison/_{part}.html"
    context = {
        "study": study,
        "compared": found,
        "asked": found.asked,
        "part": part,
        "template": template,
        "shown": shown,
    }
    return part_or_page(request, template, "analysis/comparison/more.html", context)
