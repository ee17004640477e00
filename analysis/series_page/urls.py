"""Addresses of what the page of a series shows."""

from __future__ import annotations

from django.urls import path

from analysis.series_page.views import diagnostics, online, overlay, results

urlpatterns = [
    path(
        "s/<slug:study>/series/<str:series>/diagnostics/",
        diagnostics.aids,
        name="series-diagnostics",
    ),
    path("s/<slug:study>/series/<str:series>/results/", results.results, name="series-results"),
    path("s/<slug:study>/series/<str:series>/online/", online.online, name="series-online"),
    path("s/<slug:study>/series/<str:series>/evidence/", overlay.evidence, name="series-evidence"),
    path(
        "s/<slug:study>/series/<str:series>/detections/",
        overlay.detections,
        name="series-detections",
    ),
]
