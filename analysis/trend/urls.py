"""Addresses of the trend."""

from __future__ import annotations

from django.urls import path

from analysis.trend import views

DATASET = "s/<slug:study>/data/<slug:dataset>/"
BENCHMARK = f"{DATASET}b/<slug:benchmark>/"

urlpatterns = [
    path(f"{DATASET}trend/", views.dataset, name="trends"),
    path(f"{DATASET}trend.csv", views.dataset_file, name="trends-file"),
    path(f"{BENCHMARK}trend/alarms/", views.alarms, name="trend-alarms"),
    path(f"{BENCHMARK}trend.csv", views.benchmark_file, name="trend-file"),
]
