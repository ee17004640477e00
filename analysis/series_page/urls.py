"""Addresses of what the page of a series shows."""

from __future__ import annotations

from django.urls import path

from analysis.series_page import views

SERIES = "s/<slug:study>/series/<str:series>/"

urlpatterns = [
    path(f"{SERIES}diagnostics/", views.diagnostics, name="series-diagnostics"),
    path(f"{SERIES}results/", views.results, name="series-results"),
    path(f"{SERIES}events/", views.events, name="series-events"),
    path(f"{SERIES}invocations/", views.invocations, name="series-invocations"),
    path(f"{SERIES}online/", views.online, name="series-online"),
    path(f"{SERIES}evidence/", views.evidence, name="series-evidence"),
    path(f"{SERIES}fork-chart/", views.chart_of_forks, name="series-fork-chart"),
]
