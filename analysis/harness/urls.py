"""Address of the files of what harnesses would have done."""

from __future__ import annotations

from django.urls import path

from analysis.harness import views

DATASET = "s/<slug:study>/data/<slug:dataset>/harness/"

urlpatterns = [
    path(f"{DATASET}file/", views.harness_file, name="harness-file"),
]
