"""The trends of a data set: a dot a recording, a row a benchmark, sorted by what needs a look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Final, overload

import numpy as np

from analysis.trend.alarms import KnownAlarms, TrendAlarm, known_alarms
from analysis.trend.query import TrendQuery
from analysis.trend.recording_history import TrendHistory, trend_history
from analysis.trend.recording_results import Results
from analysis.trend.starts import TrendStart
from analysis.trend.steady_means import MeanBudget
from analysis.web.latest_used import LatestUsed
from annotate.blind import Reader
from detectors.contract import Values
from detectors.contract.directions import Direction
from detectors.intervals.steady_interval import pooled_half_widths
from detectors.trends.trend import WORDS, State, Trend, TrendChange, state_of, trend_of
from detectors.trends.trend_groups import NoTrend
from series.models import Benchmark, Dataset, Recording

AS_USUAL: Final = TrendQuery()
KEPT: Final = 32_768  # trends in memory, of about 1 kB each


@dataclass(frozen=True, slots=True)
class TrendDot:
    """The result of a benchmark in one recording: the mean over forks of their steady means.

    half_width      of its 95 % interval: by how its forks differ, of one fork by its iterations;
                    None where unknown
    fork_count      forks with a result, of `recorded_count`
    series          public id of the first fork with a result
    """

    recording: Recording
    result: float
    half_width: float | None
    fork_count: int
    recorded_count: int
    series: str


@dataclass(frozen=True, slots=True, eq=False)
class TrendDots(Sequence[TrendDot]):
    """The dots of a benchmark in order, as arrays: a data set has a million of them.

    recordings  of the data set, in order
    places      (n,) which of them each dot is of, rising
    rows        (n,) of RESULT
    """

    recordings: Sequence[Recording]
    places: np.ndarray
    rows: Results

    def __len__(self) -> int:
        return self.rows.size

    @overload
    def __getitem__(self, index: int) -> TrendDot: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[TrendDot]: ...
    def __getitem__(self, index: int | slice) -> TrendDot | Sequence[TrendDot]:
        if isinstance(index, slice):
            return TrendDots(self.recordings, self.places[index], self.rows[index])
        _, result, half_or_nan, forks, fork_count, series = self.rows[index].item()
        half_width = None if np.isnan(half_or_nan) else half_or_nan
        return TrendDot(
            self.recordings[self.places[index]],
            result,
            half_width,
            forks,
            fork_count,
            series.decode(),
        )


@dataclass(frozen=True, slots=True)
class BenchmarkTrend:
    """One benchmark's dots in order, and their trend.

    empty_count     recordings of it without a result: every fork never steady, unanswered, or not
                    above 0
    problem         why there is no trend; empty where there is one
    excluded_count  forks that a review took out, of those that the reader may see
    alarm           the regression that people look after
    has_newest      whether the newest recording gave a result; None where it did not measure it
    """

    benchmark: Benchmark
    dots: Sequence[TrendDot]
    empty_count: int
    direction: Direction
    trend: Trend | None = None
    problem: str = ""
    excluded_count: int = 0
    alarm: TrendAlarm | None = None
    has_newest: bool | None = None

    @property
    def half_widths(self) -> list[float | None]:
        """Half of the 95 % interval of every dot, by how forks differ in all of them."""
        halves = np.array([np.nan if (h := dot.half_width) is None else h for dot in self.dots])
        pooled_halves = pooled_half_widths(
            halves, np.array([dot.fork_count for dot in self.dots], np.int64)
        )
        return [
            None if np.isnan(half_width) else half_width for half_width in pooled_halves.tolist()
        ]

    @property
    def state(self) -> State:
        return state_of(self.trend, len(self.dots))

    @property
    def fails(self) -> bool:
        """True if the benchmark has a new regression that nobody explained or ignores."""
        return self.state == "regression" and not (self.alarm and self.alarm.is_accepted)

    @property
    def word(self) -> str:
        return WORDS[self.state]

    @property
    def loss(self) -> float:
        return 0.0 if self.trend is None else self.trend.loss

    @property
    def newest(self) -> TrendChange | None:
        """The last change of the trend that is not small; a small one where there is no other."""
        return None if self.trend is None else self.trend.last_change

    @property
    def urgency(self) -> tuple[bool, float, bool, str, str, str]:
        """Fresh regressions first, then by what is lost, then news, then by name."""
        benchmark = self.benchmark
        is_no_progression = self.state != "progression"
        is_no_regression = self.state != "regression"
        return (
            is_no_regression,
            -self.loss,
            is_no_progression,
            benchmark.system,
            benchmark.name,
            benchmark.params,
        )


@dataclass(frozen=True, slots=True)
class DatasetTrends:
    """All benchmarks of a data set over its newest recordings.

    is_dated        whether the days between recordings are known; else each counts as a day
    read_count      recordings that were read, of `recording_count`
    hidden_count    series left out because the reader has yet to answer them
    excluded_count  series left out because a review took them out
    waiting_count   series whose mean is still to be computed
    newest          the last recording that measured any of the benchmarks; None without one
    """

    dataset: Dataset
    start: TrendStart
    query: TrendQuery
    is_dated: bool
    read_count: int
    recording_count: int
    rows: tuple[BenchmarkTrend, ...]
    hidden_count: int = 0
    waiting_count: int = 0
    excluded_count: int = 0
    regressions: tuple[BenchmarkTrend, ...] = field(default=())
    newest: Recording | None = None

    @property
    def failing(self) -> tuple[BenchmarkTrend, ...]:
        """Regressions that fail a build."""
        return tuple(row for row in self.regressions if row.fails)


def trends(
    dataset: Dataset,
    reader: Reader,
    start: TrendStart,
    *,
    query: TrendQuery = AS_USUAL,
    benchmarks: Sequence[Benchmark] | None = None,
    most_trends: int | None = None,
) -> DatasetTrends:
    """The trends of the data set, what needs a look first.

    reader       whose open series are left out where answers decide
    query        order and number of the recordings, the day that is looked back from, the
                 precision, and which alarms are asked for
    benchmarks   only these
    most_trends  so many means are computed now (`steady_means`)
    """
    budget = MeanBudget(most_trends)
    history = trend_history(dataset, reader, start, query, benchmarks=benchmarks, budget=budget)
    shown_benchmarks = dataset.benchmarks.all() if benchmarks is None else benchmarks
    newest_index = history.newest
    rows = [
        replace(
            _benchmark_trend(history, benchmark),
            excluded_count=history.excluded_counts[benchmark.pk],
            has_newest=_has_newest(history, benchmark, newest_index),
        )
        for benchmark in shown_benchmarks
    ]
    alarms = known_alarms(dataset, reader)
    rows = [_add_alarm(row, alarms) for row in rows]
    rows = [row for row in rows if _fits(row, query)]
    rows.sort(key=lambda row: row.urgency)
    return DatasetTrends(
        dataset=dataset,
        start=start,
        query=query,
        is_dated=history.is_dated,
        read_count=len(history.recordings),
        recording_count=history.recording_count,
        rows=tuple(rows),
        hidden_count=history.hidden_count,
        waiting_count=history.waiting_count,
        excluded_count=history.excluded_counts.total(),
        regressions=tuple(row for row in rows if row.state == "regression"),
        newest=history.recordings[history.newest] if history.newest >= 0 else None,
    )


def _add_alarm(row: BenchmarkTrend, alarms: KnownAlarms) -> BenchmarkTrend:
    if row.trend is None:
        return row
    alarm = alarms.alarm(
        row.benchmark.pk, row.trend, lambda dot_index: row.dots[dot_index].recording
    )
    return replace(row, alarm=alarm)


def _fits(row: BenchmarkTrend, query: TrendQuery) -> bool:
    return query.alarm == "any" or (row.alarm is not None and row.alarm.fits(query.alarm))


# --- one benchmark ----------------------------------------------------------------------------
def _benchmark_trend(history: TrendHistory, benchmark: Benchmark) -> BenchmarkTrend:
    recording_indices, rows = history.of_benchmark(benchmark.pk)
    is_positive = rows["result"] > 0  # the grouping takes positive results alone
    dots = TrendDots(history.recordings, recording_indices[is_positive], rows[is_positive])
    direction, empty_count = benchmark.direction, int(np.count_nonzero(~is_positive))
    if not dots:
        problem = "no recording has a result from this start"
        return BenchmarkTrend(benchmark, dots, empty_count, direction, None, problem)
    results, days = np.ascontiguousarray(dots.rows["result"]), history.days[dots.places]
    try:
        trend = _trend(results, days, direction.more, history.query)
    except NoTrend as error:
        return BenchmarkTrend(benchmark, dots, empty_count, direction, None, str(error))
    return BenchmarkTrend(benchmark, dots, empty_count, direction, trend)


def _has_newest(history: TrendHistory, benchmark: Benchmark, newest_index: int) -> bool | None:
    recording_indices, rows = history.of_benchmark(benchmark.pk)
    if not recording_indices.size or recording_indices[-1] != newest_index:
        return None
    return bool(rows["result"][-1] > 0)


_kept: LatestUsed[bytes, Trend] = LatestUsed(KEPT)
"""By what they are of: a page that is opened again asks for the same trends. They are small, but
a benchmark takes a millisecond, and a data set has ten thousand."""


def _trend(results: Values, days: Values, more_is_better: bool, query: TrendQuery) -> Trend:  # noqa: FBT001
    digest = blake2b(repr((more_is_better, query.precision, query.least)).encode(), digest_size=16)
    digest.update(results.tobytes())
    digest.update(days.tobytes())
    cache_key = digest.digest()
    return _kept.get(cache_key, None) or _kept.keep(
        cache_key,
        trend_of(
            results,
            days,
            higher_is_better=more_is_better,
            precision=query.precision,
            least_builds=query.least,
        ),
    )
