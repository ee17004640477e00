"""Addresses that a page had before it was renamed: each leads to the new one for good."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import re_path

RENAMED: Final = {  # part of an address: before, and now
    "compare": "comparison",
    "explorations": "tuning",
    "own": "imported-methods",
    "manual-aids": "diagnostics",
}


@login_not_required
def moved(request: HttpRequest, before: str) -> HttpResponse:
    """The same address with the new name; method, body and query stay (status 308)."""
    address = request.get_full_path().replace(f"/{before}/", f"/{RENAMED[before]}/", 1)
    return HttpResponsePermanentRedirect(address, preserve_request=True)


urlpatterns = [
    re_path(r"^s/[-\w]+/(?P<before>compare|explorations|own)/", moved),
    re_path(r"^s/[-\w]+/series/[^/]+/(?P<before>manual-aids)/$", moved),
]
