"""The catalogue of methods, and one method's page."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from analysis.methods import catalogue
from analysis.methods.playground.query import PlaygroundQuery
from analysis.methods.query import FORM, CatalogueQuery
from analysis.methods.symbols import classes
from analysis.methods.views.playground import is_open_to, playground_context
from detectors.command.checks import CHECKS
from detectors.contract import Detector
from detectors.registry import DEFAULT_METHOD, method_slots, registry
from people import query_settings
from people.models import Study


@login_not_required
@require_GET
def methods_page(request: HttpRequest) -> HttpResponse:
    """Every method that fits the filter, by family."""
    query_settings.warn_unused_parameters(request, CatalogueQuery.settings())
    query = CatalogueQuery.from_query(request.GET)
    methods_by_family = catalogue.catalogue(
        request.user, family=query.family, is_online=query.online, needs=query.needs
    )
    families = [(family, family) for family in catalogue.families()]
    context = {
        "methods_by_family": methods_by_family,
        "count": sum(map(len, methods_by_family.values())),
        "query": query,
        "controls": query.controls(FORM, {"family": families}),
        "default_method": registry()[DEFAULT_METHOD],
        "may_try": is_open_to(request),
    }
    return render(request, "analysis/methods/methods.html", context)


@login_not_required
@require_GET
def method(request: HttpRequest, slug: str) -> HttpResponse:
    """Page on which one method is tried, with its summary; its text where it cannot be tried."""
    if slug not in registry():
        raise Http404(f"no method {slug}")
    query = PlaygroundQuery.from_address(request.GET, registry()[slug])
    if query.detector.slug != slug:  # the address of another method in the query
        method_address = reverse("method", args=[query.detector.slug])
        return redirect(f"{method_address}?{request.GET.urlencode()}")
    may_try = is_open_to(request) and not query.detector.missing()
    context = _method_context(request, query.detector, may_try=may_try)
    if may_try:
        context |= playground_context(request, query)
    return render(request, "analysis/methods/method.html", context)


@login_not_required
@require_GET
def method_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that is written about one method."""
    if slug not in registry():
        raise Http404(f"no method {slug}")
    context = _method_context(request, registry()[slug](), may_try=False)
    context["may_be_tried"] = is_open_to(request) and not context["missing"]
    return render(request, "analysis/methods/method.html", context)


def _method_context(request: HttpRequest, detector: Detector, *, may_try: bool) -> dict[str, Any]:
    slug = detector.slug
    return {
        "detector": detector,
        "symbol": classes(method_slots()[slug]),
        "declared": detector.Params.declared(),
        "missing": detector.missing(),
        "is_default": slug == DEFAULT_METHOD,
        "page": catalogue.method_page_html(slug, is_summary=may_try),
        "stored": catalogue.stored_results(request.user).get(slug, catalogue.StoredResults()),
        "studies": Study.objects.visible_to(request.user),
        "may_try": may_try,
        "checks": len(CHECKS),
        "place": f"{type(detector).__module__}:{type(detector).__name__}",
    }
