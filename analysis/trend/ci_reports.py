"""The trends of a data set in words, for terminals and build servers."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.trend.sentences import recording_name
from analysis.trend.table import BenchmarkTrend, DatasetTrends
from analysis.web.templatetags.results import percent_signed
from detectors.trends import trend_reports
from detectors.trends.trend_reports import ReportedTrend, TrendReport
from people.templatetags.writing import HARD, MINUS, THIN, si


def junit(found: DatasetTrends) -> str:
    return trend_reports.junit(trend_report(found))


def markdown(found: DatasetTrends) -> str:
    return trend_reports.markdown(trend_report(found))


def lines(found: DatasetTrends) -> Iterator[str]:
    return trend_reports.lines(trend_report(found))


def trend_report(found: DatasetTrends) -> TrendReport:
    order = "build" if found.asked.order == "build" else "date" if found.dated else "import"
    newest = f"the newest {found.recordings} of " if found.recordings < found.of else ""
    facts = [f"{newest}{found.of} recordings by {order}"]
    if found.excluded:
        facts.append(f"{found.excluded} left out by a decision")
    rows = tuple(map(_reported, found.rows))
    name = str(found.dataset)
    newest = recording_name(found.newest) if found.newest else ""
    return TrendReport(
        name,
        found.recordings,
        found.start.title,
        rows,
        tuple(facts),
        newest,
        is_complete=found.asked.alarm == "any",
    )


def _reported(row: BenchmarkTrend) -> ReportedTrend:
    one = row.benchmark
    return ReportedTrend(
        one.system,
        one.name,
        one.params,
        _cells(row),
        row.state,
        regression=_regression(row),
        accepted=_accepted(row),
        problem=row.problem,
        has_newest=row.has_newest,
    )


def _regression(row: BenchmarkTrend) -> str:
    """By how much a new regression moved the result, and with which recording."""
    fresh = row.trend.fresh if row.trend else None
    if fresh is None:
        return ""
    recording = recording_name(row.dots[fresh.at].recording)
    return f"{_plain(percent_signed(fresh.share))} since {recording}"


def _accepted(row: BenchmarkTrend) -> str:
    """Why a new regression fails no build."""
    return row.alarm.reason if row.alarm and row.state == "regression" and not row.fails else ""


def _cells(row: BenchmarkTrend) -> tuple[str, ...]:
    trend, jump, one = row.trend, row.newest, row.benchmark
    name = " ".join(part for part in (one.short_name, one.params) if part)
    count = str(len(row.dots))
    if trend is None:
        return (name, count, "-", "-", "-", "-", row.word)
    change = "-" if jump is None else f"{percent_signed(jump.share)} {jump.pattern}"
    best = "-" if trend.against is None else percent_signed(trend.against)
    level, size = si(trend.level, one.unit), str(trend.last_size)
    return tuple(map(_plain, (name, count, level, size, change, best, row.word)))


def _plain(text: str) -> str:
    """For terminals: no thin spaces, and a minus that can be searched for."""
    return text.replace(THIN, "").replace(HARD, " ").replace(MINUS, "-")
