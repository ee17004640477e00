"""Addresses of the comparison."""

from __future__ import annotations

from django.urls import path

from analysis.comparison.views import comparison, on_demand, what_if

urlpatterns = [
    path("s/<slug:study>/comparison/", comparison.compare, name="comparison"),
    path("s/<slug:study>/comparison/series/", comparison.series, name="comparison-series"),
    path("s/<slug:study>/comparison/queue/", comparison.queue, name="comparison-queue"),
    path("s/<slug:study>/comparison/tests/", on_demand.tests, name="comparison-tests"),
    path("s/<slug:study>/comparison/figures/", on_demand.figures, name="comparison-figures"),
    path("s/<slug:study>/comparison/export/", comparison.export, name="comparison-export"),
    path("s/<slug:study>/comparison/what-if/", what_if.what_if, name="what-if"),
    path("s/<slug:study>/comparison/what-if.csv", what_if.file, name="what-if-file"),
]
