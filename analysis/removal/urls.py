"""Addresses of renaming, removing, and what was removed."""

from __future__ import annotations

from django.urls import path

from analysis.removal import views

ONE = "s/<slug:study>/manage/<str:kind>/<str:thing>/"

urlpatterns = [
    path(f"{ONE}name/", views.rename, name="rename"),
    path(f"{ONE}removal/", views.remove, name="removal-new"),
    path("removed/", views.removed, name="removed"),
    path("removed/<str:removal>/restoration/", views.restore, name="removal-restoration"),
    path("removed/<str:removal>/purge/", views.purge, name="removal-purge"),
]
