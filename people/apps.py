"""The room "people" as Django sees it."""

from __future__ import annotations

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "people"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from people import among_lookup  # noqa: F401, PLC0415  # a lookup of all fields
