"""Addresses of the trend."""

from __future__ import annotations

from django.urls import path

from analysis.trend import views

urlpatterns = [
    path("s/<slug:study>/data/<slug:dataset>/trend/", views.dataset, name="trends"),
    path("s/<slug:study>/data/<slug:dataset>/trend.csv", views.dataset_file, name="trends-file"),
    path(
        "s/<slug:study>/data/<slug:dataset>/b/<slug:benchmark>/trend/",
        views.benchmark,
        name="trend",
    ),
    path(
        "s/<slug:study>/data/<slug:dataset>/b/<slug:benchmark>/trend.csv",
        views.benchmark_file,
        name="trend-file",
    ),
]
