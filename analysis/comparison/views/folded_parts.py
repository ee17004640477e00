"""Folded parts of the comparison, loaded when they are opened: tests, further figures, what if."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET

from analysis.comparison import gallery, significance
from analysis.comparison.query import (
    ComparisonQuery,
    GalleryQuery,
    OpenedPartQuery,
    PairQuery,
    WhatIfQuery,
)
from analysis.comparison.table import ComparisonResult
from analysis.comparison.views.requested_comparison import known_or_404, required_comparison
from analysis.comparison.views.what_if import what_if_context
from people.access import SignedInRequest, study_for
from people.query_form import QueryForm
from people.query_settings import Settings

Context = Mapping[str, Any]


def _tests(request: SignedInRequest, result: ComparisonResult) -> Context:
    """Context of the tests of two methods, question by question."""
    pair = PairQuery.from_query(request.GET)
    return {"pair_page": known_or_404(significance.pair_page, result, pair.first, pair.second)}


def _figures(request: SignedInRequest, result: ComparisonResult) -> Context:
    """One further figure, and the names of the others."""
    query = GalleryQuery.from_query(request.GET)
    return {"gallery": known_or_404(gallery.gallery_figure, result, query)}


def _what_if(request: SignedInRequest, result: ComparisonResult) -> Context:
    """The ranking in other scenarios of the ground truth."""
    return what_if_context(result, WhatIfQuery.from_query(request.GET))


CONTEXTS: Final[Mapping[str, Callable[[SignedInRequest, ComparisonResult], Context]]] = {
    "tests": _tests,
    "figures": _figures,
    "what-if": _what_if,
}
QUERIES: Final[tuple[type[QueryForm], ...]] = (
    OpenedPartQuery,
    PairQuery,
    GalleryQuery,
    WhatIfQuery,
)
SETTINGS: Final[tuple[Settings, ...]] = tuple(query.settings() for query in QUERIES)
"""Settings that only the opened part reads."""


@require_GET
def open_part(request: SignedInRequest, study: str, part: str) -> HttpResponse:
    """A part for htmx; without script the page of the comparison, with this part open."""
    visible_study = study_for(request, study)
    if not request.headers.get("HX-Request"):
        query = request.GET.copy()
        query[OpenedPartQuery.KEY] = part
        page_address = reverse("comparison", args=[visible_study.slug])
        return HttpResponseRedirect(f"{page_address}?{query.urlencode()}#{part}")
    result = required_comparison(
        request, visible_study, ComparisonQuery.from_query(request.GET).alone
    )
    return render(request, _template(part), _context(request, result, part))


def part_settings(query: QueryDict) -> list[QueryForm]:
    """Settings of the part that the address opens; none where it opens none."""
    if not OpenedPartQuery.from_query(query).part:
        return []
    return [form.from_query(query) for form in QUERIES]


def opened_part(request: SignedInRequest, result: ComparisonResult) -> dict[str, str]:
    """Name and text of the part that the address opens; empty for none."""
    name = OpenedPartQuery.from_query(request.GET).part
    if not name:
        return {}
    context = dict(_context(request, result, name))
    return {"opened": name, "part": render_to_string(_template(name), context, request)}


def _template(part_name: str) -> str:
    return f"analysis/comparison/_{part_name.replace('-', '_')}.html"


def _context(request: SignedInRequest, result: ComparisonResult, part_name: str) -> Context:
    return {
        "study": result.yardstick.study,
        "compared": result,
        "query": result.asked,
        **CONTEXTS[part_name](request, result),
    }
