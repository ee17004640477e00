"""Addresses of the plans of a data set as source text, and of what they save."""

from __future__ import annotations

from django.urls import path

from analysis.planner import views

DATASET = "s/<slug:study>/data/<slug:dataset>/"

urlpatterns = [
    path(f"{DATASET}plans.txt", views.annotations_file, name="plans-annotations"),
    path(f"{DATASET}savings/", views.savings_fold, name="plan-savings"),
]
