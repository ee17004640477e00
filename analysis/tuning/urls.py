"""Addresses of sensitivity and tuning."""

from __future__ import annotations

from django.urls import path

from analysis.tuning import views
from analysis.tuning.job_kind import ExplorationKind
from analysis.work import views as jobs

KIND = {"kind": ExplorationKind.name}

urlpatterns = [
    path("s/<slug:study>/tuning/", views.explorations, name="tuning"),
    path("s/<slug:study>/tuning/new/", views.new, name="exploration-new"),
    path(
        "s/<slug:study>/tuning/<str:exploration>/",
        views.exploration,
        name="exploration",
    ),
    path(
        "s/<slug:study>/tuning/<str:exploration>/file/",
        views.file,
        name="exploration-file",
    ),
    path(
        "s/<slug:study>/tuning/<str:exploration>/cancellation/",
        jobs.cancel,
        KIND,
        name="exploration-cancellation",
    ),
    path(
        "s/<slug:study>/tuning/<str:exploration>/retry/",
        jobs.retry,
        KIND,
        name="exploration-retry",
    ),
    path(
        "s/<slug:study>/tuning/<str:exploration>/removal/",
        views.removal,
        name="exploration-removal",
    ),
    path(
        "s/<slug:study>/tuning/<str:exploration>/presets/",
        views.take_over,
        name="exploration-presets",
    ),
    path(
        "s/<slug:study>/presets/<str:preset>/removal/",
        views.preset_removal,
        name="preset-removal",
    ),
]
