"""The address of the file of an agreement; its figures are a tab of the campaign's page."""

from __future__ import annotations

from django.urls import path

from analysis.agreement import views

ONE = "s/<slug:study>/campaigns/<slug:campaign>/"

urlpatterns = [
    path(f"{ONE}agreement.csv", views.agreement_file, name="campaign-agreement-file"),
]
