"""Addresses of costs: what each method would take, and how far its results are off."""

from __future__ import annotations

from django.urls import path

from analysis.views import cost

BASE = "s/<slug:study>/compare/cost/"

urlpatterns = [
    path(BASE, cost.cost, name="cost"),
    path(f"{BASE}benchmarks/", cost.benchmarks, name="cost-benchmarks"),
    path(f"{BASE}file/", cost.file, name="cost-file"),
]
