"""Tables of trends: of the benchmarks of a data set, and of the recordings of a benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from analysis.trend import ci_reports
from analysis.trend.alarms import TrendAlarm
from analysis.trend.figures import trend_figure
from analysis.trend.query import TrendQuery
from analysis.trend.starts import UnknownStart, find_start
from analysis.trend.table import BenchmarkTrend, DatasetTrends, trends
from analysis.trend.trials import run_trials
from analysis.web.figures import WebFigure
from analysis.web.page_tables import (
    BENCHMARK,
    DATASET,
    PageTables,
    TableNotReady,
    TableRequest,
    column_table,
)
from detectors.trends.trend import Trend, TrendChange
from formats.tables import NAMING, Cell
from series.models import Dataset

Cells = Mapping[str, Cell]

# --- meanings of columns ----------------------------------------------------------------------
_BENCHMARK_COLUMNS: Final = {
    name: NAMING[name] for name in ("dataset", "dataset_name", "system", "benchmark", "params")
}
_CHANGE_COLUMNS: Final = {
    "change": "the newest change, as a share: 0.1 is 10 % more",
    "kind": "regression or progression",
    "pattern": "small, short, reverted, reversal, unconfirmed or ordinary",
    "partner": "recording of the change that it reverts, or that reverts it",
    "appeared_with": "recording that first showed the change",
}
_NEWEST_COLUMNS: Final = {
    name: meaning for name, meaning in _CHANGE_COLUMNS.items() if name != "partner"
}
_LEVEL_COLUMNS: Final = {
    "first_recording": "label of the first",
    "last_recording": "label of the last",
    "trend": "the present level, in the unit",
    "trend_deviation": "of the results on it, in the unit",
    "last_group": "recordings on that level",
    "last_group_since": "the first of them",
}
_BEST_COLUMNS: Final = {
    "long_term_best": "best trend that is older than a week",
    "long_term_best_recording": "its recording",
    "against_best": "the present level against it, as a share",
    "loss": "what is lost against it or by the newest change, as a share; 0 for none",
    "regressions": "how many",
    "progressions": "how many",
    "vanished": "changes that were found earlier and are no longer found",
    "late": "changes that a later recording showed",
}
_ALARM_COLUMNS: Final = {
    "alarm": "state of the alarm: new, confirmed, explained, fixed or ignored",
    "alarm_since": "recording that began it",
    "alarm_looks_fixed": "yes where the trend has returned and the alarm is still open",
    "assignee": "person it is assigned to",
    "note": "note",
    "commit": "address of its commit",
}
COLUMNS: Final = {
    **_BENCHMARK_COLUMNS,
    "unit": NAMING["unit"],
    "better": "less or more: which values are better",
    "better_by": "source: owner, unit, mode, or assumed",
    "start": "whose answer says where it is steady",
    "precision": "test, or bits of the greatest result, or abs: and a resolution in the unit",
    "as_of": "day as of which the trend is shown; empty for all recordings",
    "recordings": "recordings with a result",
    **_LEVEL_COLUMNS,
    **_NEWEST_COLUMNS,
    **_BEST_COLUMNS,
    "state": "regression, below, progression, level, single or none",
    "problem": "why there is no trend",
    "excluded": "forks that a review decision excludes",
    **_ALARM_COLUMNS,
}
DOT_COLUMNS: Final = {
    **{name: NAMING[name] for name in ("recording", "build", "measured_at")},
    "forks": "forks with a result",
    "forks_recorded": "forks that were measured",
    "result": "mean over the forks, in the unit",
    "half_width": "of its 95 % interval, in the unit: by how forks differ in all recordings "
    "together; of one fork by its iterations",
    "trials": "trials of its run; empty where values are iterations",
    "trial_deviation": "standard deviation of the trials (divisor n), in the unit",
    "group": "number of its level, from 0",
    "trend": "that level",
    "group_deviation": "standard deviation of the results on it (divisor n), in the unit",
    **_CHANGE_COLUMNS,
}
KNOWN_COLUMNS: Final = {
    **_BENCHMARK_COLUMNS,
    "kind": "regression or progression",
    "at": "recording that began it",
    "change": "as a share when first seen: 0.1 is 10 % more",
    "seen_with": "recording that showed it",
    "delay": "recordings from the one to the other",
    "gone_with": "recording from which on it is no longer found; empty where it still is",
    "moved_to": "recording that began the change of the same kind found instead",
}


# --- cells by column --------------------------------------------------------------------------
def _day_of_trends(dataset_trends: DatasetTrends) -> str | None:
    return dataset_trends.query.as_of.isoformat() if dataset_trends.query.as_of else None


def _label(row: BenchmarkTrend, dot_index: int | None) -> str | None:
    return None if dot_index is None else row.dots[dot_index].recording.label


def _benchmark_cells(dataset: Dataset, row: BenchmarkTrend) -> Cells:
    benchmark = row.benchmark
    return {
        "dataset": dataset.slug,
        "dataset_name": dataset.name,
        "system": benchmark.system,
        "benchmark": benchmark.name,
        "params": benchmark.params,
    }


def _trend_rows(dataset_trends: DatasetTrends) -> Iterator[Cells]:
    """A row for each benchmark, in the order of the page."""
    for row in dataset_trends.rows:
        yield {
            **_benchmark_cells(dataset_trends.dataset, row),
            "unit": row.benchmark.unit,
            "better": row.direction.better,
            "better_by": row.direction.source,
            "start": dataset_trends.start.code,
            "precision": str(dataset_trends.query.precision),
            "as_of": _day_of_trends(dataset_trends),
            "recordings": len(row.dots),
            **_level_cells(row, row.trend),
            **_change_cells(row, row.newest),
            "state": row.state,
            "problem": row.problem,
            "excluded": row.excluded_count,
            **_alarm_cells(row.alarm),
        }


def _level_cells(row: BenchmarkTrend, trend: Trend | None) -> Cells:
    """Cells of the present level and of the best one; empty without a trend."""
    if trend is None:
        return dict.fromkeys({**_LEVEL_COLUMNS, **_BEST_COLUMNS})
    return {
        "first_recording": _label(row, 0),
        "last_recording": _label(row, -1),
        "trend": trend.level,
        "trend_deviation": trend.deviation,
        "last_group": trend.last_size,
        "last_group_since": _label(row, trend.groups[-1].start),
        "long_term_best": trend.best,
        "long_term_best_recording": _label(row, trend.best_at),
        "against_best": trend.against,
        "loss": trend.loss,
        "regressions": trend.count("regression"),
        "progressions": trend.count("progression"),
        "vanished": len(trend.vanished),
        "late": len(trend.late),
    }


def _change_cells(row: BenchmarkTrend, change: TrendChange | None) -> Cells:
    """Cells of a change; empty without one."""
    if change is None:
        return dict.fromkeys(_CHANGE_COLUMNS)
    return {
        "change": change.share,
        "kind": change.kind,
        "pattern": change.pattern,
        "partner": _label(row, change.partner),
        "appeared_with": _label(row, change.shown),
    }


def _alarm_cells(alarm: TrendAlarm | None) -> Cells:
    """Cells of an alarm; empty without one."""
    if alarm is None:
        return dict.fromkeys(_ALARM_COLUMNS)
    stored_alarm = alarm.stored_alarm
    return {
        "alarm": str(alarm.state),
        "alarm_since": alarm.first_recording.label,
        "alarm_looks_fixed": "yes" if alarm.looks_fixed else "",
        "assignee": stored_alarm.assignee.name if stored_alarm and stored_alarm.assignee else "",
        "note": stored_alarm.note if stored_alarm else "",
        "commit": stored_alarm.commit if stored_alarm else "",
    }


def _dot_rows(dataset_trends: DatasetTrends) -> Iterator[Cells]:
    """A row for each recording of the benchmark, the oldest first."""
    for row in dataset_trends.rows:
        groups, jumps = (row.trend.groups, row.trend.jumps) if row.trend else ((), ())
        change_by_dot = {jump.at: jump for jump in reversed(jumps)}
        trials = run_trials(row.benchmark, [dot.series for dot in row.dots])
        for dot_index, (dot, half_width) in enumerate(zip(row.dots, row.half_widths, strict=True)):
            numbered_groups = (pair for pair in enumerate(groups) if dot_index < pair[1].stop)
            group_number, group = next(numbered_groups, (None, None))
            measurement_day = dot.recording.measured_at
            yield {
                "recording": dot.recording.label,
                "build": dot.recording.build,
                "measured_at": measurement_day.isoformat() if measurement_day else None,
                "forks": dot.fork_count,
                "forks_recorded": dot.recorded_count,
                "result": dot.result,
                "half_width": half_width,
                "trials": trials[dot_index].size if dot_index in trials else None,
                "trial_deviation": float(trials[dot_index].std()) if dot_index in trials else None,
                "group": group_number,
                "trend": group.mean if group else None,
                "group_deviation": group.deviation if group else None,
                **_change_cells(row, change_by_dot.get(dot_index)),
            }


def _known_change_rows(dataset_trends: DatasetTrends) -> Iterator[Cells]:
    """A row for each change that was ever seen, by benchmark in the order of the page."""
    for row in dataset_trends.rows:
        for change in row.trend.known if row.trend else ():
            yield {
                **_benchmark_cells(dataset_trends.dataset, row),
                "kind": change.kind,
                "at": _label(row, change.at),
                "change": change.share,
                "seen_with": _label(row, change.seen),
                "delay": change.delay,
                "gone_with": _label(row, change.gone),
                "moved_to": _label(row, change.moved),
            }


# --- which tables there are -------------------------------------------------------------------
# Most means that a page or a download computes, in a second or two; the next visit computes
# further ones.
MOST_MEANS: Final = 4000


def check_all_computed(waiting_count: int) -> None:
    """Raise TableNotReady while the means of `waiting_count` series are missing in a download."""
    if waiting_count:
        sentence = f"the results of {waiting_count:,} series are still to be computed: ask again"
        raise TableNotReady(sentence, retry_seconds=1)


def _read_trends(request: TableRequest) -> DatasetTrends:
    """Trends of a data set, or of one benchmark, by the start that the settings name.

    Raises TableNotReady while a download has computed a part of the results.
    """
    scope, (query,) = request.scope, request.queries
    dataset, benchmarks = (scope, None) if isinstance(scope, Dataset) else (scope.dataset, [scope])
    dataset_trends = trends(
        dataset,
        request.reader,
        find_start(dataset, query.start),
        query=query if benchmarks is None else query.changed(alarm="any"),
        benchmarks=benchmarks,
        most_trends=MOST_MEANS,
    )
    check_all_computed(dataset_trends.waiting_count)
    return dataset_trends


def _settings_and_counts(dataset_trends: DatasetTrends, table_name: str) -> dict[str, Any] | None:
    if table_name != "trends":
        return None
    return {
        "dataset": dataset_trends.dataset.slug,
        "dataset_name": dataset_trends.dataset.name,
        "study": dataset_trends.dataset.study.slug,
        "start": dataset_trends.start.code,
        "order": dataset_trends.query.order,
        "as_of": _day_of_trends(dataset_trends),
        "precision": str(dataset_trends.query.precision),
        "days_known": dataset_trends.is_dated,
        "recordings": dataset_trends.read_count,
        "hidden_until_answered": dataset_trends.hidden_count,
        "excluded_in_review": dataset_trends.excluded_count,
        "regressions": len(dataset_trends.regressions),
        "failing": len(dataset_trends.failing),
    }


def _figure(dataset_trends: DatasetTrends) -> WebFigure | None:
    (row,) = dataset_trends.rows
    return trend_figure(dataset_trends, row)


TREND_TABLES: Final = PageTables(
    scope=DATASET,
    queries={TrendQuery: ()},
    compute=_read_trends,
    tables={
        "trends": column_table("Benchmarks", COLUMNS, _trend_rows),
        "changes": column_table("Changes that were ever seen", KNOWN_COLUMNS, _known_change_rows),
    },
    refusals=(UnknownStart,),
    about=_settings_and_counts,
    lines=lambda dataset_trends, name: (
        ci_reports.trend_report_lines(dataset_trends) if name == "trends" else None
    ),
)
BENCHMARK_TABLES: Final = PageTables(
    scope=BENCHMARK,
    queries={TrendQuery: ()},
    compute=_read_trends,
    tables={"trend": column_table("Recordings of a benchmark", DOT_COLUMNS, _dot_rows)},
    refusals=(UnknownStart,),
    figures={"trend": _figure},
)
