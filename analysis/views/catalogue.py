"""The catalogue of methods, and one method's page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis import catalogue
from detectors.registry import registry


@require_GET
def methods(request: HttpRequest) -> HttpResponse:
    family, online = request.GET.get("family", ""), request.GET.get("online") == "1"
    context = {
        "entries": catalogue.entries(family=family, online=online),
        "families": catalogue.families(),
        "family": family,
        "online": online,
    }
    return render(request, "site/methods.html", context)


@require_GET
def method(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in registry():
        raise Http404(f"no method {slug}")
    detector = registry()[slug]
    context = {
        "detector": detector,
        "declared": detector.Params.declared(),
        "key": detector().key,
        "missing": detector.missing(),
        "page": catalogue.page_of(slug),
    }
    return render(request, "site/method.html", context)
