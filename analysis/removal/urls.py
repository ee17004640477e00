"""Addresses of renaming, removing, and what was removed."""

from __future__ import annotations

from django.urls import path

from analysis.removal import views

ONE = "s/<slug:study>/manage/<str:kind>/<str:thing>/"

urlpatterns = [
    path(f"{ONE}name/", views.rename_page, name="rename"),
    path(f"{ONE}removal/", views.remove_page, name="removal-new"),
    path("removed/", views.removed_things, name="removed"),
    path("removed/<str:removal>/restoration/", views.restore_page, name="removal-restoration"),
    path("removed/<str:removal>/purge/", views.purge_page, name="removal-purge"),
]
