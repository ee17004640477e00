"""Addresses of the disagreements."""

from __future__ import annotations

from django.urls import path

from analysis.review import views

ONE = "s/<slug:study>/disagreements/<str:series>/"

urlpatterns = [
    path("s/<slug:study>/disagreements/", views.disagreements, name="disagreements"),
    path(ONE, views.case, name="disagreement"),
    path(f"{ONE}decisions/", views.decide, name="disagreement-decisions"),
]
