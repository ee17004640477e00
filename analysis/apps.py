"""The room "analysis" as Django sees it."""

from __future__ import annotations

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "analysis"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Celery knows the task wherever Django runs, so that whoever queues can name it.
        import analysis.work.tasks  # noqa: F401

        # Methods ask for weights without reading a registry of this application.
        from analysis.training import weights
        from detectors.learned import crossfit
        from people.late_registry import register_later

        crossfit.register_weight_store(weights.TrainedWeights())
        register_later(self.register)

    def register(self) -> None:
        """Register what rooms below this one show and call; takes as long as all other loading."""
        from analysis.agreement.views import AGREEMENT
        from analysis.archive import archive_storage, settings_fold
        from analysis.archive.job_kind import ArchiveKind
        from analysis.comparison import kept_ranking, result_changes as comparison_consequences
        from analysis.least_sure.services import turns_by_certainty
        from analysis.methods import weight_sets
        from analysis.methods.catalogue import register_results
        from analysis.methods.playground import subjects
        from analysis.planner.kept_savings import keep_savings
        from analysis.references import review_status
        from analysis.removal.services import purge_expired
        from analysis.report.job_kind import ReportKind
        from analysis.review import case_page, open_case_count
        from analysis.runs import listed_kinds, preselections, services as runs, timing
        from analysis.runs.job_kind import RunKind
        from analysis.series_page import event_panel, invocations, overlay_page
        from analysis.series_page.fork_chart import strip
        from analysis.series_page.list_columns import AnswerColumns
        from analysis.site.nav_badges import badge_of_runs, state_of_runs
        from analysis.training import job_kind as training, listed_kind as training_list, weights
        from analysis.trend.series_page_link import trend_link_panel
        from analysis.trend.services import keep_summaries, tell_new_regressions
        from analysis.tuning import job_kind as tuning, listed_kind as tuning_list
        from analysis.what_to_do import page_links
        from analysis.work import duties, kinds
        from annotate import campaign_notices, consequences, exclusions
        from annotate.campaign_pages import campaign_tabs
        from annotate.campaigns import series_order
        from people import audit, nav_badges, outbox, settings_folds
        from series import columns, panels, shapes
        from series.importing import direction_changes
        from series.values import copies, stored_values

        direction_changes.register_direction_change(runs.forget_answers)
        duties.register_duties(
            *(purge_expired, tell_new_regressions, keep_summaries, keep_savings),
            campaign_notices.remind_of_few_left,
            *(outbox.send_due, outbox.forget_old_notices, shapes.refresh, audit.forget_old_events),
            archive_storage.purge_archives,
            *(copies.sketch_values, stored_values.delete_released_copies),
        )
        for kind in (
            RunKind(),
            tuning.ExplorationKind(),
            ReportKind(),
            ArchiveKind(),
            training.TrainingKind(),
        ):
            kinds.register_job_kind(kind)
        listed_kinds.register_listed_kinds(tuning_list.LISTED, training_list.LISTED)
        settings_folds.register_fold(settings_fold.FOLD)
        weight_sets.register_weight_sets(weights.weight_sets_of_study)
        providers: tuple[tuple[panels.Page, panels.Provider], ...] = (
            ("series", strip.fork_panels),
            ("series", invocations.invocation_panels),
            ("series", event_panel.event_panels),
            ("series", overlay_page.overlay_panels),
            ("series", subjects.playground_panels),
            ("series", case_page.exclusion_notices),
            ("series", page_links.of_series),
            ("series", trend_link_panel),
            ("imported", timing.run_timing_panels),
        )
        for page, provider in providers:
            panels.register_panel(page, provider)
        columns.register_columns(AnswerColumns())
        nav_badges.register_badge("runs", state_of_runs, badge_of_runs)
        nav_badges.register_badge(
            "disagreements",
            open_case_count.open_cases,
            open_case_count.open_cases_badge,
            keep=open_case_count.KEEP,
        )
        campaign_tabs.register_campaign_tab("agreement", AGREEMENT)
        campaign_tabs.register_campaign_tab("disagreements", open_case_count.DISAGREEMENTS)
        exclusions.register_exclusions(review_status.review_exclusions)
        least_sure_order = series_order.SeriesOrder("least sure first", turns_by_certainty)
        series_order.register_series_order("least-sure", least_sure_order)
        consequences.register_consequences(comparison_consequences.changes_of_marks)
        preselections.register_ranking(kept_ranking.study_ranking)
        register_results(timing.results_by_method)
