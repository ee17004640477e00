"""Addresses of costs: what each method would take, and how far its results are off."""

from __future__ import annotations

from django.urls import path

from analysis.cost import views

BASE = "s/<slug:study>/comparison/cost/"

urlpatterns = [
    path(BASE, views.cost, name="cost"),
    path(f"{BASE}benchmarks/", views.benchmarks, name="cost-benchmarks"),
    path(f"{BASE}tables/", views.tables, name="cost-tables"),
    path(f"{BASE}file/", views.file, name="cost-file"),
]
