"""Every address of Plateau; each room lists its own."""

from __future__ import annotations

from django.conf import settings
from django.urls import include, path

urlpatterns = [
    *([path("", include("people.sso.urls"))] if "allauth" in settings.INSTALLED_APPS else []),
    path("", include("analysis.web.old_addresses")),  # before slugs that would take their words
    path("", include("people.urls")),
    path("", include("series.urls")),
    path("", include("annotate.campaign_urls")),
    path("", include("annotate.urls")),
    path("", include("analysis.urls")),
    path("", include("api.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found_page"
handler500 = "config.errors.failed"
