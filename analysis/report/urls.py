"""Addresses of the report of a comparison."""

from __future__ import annotations

from django.urls import path

from analysis.report import views

urlpatterns = [
    path("s/<slug:study>/comparison/report/", views.report, name="comparison-report"),
]
