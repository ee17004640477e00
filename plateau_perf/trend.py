"""`plateau trend FILE...`: how results of benchmarks move from build to build, out of files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from detectors.__main__ import ANSWERED, USAGE, UsageError, add_command, complain, reader_may_leave
from detectors.command.file_series import series_of_measurement
from detectors.contract import DetectorError
from detectors.registry import DEFAULT_METHOD, from_key
from detectors.trends.trend_files import (
    BenchmarkName,
    FileTrend,
    MeasuredBuild,
    StartOf,
    TrendCollector,
    last_half,
    report_rows,
    start_at,
    start_by_default,
    start_by_method,
)
from detectors.trends.trend_groups import PRECISION_TEXTS, USUAL, TrendPrecision
from detectors.trends.trend_reports import (
    NO_RESULT_STATUS,
    REGRESSION_STATUS,
    TrendReport,
    junit,
    markdown,
    report_lines,
)
from formats import Measurement
from plateau_perf import trend_rows
from plateau_perf.measured_files import series_in_files

HALF: Final = "half"
FIXED: Final = "fixed:"
START_HELP: Final = (
    f"half, fixed:N, or a method; default: {DEFAULT_METHOD}, and the last half of a series that "
    "is too short for it"
)


def add_trend(commands: Any) -> None:
    parser = add_command(commands, "trend", trend)
    parser.add_argument("files", metavar="FILE", nargs="+", help="files or folders")
    parser.add_argument("--start", metavar="CODE", default="", help=START_HELP)
    parser.add_argument(
        "--order", choices=("date", "build"), default="date", help="date: else as they are given"
    )
    parser.add_argument("--precision", metavar="BITS", default=str(USUAL), help=PRECISION_TEXTS)
    parser.add_argument(
        "--min-group", metavar="N", type=int, default=1, help="recordings of a level that counts"
    )
    parser.add_argument("--name", metavar="TEXT", default="", help="what the reports are called")
    parser.add_argument("--format", choices=("table", "csv", "json"), default="table")
    for name in ("junit", "markdown"):
        parser.add_argument(f"--{name}", metavar="FILE", type=Path, help="for a build server, too")
    parser.add_argument(
        "--fail-on-regression", action="store_true", help="status 1 if there is a new regression"
    )


def trend(options: argparse.Namespace) -> int:
    """Print how results move from build to build: a file a build, or a long CSV of many.

    A result is the mean of the steady part, averaged over forks. A file whose format names no
    recording, build or time is a build called like the file. Reports are written before anything is
    printed. Status 0: all files were read; 1: with --fail-on-regression, a regression is new;
    2: usage, or a file that cannot be read; 4: the newest build has no result.
    """
    rows, report, file_problems = _trends(options)
    _write(options.junit, junit(report))
    _write(options.markdown, markdown(report))
    with reader_may_leave():
        sys.stdout.writelines(_text(rows, report, options))
    for problem in file_problems:
        complain(problem)
    if file_problems:
        return USAGE
    if report.missing_results:
        complain(report.missing_results)
    if options.fail_on_regression and report.failing:
        return REGRESSION_STATUS
    return NO_RESULT_STATUS if report.compares_nothing else ANSWERED


def _text(
    rows: Sequence[FileTrend], report: TrendReport, options: argparse.Namespace
) -> Iterable[str]:
    if options.format == "table":
        return report_lines(report)
    if options.format == "csv":
        return trend_rows.as_csv(rows)
    report_fields = {
        "name": report.name,
        "start": report.start,
        "order": options.order,
        "precision": str(_precision(options.precision)),
        "recordings": report.recordings,
        "failing": len(report.failing),
    }
    return trend_rows.as_json(rows, report_fields)


def _trends(options: argparse.Namespace) -> tuple[list[FileTrend], TrendReport, list[object]]:
    precision, min_group = _precision(options.precision), options.min_group
    if min_group < 1:
        raise UsageError(f"--min-group: found {min_group}, expected 1 or more")
    collector, title = TrendCollector(_start(options.start)), options.start or DEFAULT_METHOD
    file_problems: list[object] = []
    for path, measurement in series_in_files(options.files, file_problems):
        name = BenchmarkName(measurement.system, measurement.benchmark, measurement.params)
        try:
            collector.take(
                name, _build(path, measurement), series_of_measurement(str(path), measurement)
            )
        except DetectorError as error:
            file_problems.append(f"{path}: {measurement.label}: {error}")
    rows = collector.trends(order=options.order, precision=precision, least_builds=min_group)
    report_facts = (f"{collector.builds} recordings by {options.order}",)
    report_name = options.name or Path(options.files[0]).stem
    newest_build = collector.newest(options.order)
    report = TrendReport(
        report_name, collector.builds, title, tuple(report_rows(rows)), report_facts, newest_build
    )
    return rows, report, file_problems


def _precision(text: str) -> TrendPrecision:
    try:
        return TrendPrecision.from_text(text)
    except ValueError:
        raise UsageError(f"--precision: found {text!r}, expected {PRECISION_TEXTS}") from None


def _start(code: str) -> StartOf:
    if not code:
        return start_by_default(from_key(DEFAULT_METHOD))
    if code == HALF:
        return last_half
    if code.startswith(FIXED):
        iteration_text = code.removeprefix(FIXED)
        if not iteration_text.isdecimal():
            raise UsageError(f"--start: found {code!r}, expected fixed: and an iteration")
        return start_at(int(iteration_text))
    return start_by_method(from_key(code))


def _build(path: Path, measurement: Measurement) -> MeasuredBuild:
    recording = measurement.recording
    label = (
        recording.label or recording.build or recording.measured_at or path.name.partition(".")[0]
    )
    return MeasuredBuild(label, recording.build, recording.measured_at)


def _write(path: Path | None, text: str) -> None:
    if path is None:
        return
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
