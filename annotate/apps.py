"""The room "annotate" as Django sees it."""

from __future__ import annotations

from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # These need models.
        from annotate import after_import, campaign_tabs, invitations  # noqa: PLC0415
        from annotate.views import campaign_page  # noqa: PLC0415
        from people import joining  # noqa: PLC0415
        from series import panels  # noqa: PLC0415

        campaign_tabs.register("progress", campaign_page.PROGRESS)
        campaign_tabs.register("truth", campaign_page.TRUTH)
        joining.register(invitations.PURPOSE)
        panels.register("imported", after_import.panels)
