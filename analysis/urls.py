"""Every address of the app: each package lists its pages; downloads of tables stand here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.urls import include, path

from analysis.agreement.change_scores import CHANGE_SCORE_TABLES
from analysis.agreement.exports import AGREEMENT_TABLES
from analysis.comparison.exports import COMPARISON_TABLES
from analysis.comparison.what_if_tables import WHAT_IF_TABLES
from analysis.composition.exports import COMPOSITION_TABLES
from analysis.cost.exports import COST_TABLES
from analysis.event_lanes.exports import EVENT_TABLES
from analysis.harness.exports import HARNESS_TABLES
from analysis.least_sure.exports import LEAST_SURE_TABLES
from analysis.planner.exports import PLAN_TABLES
from analysis.review.table import REVIEW_TABLES
from analysis.runs.exports import DETECTION_TABLES
from analysis.series_page.fork_chart.exports import FORK_TABLES
from analysis.series_page.invocations import INVOCATION_TABLES
from analysis.series_page.overlay_file import OVERLAY_TABLES
from analysis.trend.exports import BENCHMARK_TABLES, TREND_TABLES
from analysis.trend.machines.exports import MACHINE_TABLES
from analysis.trend.two_builds.exports import TWO_BUILDS_TABLES
from analysis.web.page_tables import PageTables, table_view

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
    "least_sure.urls",
    "review.urls",
    "trend.urls",
    "planner.urls",
    "what_to_do.urls",
    "composition.urls",
    "series_page.urls",
    "event_lanes.urls",
)
CAMPAIGN_ROUTE: Final = "s/<slug:study>/campaigns/<slug:campaign>/"
DATASET_ROUTE: Final = "s/<slug:study>/data/<slug:dataset>/"
DOWNLOADS: Final[Mapping[str, tuple[str, PageTables[Any]]]] = {
    "campaign-agreement-file": (f"{CAMPAIGN_ROUTE}agreement.csv", AGREEMENT_TABLES),
    "change-scores-file": (f"{CAMPAIGN_ROUTE}change-scores.csv", CHANGE_SCORE_TABLES),
    "least-sure-file": (f"{CAMPAIGN_ROUTE}least-sure.csv", LEAST_SURE_TABLES),
    "composition-file": (f"{DATASET_ROUTE}composition.csv", COMPOSITION_TABLES),
    "detections-file": (f"{DATASET_ROUTE}detections.csv", DETECTION_TABLES),
    "plans-file": (f"{DATASET_ROUTE}plans.csv", PLAN_TABLES),
    "comparison-export": ("s/<slug:study>/comparison/export/", COMPARISON_TABLES),
    "cost-file": ("s/<slug:study>/comparison/cost/file/", COST_TABLES),
    "what-if-file": ("s/<slug:study>/comparison/what-if.csv", WHAT_IF_TABLES),
    "disagreements-file": ("s/<slug:study>/review.csv", REVIEW_TABLES),
    "trends-file": (f"{DATASET_ROUTE}trend.csv", TREND_TABLES),
    "trend-builds-file": (f"{DATASET_ROUTE}builds.csv", TWO_BUILDS_TABLES),
    "trend-machines-file": (f"{DATASET_ROUTE}machines.csv", MACHINE_TABLES),
    "trend-file": (f"{DATASET_ROUTE}b/<slug:benchmark>/trend.csv", BENCHMARK_TABLES),
    "benchmark-forks-file": (f"{DATASET_ROUTE}b/<slug:benchmark>/forks.csv", FORK_TABLES),
    "series-detections": ("s/<slug:study>/series/<str:series>/detections/", OVERLAY_TABLES),
    "series-events-file": ("s/<slug:study>/series/<str:series>/events.csv", EVENT_TABLES),
    "series-invocations-file": (
        "s/<slug:study>/series/<str:series>/invocations.csv",
        INVOCATION_TABLES,
    ),
    "harness-file": (f"{DATASET_ROUTE}harness/file/", HARNESS_TABLES),
}
"""Addresses of tables by the names of the routes."""

urlpatterns = [
    *(
        path(address, table_view(tables), name=name)
        for name, (address, tables) in DOWNLOADS.items()
    ),
    *(path("", include(f"analysis.{package}")) for package in PACKAGES),
]
