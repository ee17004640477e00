"""Addresses of runs and imported methods."""

from __future__ import annotations

from django.urls import path

from analysis.runs.job_kind import RunKind
from analysis.runs.views import imported_methods as imported, runs
from analysis.work import views as jobs

KIND = {"kind": RunKind.name}

RUNS, IMPORTED = "s/<slug:study>/runs/", "s/<slug:study>/runs/imported/"
RUN, METHOD = f"{RUNS}<str:run>/", f"{IMPORTED}<str:own>/"

urlpatterns = [
    path(RUNS, runs.runs_page, name="runs"),
    path(f"{RUNS}new/", runs.new_run, name="run-new"),
    path(RUN, runs.run_page, name="run"),
    path(f"{RUN}cancellation/", jobs.cancel, KIND, name="run-cancellation"),
    path(f"{RUN}retry/", jobs.retry, KIND, name="run-retry"),
    path(f"{RUN}left-out/", runs.leave_series_out_page, name="run-left-out"),
    path(f"{IMPORTED}new/", imported.own_methods, name="imported-methods"),
    path(f"{IMPORTED}series-to-answer/", imported.blank_table, name="imported-series-to-answer"),
    path(METHOD, imported.own_method, name="imported-method"),
    path(f"{METHOD}confirmation/", imported.confirmation, name="imported-method-confirmation"),
    path(f"{METHOD}removal/", imported.remove_imported_method_page, name="imported-method-removal"),
]
