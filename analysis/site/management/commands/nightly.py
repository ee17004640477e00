"""`manage.py nightly STUDY/DATASET FILE…`: import, run and trend of one night in one command."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from analysis.runs.models import Detection
from analysis.trend.management.commands.trend import NO_RESULT_STATUS
from annotate.named_arguments import dataset_named
from detectors.registry import DEFAULT_METHOD, from_key
from people.repeated_option import add_option


class Command(BaseCommand):
    help = (
        "Import the measurements of one night, run methods on them, and write the trend: "
        "import_series, run --wait and trend, one after the other. What is stored or computed "
        "already is not done again, so the same command goes on where it was stopped. The trend is "
        "written also where a method failed. Status 1: with --fail-on-regression a new regression, "
        "or a method failed; 4: this night has no result, or no method has an answer for it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="STUDY/DATASET", help="slugs; made if missing")
        parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="file or folder")
        parser.add_argument("--recording", metavar="LABEL", required=True, help="of this night")
        parser.add_argument("--build", metavar="B", default="", help="build or commit measured")
        parser.add_argument("--measured-at", metavar="TIME", help="such as 2026-03-14T02:00Z")
        parser.add_argument("--owner", metavar="NAME", help="owner of a study that is made")
        method_help = f"runs on the measurements; default: {DEFAULT_METHOD}"
        add_option(parser, "--method", "SLUG", method_help)
        parser.add_argument("--fail-on-regression", action="store_true")
        for report in ("junit", "markdown"):
            parser.add_argument(f"--{report}", metavar="FILE", type=Path)
        parser.add_argument("--output", metavar="FILE", type=Path, help="the trend's table")

    def handle(self, *args: Any, dataset: str, files: list[Path], **options: Any) -> None:
        streams = {"stdout": self.stdout, "stderr": self.stderr}
        recording = options["recording"]
        recording_options = {name: options[name] for name in ("build", "measured_at", "owner")}
        call_command(
            "import_series", dataset, *files, recording=recording, **recording_options, **streams
        )
        methods = options["method"] or [DEFAULT_METHOD]
        run_command = partial(
            call_command, "run", dataset, method=methods, recording=recording, wait=True, **streams
        )
        report_options = ("fail_on_regression", "junit", "markdown", "output")
        trend_options = {name: options[name] for name in report_options}
        statuses = [_exit_status(run_command)]  # an unknown method ends here
        trend_options["has_run"] = from_key(methods[0]).key
        statuses += [
            _exit_status(partial(call_command, "trend", dataset, **trend_options, **streams)),
            self._answer_status(dataset, recording, methods),
        ]
        if any(statuses):
            sys.exit(max(statuses))

    def _answer_status(self, dataset: str, recording: str, methods: Sequence[str]) -> int:
        """Exit status by the answers of the methods: a night without any has no result."""
        detections = Detection.objects.filter(
            series__benchmark__dataset=dataset_named(dataset),
            series__recording__label=recording,
            slug__in=[method.partition("?")[0] for method in methods],
        )
        if detections.filter(outcome=Detection.Outcome.ANSWER).exists():
            return 0
        self.stderr.write(
            f"No method has an answer for a series of {recording}: they are too short, or the "
            "methods failed; the run's page says which."
        )
        return NO_RESULT_STATUS


def _exit_status(command: Callable[[], object]) -> int:
    """Exit status of a command that says by `sys.exit` how it ended; a CommandError passes."""
    try:
        command()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0
