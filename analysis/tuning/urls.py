"""Addresses of sensitivity and tuning."""

from __future__ import annotations

from django.urls import path

from analysis.tuning import views
from analysis.tuning.job_kind import ExplorationKind
from analysis.work import views as jobs

KIND = {"kind": ExplorationKind.name}

TUNING = "s/<slug:study>/runs/sensitivity/"
ONE = f"{TUNING}<str:exploration>/"
PRESET = "s/<slug:study>/presets/<str:preset>/removal/"

urlpatterns = [
    path(f"{TUNING}new/", views.new_exploration, name="tuning-new"),
    path(ONE, views.exploration, name="exploration"),
    path(f"{ONE}file/", views.tuning_file, name="tuning-file"),
    path(f"{ONE}cancellation/", jobs.cancel, KIND, name="tuning-cancellation"),
    path(f"{ONE}retry/", jobs.retry, KIND, name="tuning-retry"),
    path(f"{ONE}removal/", views.remove_exploration_page, name="tuning-removal"),
    path(f"{ONE}presets/", views.take_preset_page, name="tuning-presets"),
    path(PRESET, views.preset_removal, name="preset-removal"),
]
