"""Health for monitoring, status for who runs the installation."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from analysis import health
from people.access import SignedInRequest


@never_cache
@require_GET
def health_page(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """One line for each part; 503 when one that Plateau cannot do without is down."""
    parts = health.parts()
    text = "".join(f"{part.name} {part.word}\n" for part in parts)
    status = 503 if any(part.needed and not part.well for part in parts) else 200
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")


@login_required
@require_GET
def status(request: SignedInRequest) -> HttpResponse:
    if not request.user.is_staff:
        raise PermissionDenied("The status page is for the staff of this installation.")
    context = {"parts": health.parts(), "workers": health.workers(), "queue": health.queue()}
    return render(request, "site/status.html", context)
