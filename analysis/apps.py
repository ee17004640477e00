"""The room "analysis" as Django sees it."""

from __future__ import annotations

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "analysis"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Celery knows the task wherever Django runs, so that whoever queues can name it.
        import analysis.tasks  # noqa: F401, PLC0415
        from analysis import overlaying, together  # noqa: PLC0415  # models first
        from analysis.columns import AnswerColumns  # noqa: PLC0415
        from analysis.comparison.consequences import of_marks  # noqa: PLC0415
        from analysis.playground import panel  # noqa: PLC0415
        from analysis.review import page, sign, standing  # noqa: PLC0415
        from analysis.signs import sign_of_runs, state_of_runs  # noqa: PLC0415
        from analysis.trends.panel import link  # noqa: PLC0415
        from annotate import consequences, exclusions  # noqa: PLC0415
        from people import signs  # noqa: PLC0415
        from series import columns, panels  # noqa: PLC0415

        panels.register("series", overlaying.panels)
        panels.register("series", panel.panels)
        panels.register("series", page.notice)
        panels.register("benchmark", link)
        panels.register("benchmark", together.panels)
        columns.register(AnswerColumns())
        signs.register("runs", state_of_runs, sign_of_runs)
        signs.register("review", sign.open_cases, sign.said, keep=sign.KEEP)
        exclusions.register(standing.of_campaign)
        consequences.register(of_marks)
