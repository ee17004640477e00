"""The catalogue of methods, and one method's page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from analysis.methods import catalogue
from analysis.methods.playground.query import PlaygroundQuery
from analysis.methods.query import FORM, CatalogueQuery
from analysis.methods.symbols import classes
from analysis.methods.views.playground import is_open_to, trying
from detectors.command.checks import CHECKS
from detectors.registry import DEFAULT_METHOD, method_slots, registry
from people import query_settings
from people.models import Study


@login_not_required
@require_GET
def methods(request: HttpRequest) -> HttpResponse:
    """Every method that fits the filter, by family."""
    query_settings.warn_unused_parameters(request, CatalogueQuery.settings())
    asked = CatalogueQuery.of(request.GET)
    found = catalogue.catalogue(
        request.user, family=asked.family, online=asked.online, needs=asked.needs
    )
    families = [(each, each) for each in catalogue.families()]
    context = {
        "found": found,
        "count": sum(map(len, found.values())),
        "asked": asked,
        "controls": asked.controls(FORM, {"family": families}),
        "first": registry()[DEFAULT_METHOD] if is_open_to(request) else None,
    }
    return render(request, "analysis/methods/methods.html", context)


@login_not_required
@require_GET
def method(request: HttpRequest, slug: str) -> HttpResponse:
    """What one method does, with its parameters, and ways to use it."""
    if slug not in registry():
        raise Http404(f"no method {slug}")
    asked = PlaygroundQuery.of(request.GET, registry()[slug])
    if asked.detector.slug != slug:  # the address of another method in the query
        other = reverse("method", args=[asked.detector.slug])
        return redirect(f"{other}?{request.GET.urlencode()}")
    detector = asked.detector
    may_try = is_open_to(request) and not detector.missing()
    context = {
        "detector": detector,
        "symbol": classes(method_slots()[slug]),
        "declared": detector.Params.declared(),
        "missing": detector.missing(),
        "page": catalogue.page_of(slug),
        "stored": catalogue.stored_results(request.user).get(slug, catalogue.StoredResults()),
        "studies": Study.objects.visible_to(request.user),
        "may_try": may_try,
        "checks": len(CHECKS),
        "place": f"{type(detector).__module__}:{type(detector).__name__}",
        **(trying(request, asked) if may_try else {}),
    }
    return render(request, "analysis/methods/method.html", context)
