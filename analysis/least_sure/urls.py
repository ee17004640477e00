"""Addresses of the series of a campaign that people look at first."""

from __future__ import annotations

from django.urls import path

from analysis.least_sure import views

CAMPAIGN = "s/<slug:study>/campaigns/<slug:campaign>/"

urlpatterns = [
    path(f"{CAMPAIGN}least-sure/", views.least_sure_page, name="least-sure"),
    path(f"{CAMPAIGN}least-sure.csv", views.file, name="least-sure-file"),
]
