"""Addresses of the pages around the work: home, study, help, status, health."""

from __future__ import annotations

from django.urls import path

from analysis.site.views import guide, overview, status

urlpatterns = [
    path("", overview.home, name="home"),
    path("s/<slug:study>/", overview.study, name="study"),
    path("s/<slug:study>/ranking/", overview.ranking, name="study-ranking"),
    path("s/<slug:study>/open-cases/", overview.review, name="study-review"),
    path("help/", guide.guide, name="help"),
    path("help/keys/", guide.keys, name="help-keys"),
    path("help/<slug:topic>/", guide.topic, name="help-topic"),
    path("help/decisions/<slug:decision>/", guide.design_decision, name="help-decision"),
    path("status/", status.status, name="status"),
    path("metrics", status.metrics, name="metrics"),  # where Prometheus looks by default
    path("health/", status.health_page, name="health"),
]
