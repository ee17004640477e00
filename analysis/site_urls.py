"""Addresses of the pages around the work: home, study, methods, help, status, health."""

from __future__ import annotations

from django.urls import path

from analysis.views import (
    catalogue,
    export,
    help,  # noqa: A004  # the page is called so
    overview,
    playground,
    status,
)

urlpatterns = [
    path("", overview.home, name="home"),
    path("s/<slug:study>/", overview.study, name="study"),
    path("s/<slug:study>/export/", export.export, name="export"),
    path("s/<slug:study>/export/file/", export.file, name="export-file"),
    path("s/<slug:study>/export/about/", export.about, name="export-about"),
    path("playground/", playground.playground, name="playground"),
    path("playground/example/", playground.example, name="playground-example"),
    path("playground/values/", playground.values, name="playground-values"),
    path("playground/answers/", playground.answers, name="playground-answers"),
    path("methods/", catalogue.methods, name="methods"),
    path("methods/<slug:slug>/", catalogue.method, name="method"),
    path("help/", help.guide, name="help"),
    path("help/keys/", help.keys, name="help-keys"),
    path("help/<slug:topic>/", help.topic, name="help-topic"),
    path("status/", status.status, name="status"),
    path("health/", status.health_page, name="health"),
]
