"""`manage.py trend STUDY/DATASET`: how the results of benchmarks move over recordings."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError

from analysis.trend import ci_reports
from analysis.trend.exports import TREND_TABLES
from analysis.trend.starts import find_start, start_after_run
from analysis.trend.table import DatasetTrends, trends
from analysis.web.page_tables import TableRequest
from analysis.web.table_command import TableCommand
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from detectors.trends.trend_reports import NO_RESULT_STATUS, REGRESSION_STATUS
from people.repeated_option import add_option
from series.models import Benchmark, Dataset

REPORTS: Final[Mapping[str, Callable[[DatasetTrends], str]]] = {
    "junit": ci_reports.junit,
    "markdown": ci_reports.markdown,
}


class Command(TableCommand):
    help = (
        "Trends of a data set's benchmarks over its recordings, what needs a look first. "
        "A result is the mean of the steady part, averaged over forks. Reports are written before "
        "anything is printed. Status 1: with --fail-on-regression, a new regression; 2: a mistake; "
        "4: the newest recording has no result, so nothing was compared."
    )

    stealth_options = ("has_run",)  # the method that `nightly` has just run, as its key

    page_tables = TREND_TABLES
    what_help = "a row a benchmark, or a row for each change that was ever seen"

    def add_options(self, parser: ArgumentParser) -> None:
        benchmark_help = "only benchmarks with all these words in system, name or parameters"
        add_option(parser, "--benchmark", "WORDS", benchmark_help)
        super().add_options(parser)
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

    def compute(self, request: TableRequest, options: Mapping[str, Any]) -> DatasetTrends:
        dataset, (query,) = request.scope, request.queries
        benchmarks = named_benchmarks(dataset, options["benchmark"])
        key = options.get("has_run", "")
        start = start_after_run(dataset, key) if key else find_start(dataset, query.start)
        return trends(dataset, EVERYTHING, start, query=query, benchmarks=benchmarks)

    def write(self, result: DatasetTrends, table_name: str, options: Mapping[str, Any]) -> None:
        for name, render_report in REPORTS.items():
            if options[name]:
                destination.write_pieces([render_report(result)], options[name], self.stdout)
        super().write(result, table_name, options)
        if status := self._gate_status(result, may_fail=options["fail_on_regression"]):
            sys.exit(status)

    def _gate_status(self, dataset_trends: DatasetTrends, *, may_fail: bool) -> int:
        """Exit status of the command; what it means is said on standard error."""
        report = ci_reports.trend_report(dataset_trends)
        if sentence := report.missing_results:
            self.stderr.write(sentence)
        if may_fail and dataset_trends.failing:
            count = len(dataset_trends.failing)
            self.stderr.write(f"{count} benchmark{'' if count == 1 else 's'} with a new regression")
            return REGRESSION_STATUS
        return NO_RESULT_STATUS if report.compares_nothing else 0


def named_benchmarks(dataset: Dataset, word_groups: list[str]) -> list[Benchmark] | None:
    """Benchmarks that any of the texts names; None for all."""
    if not word_groups:
        return None
    all_benchmarks = list(dataset.benchmarks.all())
    matching_benchmarks = [
        benchmark
        for benchmark in all_benchmarks
        for name in [f"{benchmark.system} {benchmark.name} {benchmark.params}".lower()]
        if any(all(word in name for word in words.lower().split()) for words in word_groups)
    ]
    if not matching_benchmarks:
        names = ", ".join(benchmark.name for benchmark in all_benchmarks[:10]) or "none"
        raise CommandError(
            f"--benchmark: found {' '.join(word_groups)!r}, expected words of one of: {names}",
            returncode=2,
        )
    return matching_benchmarks
