"""Addresses of the trend."""

from __future__ import annotations

from django.urls import path

from analysis.trend import views
from analysis.trend.machines.views import machines
from analysis.trend.two_builds.views import builds

DATASET = "s/<slug:study>/data/<slug:dataset>/"
BENCHMARK = f"{DATASET}b/<slug:benchmark>/"

urlpatterns = [
    path(f"{DATASET}trend/", views.dataset, name="trends"),
    path(f"{DATASET}trend/builds/", builds, name="trend-builds"),
    path(f"{DATASET}trend/machines/", machines, name="trend-machines"),
    path(f"{BENCHMARK}trend/alarms/", views.alarms, name="trend-alarms"),
]
