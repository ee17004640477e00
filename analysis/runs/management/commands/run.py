"""`manage.py run STUDY/DATASET --method SLUG…`: run detectors on a data set."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from analysis.methods.catalogue import available_methods, unavailable_methods
from analysis.runs import presets, services
from analysis.runs.models import Run
from analysis.runs.plan import NothingToRun, RunPlan, plan_run
from analysis.runs.presets import UnknownPreset
from analysis.runs.progress import RunSummary, run_summary
from analysis.runs.selection import SeriesSelection, UnknownSelection
from analysis.web.command_options import NAMES, mistakes
from analysis.work import command_line
from annotate.named_arguments import dataset_named
from detectors.contract import ParameterError
from detectors.methods.prepared import prepared_detector
from detectors.preparation.steps import CHOICES
from detectors.registry import DEFAULT_METHOD, UnknownDetector, from_key
from people.repeated_option import add_option
from series.models import Dataset

MISTAKES = (UnknownDetector, UnknownPreset, UnknownSelection, ParameterError, NothingToRun)


class Command(BaseCommand):
    help = (
        "Run detectors on the series of a data set. Stored answers are not computed again. "
        "Without --wait the run is queued for workers. With --wait this process works on it too, "
        "without any worker, and resumes the same run if it has not ended. "
        "Status 1: some series failed, or a method was not available for them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="STUDY/DATASET")
        method_help = (
            f"a slug, or one with parameters: 'kb-kssd?prob_window=300'; default: {DEFAULT_METHOD}"
        )
        add_option(parser, "--method", "SLUG", method_help)
        parser.add_argument(
            "--all", action="store_true", help="every method that can run here; names the others"
        )
        help_preset = "a method with the parameters of a preset of the study"
        add_option(parser, "--preset", "NAME", help_preset)
        prepare_help = "take noise, outliers or cycles off first; auto: where that helps the method"
        parser.add_argument("--prepare", choices=CHOICES, help=prepare_help)
        SeriesSelection.add_arguments(parser)
        parser.add_argument("--name", type=NAMES, default="", help="what pages call the run")
        parser.add_argument(
            "--again", action="store_true", help="compute what is stored again, and compare"
        )
        parser.add_argument("--wait", action="store_true", help="work until the run has ended")

    def handle(self, *args: Any, dataset: str, **options: Any) -> None:
        target_dataset = dataset_named(dataset)
        with mistakes(*MISTAKES):
            run = self._started(target_dataset, options)
        self.stdout.write(f"Run {run.public_id}: {run.get_absolute_url()}")
        command_line.wait_or_leave(self, run, wait=options["wait"])
        if options["wait"]:
            run.refresh_from_db()
            summary = run_summary(run)
            differing_words = (
                f", {summary.differing_count} with another result than stored" if run.again else ""
            )
            self.stdout.write(f"{run.get_state_display()}: {_counts(summary)}{differing_words}")
            for (slug, reason), count in summary.unavailable_counts.items():
                self.stdout.write(f"{slug}: {count} not available: {reason}")
            if not summary.is_well or run.state != Run.State.DONE:
                sys.exit(1)

    def _started(self, dataset: Dataset, options: dict[str, Any]) -> Run:
        selection = SeriesSelection.from_options(options, dataset=dataset.slug)
        selection.check(dataset.study)
        method_keys = [*options["method"], *(available_methods() if options["all"] else ())]
        keys = method_keys if method_keys or options["preset"] else [DEFAULT_METHOD]
        if options["all"]:
            for slug, reason in unavailable_methods().items():
                self.stdout.write(f"{slug} is left out: {reason}")
        keys += [
            presets.find_preset(dataset.study, name).detector_key for name in options["preset"]
        ]
        keys = [prepared_detector(from_key(key), options["prepare"]).key for key in keys]
        run_plan = plan_run(dataset.study, selection, keys, again=options["again"])
        self.stdout.write(run_plan_sentence(run_plan))
        arguments = {name: options[name] for name in ("name", "again")}
        arguments |= {"selection": selection, "keys": keys}
        arguments["queued"] = command_line.is_queued(wait=options["wait"])
        if not options["wait"]:
            return services.start_run(dataset.study, user=None, **arguments)
        run, is_continued = services.continue_or_start(dataset.study, **arguments)
        if is_continued:
            self.stdout.write("The same run had not ended: it goes on.")
        return run


def _counts(summary: RunSummary) -> str:
    """`7 answered (2 too short, 1 too long), 22 not available, 0 failed`."""
    unread_counts = (("too short", summary.too_short), ("too long", summary.too_long))
    unread_words = ", ".join(f"{count} {label}" for label, count in unread_counts if count)
    unread_note = f" ({unread_words})" if unread_words else ""
    missing_note = f", {summary.not_available} not available" if summary.not_available else ""
    return f"{summary.answered_count} answered{unread_note}{missing_note}, {summary.failed} failed"


def run_plan_sentence(run_plan: RunPlan) -> str:
    """`3 methods × 586 series = 1758 detections; 586 stored already; 1172 to compute`."""
    method_count, series_count = len(run_plan.detectors), run_plan.series_count
    return (
        f"{method_count} method{'' if method_count == 1 else 's'} × {series_count} series = "
        f"{run_plan.wanted_count} detections; {run_plan.stored_count} stored already; "
        f"{run_plan.missing_count} to compute"
    )
