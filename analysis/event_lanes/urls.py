"""Addresses of events: for annotators of a campaign that shows them, and for owners to change."""

from __future__ import annotations

from django.urls import path

from analysis.event_lanes import views

SERIES = "s/<slug:study>/series/<str:series>/"

urlpatterns = [
    path(f"{SERIES}events/import/", views.import_page, name="series-events-import"),
    path(f"{SERIES}events/removal/", views.removal, name="series-events-removal"),
    path("s/<slug:study>/data/<slug:dataset>/events/", views.recording_page, name="dataset-events"),
    path(
        "s/<slug:study>/campaigns/<slug:campaign>/annotate/<int:position>/events/",
        views.events_of_task,
        name="annotate-events",
    ),
]
