"""Addresses of the report of a comparison."""

from __future__ import annotations

from typing import Final

from django.urls import path

from analysis.report import views
from analysis.report.job_kind import ReportKind
from analysis.work import views as jobs

KIND: Final = {"kind": ReportKind.name}
ONE: Final = "s/<slug:study>/reports/<str:report>/"

urlpatterns = [
    path("s/<slug:study>/comparison/report/", views.ask, name="comparison-report"),
    path(ONE, views.report, name="report"),
    path(f"{ONE}button/", views.button, name="report-button"),
    path(f"{ONE}document/", views.document, name="report-document"),
    path(f"{ONE}cancellation/", jobs.cancel, KIND, name="report-cancellation"),
    path(f"{ONE}retry/", jobs.retry, KIND, name="report-retry"),
]
