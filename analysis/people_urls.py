"""Addresses of people as instruments: how far they agree, and what hangs on each of them."""

from __future__ import annotations

from django.urls import path

from analysis.views import agreement, what_if

ONE = "s/<slug:study>/campaigns/<slug:campaign>/"

urlpatterns = [
    path(f"{ONE}agreement/", agreement.agreement, name="campaign-agreement"),
    path(f"{ONE}agreement/series/", agreement.series, name="campaign-agreement-series"),
    path(f"{ONE}agreement.csv", agreement.file, name="campaign-agreement-file"),
    path("s/<slug:study>/compare/what-if/", what_if.what_if, name="what-if"),
    path("s/<slug:study>/compare/what-if.csv", what_if.file, name="what-if-file"),
]
