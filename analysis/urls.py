"""Addresses of runs and comparisons."""

from __future__ import annotations

from django.urls import path

from analysis.views import (
    aids,
    compare,
    compare_more,
    explorations,
    online,
    overlay,
    own,
    report,
    results,
    review,
    runs,
    trend,
)

urlpatterns = [
    path("s/<slug:study>/runs/", runs.runs, name="runs"),
    path("s/<slug:study>/runs/new/", runs.new_run, name="run-new"),
    path("s/<slug:study>/runs/<str:run>/", runs.run, name="run"),
    path("s/<slug:study>/runs/<str:run>/cancellation/", runs.cancel, name="run-cancellation"),
    path("s/<slug:study>/runs/<str:run>/retry/", runs.retry, name="run-retry"),
    path("s/<slug:study>/explorations/", explorations.explorations, name="explorations"),
    path("s/<slug:study>/explorations/new/", explorations.new, name="exploration-new"),
    path(
        "s/<slug:study>/explorations/<str:exploration>/",
        explorations.exploration,
        name="exploration",
    ),
    path(
        "s/<slug:study>/explorations/<str:exploration>/file/",
        explorations.file,
        name="exploration-file",
    ),
    path(
        "s/<slug:study>/explorations/<str:exploration>/cancellation/",
        explorations.cancel,
        name="exploration-cancellation",
    ),
    path(
        "s/<slug:study>/explorations/<str:exploration>/retry/",
        explorations.retry,
        name="exploration-retry",
    ),
    path(
        "s/<slug:study>/explorations/<str:exploration>/removal/",
        explorations.removal,
        name="exploration-removal",
    ),
    path(
        "s/<slug:study>/explorations/<str:exploration>/presets/",
        explorations.take_over,
        name="exploration-presets",
    ),
    path(
        "s/<slug:study>/presets/<str:preset>/removal/",
        explorations.preset_removal,
        name="preset-removal",
    ),
    path("s/<slug:study>/own/", own.own_methods, name="own-methods"),
    path("s/<slug:study>/own/series-to-answer/", own.blank, name="own-series-to-answer"),
    path("s/<slug:study>/own/<str:own>/", own.own_method, name="own-method"),
    path(
        "s/<slug:study>/own/<str:own>/confirmation/",
        own.confirmation,
        name="own-method-confirmation",
    ),
    path("s/<slug:study>/own/<str:own>/removal/", own.removal, name="own-method-removal"),
    path("s/<slug:study>/compare/", compare.compare, name="compare"),
    path("s/<slug:study>/compare/series/", compare.series, name="compare-series"),
    path("s/<slug:study>/compare/queue/", compare.queue, name="compare-queue"),
    path("s/<slug:study>/compare/tests/", compare_more.tests, name="compare-tests"),
    path("s/<slug:study>/compare/figures/", compare_more.figures, name="compare-figures"),
    path("s/<slug:study>/compare/report/", report.report, name="compare-report"),
    path("s/<slug:study>/compare/export/", compare.export, name="compare-export"),
    path("s/<slug:study>/review/", review.review, name="review"),
    path("s/<slug:study>/review.csv", review.file, name="review-file"),
    path("s/<slug:study>/review/<str:series>/", review.case, name="review-case"),
    path("s/<slug:study>/review/<str:series>/decisions/", review.decide, name="review-decisions"),
    path("s/<slug:study>/series/<str:series>/manual-aids/", aids.aids, name="series-aids"),
    path("s/<slug:study>/series/<str:series>/results/", results.results, name="series-results"),
    path("s/<slug:study>/series/<str:series>/online/", online.online, name="series-online"),
    path("s/<slug:study>/series/<str:series>/evidence/", overlay.evidence, name="series-evidence"),
    path(
        "s/<slug:study>/series/<str:series>/detections/",
        overlay.detections,
        name="series-detections",
    ),
    path("s/<slug:study>/data/<slug:dataset>/trend/", trend.dataset, name="trends"),
    path("s/<slug:study>/data/<slug:dataset>/trend.csv", trend.dataset_file, name="trends-file"),
    path(
        "s/<slug:study>/data/<slug:dataset>/b/<slug:benchmark>/trend/",
        trend.benchmark,
        name="trend",
    ),
    path(
        "s/<slug:study>/data/<slug:dataset>/b/<slug:benchmark>/trend.csv",
        trend.benchmark_file,
        name="trend-file",
    ),
]
