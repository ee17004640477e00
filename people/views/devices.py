"""A link for another device, and the page that it leads to."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from people import audit, device_links
from people.access import SignedInRequest
from people.throttle import Throttle

WRONG_LINKS = Throttle("device", limit=20, window=300)


@never_cache
@require_http_methods(["GET", "POST"])
def device_link(request: SignedInRequest) -> HttpResponse:
    """Says what a link is for; its button makes one, shown on this one answer alone."""
    link = ""
    if request.method == "POST" and device_links.is_for(request.user):
        audit.record(audit.Action.PASSWORD_LINK, "for another device", by=request.user)
        link = request.build_absolute_uri(device_links.make_path(request.user))
    context = {
        "is_for": device_links.is_for(request.user),
        "link": link,
        "minutes": device_links.MINUTES,
    }
    return render(request, "people/device_link.html", context)


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def device(request: HttpRequest, uidb64: str, token: str) -> HttpResponse:
    """Asks first: a preview of the link in a chat must not use it up. Its button signs in."""
    if WRONG_LINKS.seconds_to_wait(request):
        return _closed_page(request, 429)
    user = device_links.linked_account(uidb64, token)
    if user is None or (request.method == "POST" and not device_links.use_links_up(user)):
        WRONG_LINKS.count(request)
        return _closed_page(request, 404)
    if request.method == "POST":
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        device_links.remember(request)
        audit.record(audit.Action.SIGNED_IN, "by a personal link", by=user)
        messages.success(request, "This device remembers you.")
        return redirect("home")
    answer = render(request, "people/device.html", {"person": user})
    answer.headers["Referrer-Policy"] = "strict-origin"
    return answer


def _closed_page(request: HttpRequest, status: int) -> HttpResponse:
    return render(request, "people/device.html", {"person": None}, status=status)
