"""Addresses of data sets, benchmarks, series, their values and their import."""

from __future__ import annotations

from django.urls import path

from series.views import data, imports, payload, series

urlpatterns = [
    path("s/<slug:study>/data/", data.datasets, name="datasets"),
    path("s/<slug:study>/data/<slug:dataset>/", data.dataset, name="dataset"),
    path("s/<slug:study>/data/<slug:dataset>/values.csv", data.values, name="dataset-values"),
    path(
        "s/<slug:study>/data/<slug:dataset>/b/<slug:benchmark>/", data.benchmark, name="benchmark"
    ),
    path("s/<slug:study>/series/<slug:series>/", series.series, name="series"),
    path("s/<slug:study>/series/<slug:series>/values.csv", series.values, name="series-values"),
    path("s/<slug:study>/series/<slug:series>/table/", series.table, name="series-table"),
    path("s/<slug:study>/import/", imports.imports, name="import"),
    path("s/<slug:study>/import/confirmation/", imports.confirmation, name="import-confirmation"),
    path("s/<slug:study>/import/<slug:import_id>/", imports.import_one, name="import-one"),
    path(
        "s/<slug:study>/import/<slug:import_id>/problems.csv",
        imports.problems,
        name="import-problems",
    ),
    path("s/<slug:study>/import/<slug:import_id>/removal/", imports.removal, name="import-removal"),
    path("payload/<slug:digest>.f32", payload.payload, name="payload"),
    path("payload/<slug:digest>/window", payload.window, name="payload-window"),
]
