"""Every address of the app; each package lists its own."""

from __future__ import annotations

from django.urls import include, path

PACKAGES = (
    "site.urls",
    "archive.urls",
    "removal.urls",
    "methods.urls",
    "runs.urls",
    "tuning.urls",
    "training.urls",
    "report.urls",
    "comparison.urls",
    "cost.urls",
    "harness.urls",
    "agreement.urls",
    "least_sure.urls",
    "review.urls",
    "trend.urls",
    "planner.urls",
    "what_to_do.urls",
    "composition.urls",
    "series_page.urls",
)

urlpatterns = [path("", include(f"analysis.{each}")) for each in PACKAGES]
