"""Addresses of the download button of Compare."""

from __future__ import annotations

from typing import Final

from django.urls import path

from analysis.report import views

ONE: Final = "s/<slug:study>/reports/<str:report>/"

urlpatterns = [
    path("s/<slug:study>/comparison/report/", views.request_report, name="comparison-report"),
    path(ONE, views.report_page, name="report"),
    path(f"{ONE}button/", views.button, name="report-button"),
    path(f"{ONE}file/", views.report_file, name="report-file"),
]
