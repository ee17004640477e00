"""Address of the files of costs: what methods would take, and how far their results are off."""

from __future__ import annotations

from django.urls import path

from analysis.cost import views

urlpatterns = [
    path("s/<slug:study>/comparison/cost/file/", views.cost_file, name="cost-file"),
]
