"""Addresses of the room "annotate"."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotate.views import annotate

CAMPAIGN = "s/<slug:study>/campaigns/<slug:campaign>/"
TASK = f"{CAMPAIGN}annotate/<int:position>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(f"{CAMPAIGN}annotate/", annotate.next_task, name="annotate"),
    path(
        f"{CAMPAIGN}annotate/guide-readings/",
        annotate.add_guide_reading,
        name="annotate-guide-readings",
    ),
    path(TASK, annotate.task, name="annotate-task"),
    path(f"{TASK}data/", annotate.data, name="annotate-data"),
    path(f"{TASK}values/<str:alias>/", annotate.payload, name="annotate-payload"),
    path(
        f"{TASK}values/<str:alias>/window/",
        annotate.window_response,
        name="annotate-payload-window",
    ),
    path(f"{TASK}marks/", annotate.add_mark, name="annotate-marks"),
    path(f"{TASK}skips/", annotate.add_skip, name="annotate-skips"),
    path(f"{TASK}problems/", annotate.add_problem, name="annotate-problems"),
]
