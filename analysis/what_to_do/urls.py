"""Address of the page that says what to do."""

from __future__ import annotations

from django.urls import path

from analysis.what_to_do import views

urlpatterns = [path("s/<slug:study>/what-to-do/", views.what_to_do, name="what-to-do")]
