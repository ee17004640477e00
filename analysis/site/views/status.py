"""Health for monitoring, status for who runs the installation."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from analysis.site import health, limits
from analysis.work.workers import living_workers
from people.access import SignedInRequest, refuse_unless_staff
from series.importing import quota

STUDIES_SHOWN = 50


@login_not_required
@never_cache
@require_GET
def health_page(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Health as JSON; 503 when a part that Plateau cannot do without is down."""
    installation_health = health.health()
    if installation_health.is_well:
        return JsonResponse(installation_health.as_json())
    return JsonResponse(
        installation_health.as_json(), status=503, headers={"Retry-After": str(health.RETRY_AFTER)}
    )


@require_GET
def status(request: SignedInRequest) -> HttpResponse:
    refuse_unless_staff(request)
    services = health.service_statuses()
    context = {
        "parts": services,
        "failing": [service.name for service in services if not service.is_well],
        "workers": living_workers(),
        "queue": health.queue_status(),
        "quotas": quota.all_quotas()[:STUDIES_SHOWN],
        "limits": limits.rate_limits(),
    }
    return render(request, "analysis/site/status.html", context)


@login_not_required
@never_cache
@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus; 404 where they are off, and for clients that settings do not
    admit.
    """
    if not _may_scrape(request):
        raise Http404
    from analysis.site import metrics as figures  # noqa: PLC0415  # its library only where it is on

    return HttpResponse(figures.prometheus_text(), content_type=figures.CONTENT_TYPE)


def _may_scrape(request: HttpRequest) -> bool:
    """Every condition that is set holds, and at least one is set."""
    networks, token = settings.METRICS_FROM, settings.METRICS_TOKEN
    if not networks and not token:
        return False
    if networks and not any(_address(request) in network for network in networks):
        return False
    authorization = request.headers.get("Authorization", "")
    return not token or constant_time_compare(authorization, f"Bearer {token}")


def _address(request: HttpRequest) -> IPv4Address | IPv6Address:
    """The client's; without one, as behind a socket, that of nobody."""
    try:
        return ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return ip_address("0.0.0.0")  # noqa: S104  # nobody's address, and nothing listens on it
