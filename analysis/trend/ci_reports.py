"""The trends of a data set in words, for terminals and build servers."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.trend.sentences import recording_name
from analysis.trend.table import BenchmarkTrend, DatasetTrends
from analysis.web.templatetags.results import percent_signed
from detectors.trends import trend_reports
from detectors.trends.trend_reports import ReportedTrend, TrendReport
from people.templatetags.writing import HARD, MINUS, THIN, si


def junit(dataset_trends: DatasetTrends) -> str:
    return trend_reports.junit(trend_report(dataset_trends))


def markdown(dataset_trends: DatasetTrends) -> str:
    return trend_reports.markdown(trend_report(dataset_trends))


def trend_report_lines(dataset_trends: DatasetTrends) -> Iterator[str]:
    return trend_reports.report_lines(trend_report(dataset_trends))


def trend_report(dataset_trends: DatasetTrends) -> TrendReport:
    order_word = (
        "build"
        if dataset_trends.query.order == "build"
        else "date"
        if dataset_trends.is_dated
        else "import"
    )
    window_phrase = (
        f"the newest {dataset_trends.read_count} of "
        if dataset_trends.read_count < dataset_trends.recording_count
        else ""
    )
    notes = [f"{window_phrase}{dataset_trends.recording_count} recordings by {order_word}"]
    if dataset_trends.excluded_count:
        notes.append(f"{dataset_trends.excluded_count} left out by a decision")
    rows = tuple(map(_reported_trend, dataset_trends.rows))
    name = str(dataset_trends.dataset)
    newest_name = recording_name(dataset_trends.newest) if dataset_trends.newest else ""
    return TrendReport(
        name,
        dataset_trends.read_count,
        dataset_trends.start.title,
        rows,
        tuple(notes),
        newest_name,
        is_complete=dataset_trends.query.alarm == "any",
    )


def _reported_trend(row: BenchmarkTrend) -> ReportedTrend:
    benchmark = row.benchmark
    return ReportedTrend(
        benchmark.system,
        benchmark.name,
        benchmark.params,
        _report_cells(row),
        row.state,
        regression=_regression_words(row),
        accepted=row.alarm.reason
        if row.alarm and row.state == "regression" and not row.fails
        else "",
        problem=row.problem,
        has_newest=row.has_newest,
    )


def _regression_words(row: BenchmarkTrend) -> str:
    """Change of the result by a new regression, and its first recording."""
    fresh_change = row.trend.fresh_regression if row.trend else None
    if fresh_change is None:
        return ""
    recording = recording_name(row.dots[fresh_change.at].recording)
    return f"{_plain_text(percent_signed(fresh_change.share))} since {recording}"


def _report_cells(row: BenchmarkTrend) -> tuple[str, ...]:
    trend, newest_change, benchmark = row.trend, row.newest, row.benchmark
    name = " ".join(word for word in (benchmark.short_name, benchmark.params) if word)
    count = str(len(row.dots))
    if trend is None:
        return (name, count, "-", "-", "-", "-", row.word)
    change = (
        "-"
        if newest_change is None
        else f"{percent_signed(newest_change.share)} {newest_change.pattern}"
    )
    difference_text = "-" if trend.against is None else percent_signed(trend.against)
    level, size = si(trend.level, benchmark.unit), str(trend.last_size)
    return tuple(map(_plain_text, (name, count, level, size, change, difference_text, row.word)))


def _plain_text(text: str) -> str:
    """Text for terminals: no thin spaces, and a minus that can be searched for."""
    return text.replace(THIN, "").replace(HARD, " ").replace(MINUS, "-")
