"""Addresses of runs and imported methods."""

from __future__ import annotations

from django.urls import path

from analysis.runs.job_kind import RunKind
from analysis.runs.views import imported_methods, runs
from analysis.work import views as jobs

KIND = {"kind": RunKind.name}

urlpatterns = [
    path("s/<slug:study>/runs/", runs.runs, name="runs"),
    path("s/<slug:study>/runs/new/", runs.new_run, name="run-new"),
    path("s/<slug:study>/runs/<str:run>/", runs.run, name="run"),
    path("s/<slug:study>/runs/<str:run>/cancellation/", jobs.cancel, KIND, name="run-cancellation"),
    path("s/<slug:study>/runs/<str:run>/retry/", jobs.retry, KIND, name="run-retry"),
    path("s/<slug:study>/imported-methods/", imported_methods.own_methods, name="imported-methods"),
    path(
        "s/<slug:study>/imported-methods/series-to-answer/",
        imported_methods.blank,
        name="imported-series-to-answer",
    ),
    path(
        "s/<slug:study>/imported-methods/<str:own>/",
        imported_methods.own_method,
        name="imported-method",
    ),
    path(
        "s/<slug:study>/imported-methods/<str:own>/confirmation/",
        imported_methods.confirmation,
        name="imported-method-confirmation",
    ),
    path(
        "s/<slug:study>/imported-methods/<str:own>/removal/",
        imported_methods.removal,
        name="imported-method-removal",
    ),
]
