"""The room "annotate" as Django sees it."""

from __future__ import annotations

from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotate import after_import, invitations  # noqa: PLC0415  # needs models
        from people import joining  # noqa: PLC0415
        from series import panels  # noqa: PLC0415

        joining.register(invitations.PURPOSE)
        panels.register("imported", after_import.panels)
