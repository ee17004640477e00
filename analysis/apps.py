"""The room "analysis" as Django sees it."""

from __future__ import annotations

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "analysis"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Celery knows the task wherever Django runs, so that whoever queues can name it.
        import analysis.work.tasks  # noqa: F401, PLC0415

        # The following need models.
        from analysis.agreement.views import AGREEMENT  # noqa: PLC0415
        from analysis.archive import archive_storage, settings_fold  # noqa: PLC0415
        from analysis.archive.job_kind import ArchiveKind  # noqa: PLC0415
        from analysis.comparison import consequences as comparison_consequences, kept_ranking  # noqa: PLC0415
        from analysis.least_sure.services import turns_by_certainty  # noqa: PLC0415
        from analysis.methods import weight_sets  # noqa: PLC0415
        from analysis.methods.catalogue import register_results  # noqa: PLC0415
        from analysis.methods.playground import subjects  # noqa: PLC0415
        from analysis.references import review_status  # noqa: PLC0415
        from analysis.removal.services import purge_expired  # noqa: PLC0415
        from analysis.report.job_kind import ReportKind  # noqa: PLC0415
        from analysis.review import case_page, open_case_count  # noqa: PLC0415
        from analysis.runs import listed_kinds, preselections, services as runs, timing  # noqa: PLC0415
        from analysis.runs.job_kind import RunKind  # noqa: PLC0415
        from analysis.series_page import overlay_page  # noqa: PLC0415
        from analysis.series_page.fork_chart import strip  # noqa: PLC0415
        from analysis.series_page.list_columns import AnswerColumns  # noqa: PLC0415
        from analysis.site.nav_badges import badge_of_runs, state_of_runs  # noqa: PLC0415
        from analysis.training import (  # noqa: PLC0415
            job_kind as training,
            listed_kind as training_list,
            weights,
        )
        from analysis.trend.panel import link  # noqa: PLC0415
        from analysis.trend.services import tell_new_regressions  # noqa: PLC0415
        from analysis.tuning import job_kind as tuning, listed_kind as tuning_list  # noqa: PLC0415
        from analysis.what_to_do import page_links  # noqa: PLC0415
        from analysis.work import duties, kinds  # noqa: PLC0415
        from annotate import (  # noqa: PLC0415
            campaign_notices,
            campaign_tabs,
            consequences,
            exclusions,
            series_order,
        )
        from detectors.learned import crossfit  # noqa: PLC0415
        from people import audit, nav_badges, outbox, settings_folds  # noqa: PLC0415
        from series import (  # noqa: PLC0415
            columns,
            copies,
            direction_changes,
            panels,
            shapes,
            stored_values,
        )

        direction_changes.register(runs.forget_answers)
        duties.register(
            *(purge_expired, tell_new_regressions, campaign_notices.remind_of_few_left),
            *(outbox.send_due, outbox.forget_old, shapes.refresh, audit.forget_old),
            archive_storage.purge,
            *(copies.sketch_values, stored_values.delete_released),
        )
        for kind in (
            RunKind(),
            tuning.ExplorationKind(),
            ReportKind(),
            ArchiveKind(),
            training.TrainingKind(),
        ):
            kinds.register(kind)
        listed_kinds.register_listed(tuning_list.LISTED, training_list.LISTED)
        settings_folds.register_fold(settings_fold.FOLD)
        crossfit.register(weights.TrainedWeights())
        weight_sets.register(weights.sets_of)
        providers: tuple[tuple[panels.Page, panels.Provider], ...] = (
            ("series", strip.panels),
            ("series", overlay_page.panels),
            ("series", subjects.panels),
            ("series", case_page.notice),
            ("series", page_links.of_series),
            ("series", link),
            ("imported", timing.panels),
        )
        for page, provider in providers:
            panels.register(page, provider)
        columns.register(AnswerColumns())
        nav_badges.register_badge("runs", state_of_runs, badge_of_runs)
        nav_badges.register_badge(
            "disagreements",
            open_case_count.open_cases,
            open_case_count.open_cases_badge,
            keep=open_case_count.KEEP,
        )
        campaign_tabs.register("agreement", AGREEMENT)
        campaign_tabs.register("disagreements", open_case_count.DISAGREEMENTS)
        exclusions.register(review_status.of_campaign)
        least_sure = series_order.SeriesOrder("least sure first", turns_by_certainty)
        series_order.register("least-sure", least_sure)
        consequences.register(comparison_consequences.changes_of_marks)
        preselections.register_ranking(kept_ranking.study_ranking)
        register_results(timing.results_by_method)
