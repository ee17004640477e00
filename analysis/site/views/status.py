"""Health for monitoring, status for who runs the installation."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from analysis.site import health
from people.access import SignedInRequest, refuse_unless_staff


@login_not_required
@never_cache
@require_GET
def health_page(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """As JSON; 503 when a part that Plateau cannot do without is down."""
    found = health.health()
    return JsonResponse(found.as_json(), status=200 if found.is_well else 503)


@require_GET
def status(request: SignedInRequest) -> HttpResponse:
    refuse_unless_staff(request)
    context = {"parts": health.parts(), "workers": health.workers(), "queue": health.queue()}
    return render(request, "analysis/site/status.html", context)
