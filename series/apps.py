"""The room "series" as Django sees it."""

from __future__ import annotations

from django.apps import AppConfig


class SeriesConfig(AppConfig):
    name = "series"
    default_auto_field = "django.db.models.BigAutoField"
