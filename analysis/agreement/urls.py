"""Addresses of people as instruments: how far they agree, and what hangs on each of them."""

from __future__ import annotations

from django.urls import path

from analysis.agreement import views

ONE = "s/<slug:study>/campaigns/<slug:campaign>/"

urlpatterns = [
    path(f"{ONE}agreement/", views.agreement, name="campaign-agreement"),
    path(f"{ONE}agreement.csv", views.file, name="campaign-agreement-file"),
]
