"""The room "annotate" as Django sees it."""

from __future__ import annotations

from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from people.late_registry import register_later

        register_later(self.register)

    def register(self) -> None:
        """Register what rooms below this one show and call."""
        from annotate.campaign_pages import campaign_tabs
        from annotate.campaigns import invitations
        from annotate.drafts import after_import
        from annotate.views import campaign_page
        from people import joining
        from series import panels

        campaign_tabs.register_campaign_tab("progress", campaign_page.PROGRESS)
        campaign_tabs.register_campaign_tab("truth", campaign_page.TRUTH)
        joining.register_purpose(invitations.PURPOSE)
        panels.register_panel("imported", after_import.campaign_panels)
