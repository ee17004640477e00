"""Addresses of what the page of a series shows."""

from __future__ import annotations

from django.urls import path

from analysis.series_page.views import diagnostics, forks, online, overlay, results

SERIES = "s/<slug:study>/series/<str:series>/"
FORKS = "s/<slug:study>/data/<slug:dataset>/b/<slug:benchmark>/forks"

urlpatterns = [
    path(f"{SERIES}diagnostics/", diagnostics.aids, name="series-diagnostics"),
    path(f"{SERIES}results/", results.results, name="series-results"),
    path(f"{SERIES}online/", online.online, name="series-online"),
    path(f"{SERIES}evidence/", overlay.evidence, name="series-evidence"),
    path(f"{FORKS}/", forks.forks, name="benchmark-forks"),
    path(f"{FORKS}.csv", forks.forks_file, name="benchmark-forks-file"),
    path(f"{SERIES}detections/", overlay.detections, name="series-detections"),
]
