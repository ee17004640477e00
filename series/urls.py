"""Addresses of data sets, benchmarks, series, their values and their import."""

from __future__ import annotations

from django.urls import path

from series.views import payload

urlpatterns = [
    path("payload/<slug:digest>.f32", payload.payload, name="payload"),
    path("payload/<slug:digest>/window", payload.window, name="payload-window"),
]
