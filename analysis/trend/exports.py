"""Tables of trends: of the benchmarks of a data set, and of the recordings of a benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from analysis.trend import ci_reports
from analysis.trend.alarms import TrendAlarm
from analysis.trend.query import TrendQuery
from analysis.trend.starts import UnknownStart, start_named
from analysis.trend.table import BenchmarkTrend, DatasetTrends, TrendDot, trends
from analysis.web.page_tables import BENCHMARK, DATASET, PageTables, TableRequest, declared_table
from detectors.trends.trend import Trend, TrendChange, TrendLevel
from detectors.trends.trend_groups import KnownChange
from formats.tables import TableColumn
from series.models import Dataset


@dataclass(frozen=True, slots=True)
class ExportedTrend:
    """A benchmark as a row of the file of its data set."""

    found: DatasetTrends
    row: BenchmarkTrend


class _WithTrend(NamedTuple):
    row: BenchmarkTrend
    trend: Trend


class _WithChange(NamedTuple):
    row: BenchmarkTrend
    change: TrendChange


@dataclass(frozen=True, slots=True)
class ExportedDot:
    """A recording, the one at place `at`, as a row of the file of its benchmark."""

    row: BenchmarkTrend
    at: int
    half: float | None

    @property
    def dot(self) -> TrendDot:
        return self.row.dots[self.at]

    @property
    def group(self) -> tuple[int, TrendLevel] | None:
        groups = self.row.trend.groups if self.row.trend else ()
        return next(
            (
                numbered_level
                for numbered_level in enumerate(groups)
                if self.at < numbered_level[1].stop
            ),
            None,
        )

    @property
    def change(self) -> _WithChange | None:
        jumps = self.row.trend.jumps if self.row.trend else ()
        return next((_WithChange(self.row, jump) for jump in jumps if jump.at == self.at), None)


@dataclass(frozen=True, slots=True)
class ExportedKnown:
    """A change of a benchmark that was seen at some time, as a row of a file."""

    found: DatasetTrends
    row: BenchmarkTrend
    change: KnownChange


def _as_of(dataset_trends: DatasetTrends) -> str | None:
    return dataset_trends.asked.as_of.isoformat() if dataset_trends.asked.as_of else None


def _label(row: BenchmarkTrend, dot_index: int | None) -> str | None:
    return None if dot_index is None else row.dots[dot_index].recording.label


def _when(dot: TrendDot) -> str | None:
    when = dot.recording.measured_at
    return when.isoformat() if when else None


def _with_trend(exported_trend: ExportedTrend) -> _WithTrend | None:
    return (
        _WithTrend(exported_trend.row, exported_trend.row.trend)
        if exported_trend.row.trend
        else None
    )


def _with_newest(exported_trend: ExportedTrend) -> _WithChange | None:
    return (
        _WithChange(exported_trend.row, exported_trend.row.newest)
        if exported_trend.row.newest
        else None
    )


TrendColumn: TypeAlias = TableColumn[ExportedTrend]
DotColumn: TypeAlias = TableColumn[ExportedDot]
_SHARE: Final[TableColumn[_WithChange]] = TableColumn(
    "change", lambda one: one.change.share, "the newest change, as a share: 0.1 is 10 % more"
)
_KIND: Final[TableColumn[_WithChange]] = TableColumn(
    "kind", lambda one: one.change.kind, "regression or progression"
)
_PATTERN: Final[TableColumn[_WithChange]] = TableColumn(
    "pattern",
    lambda one: one.change.pattern,
    "small, short, reverted, reversal, unconfirmed or ordinary",
)
_PARTNER: Final[TableColumn[_WithChange]] = TableColumn(
    "partner",
    lambda one: _label(one.row, one.change.partner),
    "recording of the change that it reverts, or that reverts it",
)
_APPEARED: Final[TableColumn[_WithChange]] = TableColumn(
    "appeared_with",
    lambda one: _label(one.row, one.change.shown),
    "recording that first showed the change",
)
_OF_TREND: Final[tuple[TableColumn[_WithTrend], ...]] = (
    TableColumn("trend", lambda one: one.trend.level, "the present level, in the unit"),
    TableColumn(
        "trend_deviation", lambda one: one.trend.deviation, "of the results on it, in the unit"
    ),
    TableColumn("last_group", lambda one: one.trend.last_size, "recordings on that level"),
    TableColumn(
        "last_group_since",
        lambda one: _label(one.row, one.trend.groups[-1].start),
        "the first of them",
    ),
)
_OF_BEST: Final[tuple[TableColumn[_WithTrend], ...]] = (
    TableColumn(
        "long_term_best", lambda one: one.trend.best, "best trend that is older than a week"
    ),
    TableColumn(
        "long_term_best_recording",
        lambda one: _label(one.row, one.trend.best_at),
        "its recording",
    ),
    TableColumn(
        "against_best", lambda one: one.trend.against, "the present level against it, as a share"
    ),
    TableColumn(
        "loss",
        lambda one: one.trend.loss,
        "what is lost against it or by the newest change, as a share; 0 for none",
    ),
    TableColumn("regressions", lambda one: one.trend.count("regression"), "how many"),
    TableColumn("progressions", lambda one: one.trend.count("progression"), "how many"),
    TableColumn(
        "vanished",
        lambda one: len(one.trend.vanished),
        "changes that were found earlier and are no longer found",
    ),
    TableColumn(
        "late",
        lambda one: len(one.trend.late),
        "changes that a later recording showed",
    ),
)
_OF_ALARM: Final[tuple[TableColumn[TrendAlarm], ...]] = (
    TableColumn(
        "alarm",
        lambda one: str(one.state),
        "state of the alarm: new, confirmed, explained, fixed or ignored",
    ),
    TableColumn("alarm_since", lambda one: one.since.label, "recording that began it"),
    TableColumn(
        "alarm_looks_fixed",
        lambda one: "yes" if one.looks_fixed else "",
        "yes where the trend has returned and the alarm is still open",
    ),
    TableColumn(
        "assignee",
        lambda one: one.said.assignee.name if one.said and one.said.assignee else "",
        "person it is assigned to",
    ),
    TableColumn("note", lambda one: one.said.note if one.said else "", "note"),
    TableColumn("commit", lambda one: one.said.commit if one.said else "", "address of its commit"),
)
COLUMNS: Final[tuple[TrendColumn, ...]] = (
    TrendColumn("dataset", lambda one: one.found.dataset.slug),
    TrendColumn("dataset_name", lambda one: one.found.dataset.name),
    TrendColumn("system", lambda one: one.row.benchmark.system),
    TrendColumn("benchmark", lambda one: one.row.benchmark.name),
    TrendColumn("params", lambda one: one.row.benchmark.params),
    TrendColumn("unit", lambda one: one.row.benchmark.unit),
    TrendColumn(
        "better",
        lambda one: one.row.direction.better,
        "less or more: which values are better",
    ),
    TrendColumn(
        "better_by",
        lambda one: one.row.direction.source,
        "source: owner, unit, mode, or assumed",
    ),
    TrendColumn("start", lambda one: one.found.start.code, "whose answer says where it is steady"),
    TrendColumn(
        "precision",
        lambda one: str(one.found.asked.precision),
        "bits of the greatest result, or abs: and a resolution in the unit",
    ),
    TrendColumn(
        "as_of",
        lambda one: _as_of(one.found),
        "day as of which the trend is shown; empty for all recordings",
    ),
    TrendColumn("recordings", lambda one: len(one.row.dots), "recordings with a result"),
    TableColumn[_WithTrend](
        "first_recording", lambda one: _label(one.row, 0), "label of the first"
    ).for_part(_with_trend),
    TableColumn[_WithTrend](
        "last_recording", lambda one: _label(one.row, -1), "label of the last"
    ).for_part(_with_trend),
    *(each.for_part(_with_trend) for each in _OF_TREND),
    *(each.for_part(_with_newest) for each in (_SHARE, _KIND, _PATTERN, _APPEARED)),
    *(each.for_part(_with_trend) for each in _OF_BEST),
    TrendColumn(
        "state",
        lambda one: one.row.state,
        "regression, below, progression, level, single or none",
    ),
    TrendColumn("problem", lambda one: one.row.problem, "why there is no trend"),
    TrendColumn("excluded", lambda one: one.row.excluded, "forks that a review decision excludes"),
    *(each.for_part(lambda one: one.row.alarm) for each in _OF_ALARM),
)
DOT_COLUMNS: Final[tuple[DotColumn, ...]] = (
    DotColumn("recording", lambda one: one.dot.recording.label),
    DotColumn("build", lambda one: one.dot.recording.build),
    DotColumn("measured_at", lambda one: _when(one.dot)),
    DotColumn("forks", lambda one: one.dot.forks, "forks with a result"),
    DotColumn("forks_recorded", lambda one: one.dot.of, "forks that were measured"),
    DotColumn("result", lambda one: one.dot.result, "mean over the forks, in the unit"),
    DotColumn(
        "half_width",
        lambda one: one.half,
        "of its 95 % interval, in the unit: by how forks differ in all recordings together; of one "
        "fork by its iterations",
    ),
    DotColumn(
        "group", lambda one: one.group[0] if one.group else None, "number of its level, from 0"
    ),
    DotColumn("trend", lambda one: one.group[1].mean if one.group else None, "that level"),
    DotColumn(
        "group_deviation",
        lambda one: one.group[1].deviation if one.group else None,
        "standard deviation of the results on it (divisor n), in the unit",
    ),
    *(
        each.for_part(lambda one: one.change)
        for each in (_SHARE, _KIND, _PATTERN, _PARTNER, _APPEARED)
    ),
)


KNOWN_COLUMNS: Final[tuple[TableColumn[ExportedKnown], ...]] = (
    TableColumn("dataset", lambda one: one.found.dataset.slug),
    TableColumn("dataset_name", lambda one: one.found.dataset.name),
    TableColumn("system", lambda one: one.row.benchmark.system),
    TableColumn("benchmark", lambda one: one.row.benchmark.name),
    TableColumn("params", lambda one: one.row.benchmark.params),
    TableColumn("kind", lambda one: one.change.kind, "regression or progression"),
    TableColumn("at", lambda one: _label(one.row, one.change.at), "recording that began it"),
    TableColumn(
        "change",
        lambda one: one.change.share,
        "as a share when first seen: 0.1 is 10 % more",
    ),
    TableColumn(
        "seen_with", lambda one: _label(one.row, one.change.seen), "recording that showed it"
    ),
    TableColumn("delay", lambda one: one.change.delay, "recordings from the one to the other"),
    TableColumn(
        "gone_with",
        lambda one: _label(one.row, one.change.gone),
        "recording from which on it is no longer found; empty where it still is",
    ),
    TableColumn(
        "moved_to",
        lambda one: _label(one.row, one.change.moved),
        "recording that began the change of the same kind found instead",
    ),
)


# Means that a page or a download computes at most, a second or two; the rest follow when it is
# opened again.
AT_ONCE: Final = 4000


def _trends(request: TableRequest) -> DatasetTrends:
    """Trends of a data set, or of one benchmark, by the start that the settings name."""
    scope, (query,) = request.scope, request.queries
    dataset, benchmarks = (scope, None) if isinstance(scope, Dataset) else (scope.dataset, [scope])
    return trends(
        dataset,
        request.reader,
        start_named(dataset, query.start),
        query=query if benchmarks is None else query.changed(alarm="any"),
        benchmarks=benchmarks,
        most=AT_ONCE,
    )


def _about(dataset_trends: DatasetTrends, table_name: str) -> dict[str, Any] | None:
    if table_name != "trends":
        return None
    return {
        "dataset": dataset_trends.dataset.slug,
        "dataset_name": dataset_trends.dataset.name,
        "study": dataset_trends.dataset.study.slug,
        "start": dataset_trends.start.code,
        "order": dataset_trends.asked.order,
        "as_of": _as_of(dataset_trends),
        "precision": str(dataset_trends.asked.precision),
        "days_known": dataset_trends.dated,
        "recordings": dataset_trends.recordings,
        "hidden_until_answered": dataset_trends.hidden,
        "still_to_compute": dataset_trends.waiting,
        "excluded_in_review": dataset_trends.excluded,
        "regressions": len(dataset_trends.regressions),
        "failing": len(dataset_trends.failing),
    }


TREND_TABLES: Final = PageTables(
    scope=DATASET,
    queries={TrendQuery: ()},
    compute=_trends,
    tables={
        "trends": declared_table(
            "Benchmarks",
            COLUMNS,
            lambda dataset_trends: [
                ExportedTrend(dataset_trends, row) for row in dataset_trends.rows
            ],
        ),
        "changes": declared_table(
            "Changes that were ever seen",
            KNOWN_COLUMNS,
            lambda dataset_trends: [
                ExportedKnown(dataset_trends, row, change)
                for row in dataset_trends.rows
                for change in (row.trend.known if row.trend else ())
            ],
        ),
    },
    refusals=(UnknownStart,),
    about=_about,
    lines=lambda dataset_trends, name: (
        ci_reports.trend_report_lines(dataset_trends) if name == "trends" else None
    ),
)
BENCHMARK_TABLES: Final = PageTables(
    scope=BENCHMARK,
    queries={TrendQuery: ()},
    compute=_trends,
    tables={
        "trend": declared_table(
            "Recordings of a benchmark",
            DOT_COLUMNS,
            lambda dataset_trends: [
                ExportedDot(row, dot_index, half_width)
                for row in dataset_trends.rows
                for dot_index, half_width in enumerate(row.half_widths)
            ],
        )
    },
    refusals=(UnknownStart,),
)
