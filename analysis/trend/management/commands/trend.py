"""`manage.py trend STUDY/DATASET`: how the results of benchmarks move over recordings."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from analysis.trend import ci_reports, exports
from analysis.trend.query import TrendQuery
from analysis.trend.starts import UnknownStart, start_after_run, start_named
from analysis.trend.table import DatasetTrends, trends
from analysis.web import command_output
from analysis.web.command_options import mistakes
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import dataset_named
from detectors.trends.trend_reports import NO_RESULT_STATUS, REGRESSION_STATUS
from formats import tables
from people.repeated_option import add_repeated
from series.models import Benchmark, Dataset

REPORTS: Final[Mapping[str, Callable[[DatasetTrends], str]]] = {
    "junit": ci_reports.junit,
    "markdown": ci_reports.markdown,
}


class Command(BaseCommand):
    help = (
        "Trends of a data set's benchmarks over its recordings, what needs a look first. "
        "A result is the mean of the steady part, averaged over forks. Reports are written before "
        "anything is printed. Status 1: with --fail-on-regression, a new regression; 2: a mistake; "
        "4: the newest recording has no result, so nothing was compared."
    )

    stealth_options = ("has_run",)  # the method that `nightly` has just run, as its key

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="STUDY/DATASET")
        named = "only benchmarks with all these words in system, name or parameters"
        add_repeated(parser, "--benchmark", "WORDS", named)
        TrendQuery.add_arguments(parser)
        parser.add_argument(
            "--what",
            choices=("trends", "changes"),
            default="trends",
            help="a row a benchmark, or a row for each change that was ever seen",
        )
        parser.add_argument(
            "--fail-on-regression",
            action="store_true",
            help="status 1 if a regression appeared within the last week, was not reverted, "
            "and is neither explained nor ignored",
        )
        for name in REPORTS:
            parser.add_argument(
                f"--{name}", metavar="FILE", type=Path, help="for a build server, too"
            )
        command_output.add_arguments(parser, "table", "csv", "json")

    def handle(self, *args: Any, dataset: str, **options: Any) -> None:
        found = self._found(dataset_named(dataset), options)
        for name, written in REPORTS.items():
            if options[name]:
                destination.write([written(found)], options[name], self.stdout)
        if options["what"] == "changes":
            columns, rows = exports.KNOWN_COLUMNS, exports.known_rows(found)
            command_output.write_table(
                options,
                self.stdout,
                tables.names(columns),
                (tables.cells(columns, row) for row in rows),
                document=lambda: [{each.name: each.cell(row) for each in columns} for row in rows],
            )
        else:
            self._write_trends(found, options)
        if status := self._gate_status(found, fails=options["fail_on_regression"]):
            sys.exit(status)

    def _gate_status(self, found: DatasetTrends, *, fails: bool) -> int:
        """Exit status of the command; what it means is said on standard error."""
        report = ci_reports.trend_report(found)
        if sentence := report.missing_results:
            self.stderr.write(sentence)
        if fails and found.failing:
            count = len(found.failing)
            self.stderr.write(f"{count} benchmark{'' if count == 1 else 's'} with a new regression")
            return REGRESSION_STATUS
        return NO_RESULT_STATUS if report.compares_nothing else 0

    def _write_trends(self, found: DatasetTrends, options: dict[str, Any]) -> None:
        command_output.write_table(
            options,
            self.stdout,
            tables.names(exports.COLUMNS),
            (tables.cells(exports.COLUMNS, row) for row in exports.trend_rows(found)),
            document=partial(exports.trend_document, found),
            text=partial(ci_reports.lines, found),
        )

    def _found(self, dataset: Dataset, options: dict[str, Any]) -> DatasetTrends:
        chosen = _benchmarks(dataset, options["benchmark"])
        asked = TrendQuery.from_options(options)
        key = options.get("has_run", "")
        with mistakes(UnknownStart):
            start = start_after_run(dataset, key) if key else start_named(dataset, asked.start)
        return trends(dataset, EVERYTHING, start, asked=asked, benchmarks=chosen)


def _benchmarks(dataset: Dataset, asked: list[str]) -> list[Benchmark] | None:
    """Those that any of the texts names; None for all."""
    if not asked:
        return None
    everything = list(dataset.benchmarks.all())
    found = [one for one in everything if any(_named(one, text) for text in asked)]
    if not found:
        names = ", ".join(one.name for one in everything[:10]) or "none"
        raise CommandError(
            f"--benchmark: found {' '.join(asked)!r}, expected words of one of: {names}",
            returncode=2,
        )
    return found


def _named(one: Benchmark, text: str) -> bool:
    whole = f"{one.system} {one.name} {one.params}".lower()
    return all(word in whole for word in text.lower().split())
