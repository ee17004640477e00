"""Addresses of the composition of a data set."""

from __future__ import annotations

from django.urls import path

from analysis.composition import views

DATASET = "s/<slug:study>/data/<slug:dataset>/"

urlpatterns = [path(f"{DATASET}composition/", views.composition, name="composition")]
