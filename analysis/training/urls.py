"""Addresses of trainings."""

from __future__ import annotations

from typing import Final

from django.urls import path

from analysis.training import views
from analysis.training.job_kind import TrainingKind
from analysis.work import views as jobs

KIND: Final = {"kind": TrainingKind.name}
TRAINING: Final = "s/<slug:study>/runs/training/"
ONE: Final = f"{TRAINING}<str:training>/"

urlpatterns = [
    path(f"{TRAINING}new/", views.new_training, name="training-new"),
    path(ONE, views.training, name="training"),
    path(f"{ONE}cancellation/", jobs.cancel, KIND, name="training-cancellation"),
    path(f"{ONE}retry/", jobs.retry, KIND, name="training-retry"),
    path(f"{ONE}removal/", views.remove_training_page, name="training-removal"),
]
