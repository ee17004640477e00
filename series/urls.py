"""Addresses of data sets, benchmarks, series, their values and their import."""

from __future__ import annotations

from django.urls import path

from series.views import data, import_jobs, imports, payload, series

BENCHMARK = "s/<slug:study>/data/<slug:dataset>/b/<slug:benchmark>/"

urlpatterns = [
    path("s/<slug:study>/data/", data.datasets, name="datasets"),
    path("s/<slug:study>/data/<slug:dataset>/", data.dataset, name="dataset"),
    path(
        "s/<slug:study>/data/<slug:dataset>/values.csv", data.dataset_values, name="dataset-values"
    ),
    path(BENCHMARK, data.first_fork, name="benchmark"),
    path(f"{BENCHMARK}forks/", data.first_fork, name="benchmark-forks"),
    path(f"{BENCHMARK}direction/", data.direction, name="benchmark-direction"),
    path("s/<slug:study>/series/<slug:series>/", series.series_page, name="series"),
    path(
        "s/<slug:study>/series/<slug:series>/values.csv", series.series_values, name="series-values"
    ),
    path(
        "s/<slug:study>/series/<slug:series>/table/", series.values_table_page, name="series-table"
    ),
    path("s/<slug:study>/import/", imports.imports, name="import"),
    path(
        "s/<slug:study>/import/confirmation/", import_jobs.confirmation, name="import-confirmation"
    ),
    path("s/<slug:study>/import/forecast/", import_jobs.forecast, name="import-forecast"),
    path("s/<slug:study>/import/<slug:import_id>/", imports.import_page, name="import-one"),
    path(
        "s/<slug:study>/import/<slug:import_id>/problems.csv",
        imports.problems,
        name="import-problems",
    ),
    path(
        "s/<slug:study>/import/<slug:import_id>/removal/",
        imports.discard_import_page,
        name="import-removal",
    ),
    path(
        "s/<slug:study>/import/<slug:import_id>/progress/",
        import_jobs.progress,
        name="import-progress",
    ),
    path(
        "s/<slug:study>/import/<slug:import_id>/cancellation/",
        import_jobs.cancellation,
        name="import-cancellation",
    ),
    path("payload/<slug:digest>.f32", payload.payload, name="payload"),
    path("payload/<slug:digest>/window", payload.payload_window, name="payload-window"),
]
