"""The trends of a data set: a dot a recording, a row a benchmark, sorted by what needs a look."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Final

import numpy as np

from analysis.references import review_status
from analysis.trend.alarms import KnownAlarms, TrendAlarm, known_alarms
from analysis.trend.query import Order, TrendQuery
from analysis.trend.starts import TrendSeries, TrendStart
from analysis.trend.steady_means import steady_means
from annotate import blind
from annotate.blind import Reader
from detectors.directions import Direction
from detectors.trend import WORDS, State, Trend, TrendChange, state_of, trend_of
from detectors.trend_files import natural
from detectors.trend_groups import NoTrend, TrendPrecision
from series.models import Benchmark, Dataset, Recording, Series
from series.models.series import SeriesQuerySet

A_DAY: Final = 86_400.0


AS_USUAL: Final = TrendQuery()


@dataclass(frozen=True, slots=True)
class TrendDot:
    """The result of a benchmark in one recording: the mean over forks of their steady means.

    forks, of  forks with a result, and forks recorded
    series     public id of the first fork with a result
    """

    recording: Recording
    result: float
    forks: int
    of: int
    series: str


@dataclass(frozen=True, slots=True)
class BenchmarkTrend:
    """One benchmark's dots in order, and their trend.

    excluded forks that a review took out, of those that the reader may see
    empty    recordings of it without a result: every fork never steady, unanswered, or not above 0
    problem  why there is no trend; empty where there is one
    alarm    the regression that people look after
    """

    benchmark: Benchmark
    dots: tuple[TrendDot, ...]
    empty: int
    direction: Direction
    trend: Trend | None = None
    problem: str = ""
    excluded: int = 0
    alarm: TrendAlarm | None = None

    @property
    def state(self) -> State:
        return state_of(self.trend, len(self.dots))

    @property
    def fails(self) -> bool:
        """Whether it has a new regression that nobody explained or ignores."""
        return self.state == "regression" and not (self.alarm and self.alarm.is_accepted)

    @property
    def word(self) -> str:
        return WORDS[self.state]

    @property
    def loss(self) -> float:
        return 0.0 if self.trend is None else self.trend.loss

    @property
    def newest(self) -> TrendChange | None:
        """The last change of the trend."""
        return self.trend.jumps[-1] if self.trend is not None and self.trend.jumps else None

    @property
    def urgency(self) -> tuple[bool, float, bool, str, str, str]:
        """Fresh regressions first, then by what is lost, then news, then by name."""
        one = self.benchmark
        news = self.state != "progression"
        fresh = self.state != "regression"
        return fresh, -self.loss, news, one.system, one.name, one.params


@dataclass(frozen=True, slots=True)
class DatasetTrends:
    """All benchmarks of a data set over its recordings.

    dated    whether the days between recordings are known; else each counts as a day
    hidden   series left out because the reader has yet to answer them
    excluded series left out because a review took them out
    waiting  series whose mean is still to be computed
    """

    dataset: Dataset
    start: TrendStart
    asked: TrendQuery
    dated: bool
    recordings: int
    rows: tuple[BenchmarkTrend, ...]
    hidden: int = 0
    waiting: int = 0
    excluded: int = 0
    regressions: tuple[BenchmarkTrend, ...] = field(default=())

    @property
    def failing(self) -> tuple[BenchmarkTrend, ...]:
        """Regressions that fail a build."""
        return tuple(row for row in self.regressions if row.fails)


def trends(
    dataset: Dataset,
    reader: Reader,
    start: TrendStart,
    *,
    asked: TrendQuery = AS_USUAL,
    benchmarks: Iterable[Benchmark] | None = None,
    most: int | None = None,
) -> DatasetTrends:
    """The trends of the data set, what needs a look first.

    reader      whose open series are left out where answers decide
    asked       order of the recordings, the day that is looked back from, the precision, and
                which alarms are asked for
    benchmarks  only these
    most        so many means are computed now (`steady_means`)
    """
    chosen = list(dataset.benchmarks.all() if benchmarks is None else benchmarks)
    recordings = [one for one in dataset.recordings.all() if _was_there(one, asked.as_of)]
    series = Series.objects.filter(benchmark__dataset=dataset)
    if asked.as_of is not None:
        series = series.filter(recording__in=recordings)
    if benchmarks is not None:
        series = series.filter(benchmark__in=chosen)
    seen, hidden = _seen(series, reader, start)
    excluded = _excluded(seen, reader)
    rows = _measured(seen.exclude(pk__in=list(excluded)))
    begins = dict(zip((row.pk for row in rows), start.of(rows), strict=True))
    wanted = {pk: begin for pk, begin in begins.items() if begin is not None}
    found = steady_means(seen, wanted, most=most)
    order_of, days, dated = _in_order(recordings, asked.order)
    groups = defaultdict[int, list[TrendSeries]](list)
    for row in rows:
        groups[row.benchmark].append(row)
    out_of = Counter(excluded.values())
    alarms = known_alarms(dataset, reader)
    table = [
        replace(
            _row(one, groups[one.pk], found, (order_of, days), asked),
            excluded=out_of[one.pk],
        )
        for one in chosen
    ]
    table = [_with_alarm(each, alarms) for each in table]
    table = [each for each in table if _fits(each, asked)]
    table.sort(key=lambda row: row.urgency)
    return DatasetTrends(
        dataset=dataset,
        start=start,
        asked=asked,
        dated=dated,
        recordings=len(recordings),
        rows=tuple(table),
        hidden=hidden,
        waiting=len(wanted) - len(found),
        excluded=len(excluded),
        regressions=tuple(row for row in table if row.state == "regression"),
    )


def _with_alarm(row: BenchmarkTrend, known: KnownAlarms) -> BenchmarkTrend:
    if row.trend is None:
        return row
    recordings = [dot.recording for dot in row.dots]
    return replace(row, alarm=known.alarm(row.benchmark.pk, row.trend, recordings))


def _fits(row: BenchmarkTrend, asked: TrendQuery) -> bool:
    return asked.alarm == "any" or (row.alarm is not None and row.alarm.fits(asked.alarm))


def _seen(series: SeriesQuerySet, reader: Reader, start: TrendStart) -> tuple[SeriesQuerySet, int]:
    """What the reader may see the start of, and how many series are left out."""
    if start.yardstick is None:
        return series, 0
    return blind.visible_series(reader, series), blind.left_out(reader, series)


def _excluded(seen: SeriesQuerySet, reader: Reader) -> dict[int, int]:
    """Series that a review took out, with their benchmarks.

    A rule needs no answers, so a reader sees dots of series that they are blind to; what was
    decided about those is no news for them, and changes no dot of theirs.
    """
    known = blind.visible_series(reader, seen)
    rows = known.filter(pk__in=review_status.excluded_anywhere(known))
    return dict(rows.values_list("pk", "benchmark_id"))


def _measured(series: SeriesQuerySet) -> list[TrendSeries]:
    fields = ("pk", "public_id", "benchmark_id", "recording_id", "fork", "n")
    return [TrendSeries(*row) for row in series.order_by("fork").values_list(*fields)]


# --- the order of recordings ------------------------------------------------------------------
def _in_order(
    recordings: Sequence[Recording], order: Order
) -> tuple[dict[int, tuple[int, Recording]], np.ndarray, bool]:
    """Place and recording by primary key, the day of each place, and whether days are known."""
    by_date = sorted(recordings, key=lambda one: (_when(one), one.pk))
    if order == "build":
        by_date.sort(key=lambda one: natural(one.build or one.label))
    places = {one.pk: (at, one) for at, one in enumerate(by_date)}
    dated = order == "date" and all(one.measured_at for one in recordings)
    if not dated:
        return places, np.arange(float(len(by_date))), False
    return places, np.array([_when(one).timestamp() / A_DAY for one in by_date]), True


def _was_there(recording: Recording, as_of: date | None) -> bool:
    """Whether it was measured by the end of that day, UTC."""
    return as_of is None or _when(recording).astimezone(UTC).date() <= as_of


def _when(recording: Recording) -> datetime:
    return recording.measured_at or recording.created


# --- one benchmark ----------------------------------------------------------------------------
def _row(
    benchmark: Benchmark,
    rows: Sequence[TrendSeries],
    found: Mapping[int, float],
    places: tuple[Mapping[int, tuple[int, Recording]], np.ndarray],
    asked: TrendQuery,
) -> BenchmarkTrend:
    order_of, days = places
    forks: dict[int, list[TrendSeries]] = {}
    for row in rows:
        forks.setdefault(row.recording, []).append(row)
    dots = [_dot(order_of[pk][1], each, found) for pk, each in forks.items()]
    good = sorted((dot for dot in dots if dot), key=lambda dot: order_of[dot.recording.pk][0])
    way, empty = benchmark.direction, len(dots) - len(good)
    if not good:
        problem = "no recording has a result from this start"
        return BenchmarkTrend(benchmark, (), empty, way, None, problem)
    results = np.array([dot.result for dot in good])
    when = days[[order_of[dot.recording.pk][0] for dot in good]]
    try:
        trend = _trend(results.tobytes(), when.tobytes(), way.more, asked.precision, asked.least)
    except NoTrend as problem:
        return BenchmarkTrend(benchmark, tuple(good), empty, way, None, str(problem))
    return BenchmarkTrend(benchmark, tuple(good), empty, way, trend)


def _dot(
    recording: Recording, rows: Sequence[TrendSeries], found: Mapping[int, float]
) -> TrendDot | None:
    """None without any fork that has a result above zero: the grouping knows no others."""
    known = [row for row in rows if row.pk in found]
    if not known:
        return None
    result = float(np.mean([found[row.pk] for row in known]))
    return (
        TrendDot(recording, result, len(known), len(rows), known[0].public_id)
        if result > 0
        else None
    )


# A page that is opened again asks for the same trends; a long one takes a second.
@lru_cache(maxsize=4096)
def _trend(
    results: bytes,
    days: bytes,
    better: bool,  # noqa: FBT001
    precision: TrendPrecision,
    least: int,
) -> Trend:
    arrays = np.frombuffer(results), np.frombuffer(days)
    return trend_of(*arrays, higher_is_better=better, precision=precision, least=least)
