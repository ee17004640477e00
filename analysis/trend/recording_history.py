"""The history of a data set: results of its newest recordings, in order, as a reader sees them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Final

import numpy as np
from django.db.models import Count

from analysis.references import review_status
from analysis.trend.query import Order, TrendQuery
from analysis.trend.recording_results import RESULT, Results, computed_results, kept_results
from analysis.trend.starts import TrendStart
from analysis.trend.steady_means import MeanBudget
from annotate import blind
from annotate.blind import Reader
from detectors.contract import Values
from detectors.trends.trend_files import natural_key
from series.models import Benchmark, Dataset, Recording, Series
from series.models.series import SeriesQuerySet

A_DAY: Final = 86_400.0
FEW: Final = 20  # benchmarks up to which their series are read instead of whole recordings


@dataclass(frozen=True, slots=True, eq=False)
class TrendHistory:
    """Results in recordings, for each benchmark.

    recordings in order; `recording_count` so many that there are
    days             float64, of each of them; only differences count
    is_dated         whether these days are known; else each recording counts as a day
    places           (n,) place of the recording of each result, rising for each benchmark
    rows             (n,) of RESULT, rising by benchmark; `benchmarks` is their column
    hidden_count     series left out because the reader has yet to answer them
    waiting_count    series whose mean is still to be computed
    excluded_counts  series that a review took out, by benchmark
    """

    query: TrendQuery
    recordings: Sequence[Recording]
    recording_count: int
    days: Values
    is_dated: bool
    places: np.ndarray
    rows: Results
    hidden_count: int
    waiting_count: int
    excluded_counts: Counter[int]
    benchmarks: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        # A search in the column of a record array copies all of it first.
        object.__setattr__(self, "benchmarks", np.ascontiguousarray(self.rows["benchmark"]))

    @property
    def newest(self) -> int:
        """Place of the newest recording that measured any of the benchmarks; -1 without one."""
        return int(self.places.max(initial=-1))

    def of_benchmark(self, pk: int) -> tuple[np.ndarray, Results]:
        """Places and rows of one."""
        low, high = np.searchsorted(self.benchmarks, [pk, pk + 1])
        return self.places[low:high], self.rows[low:high]


def trend_history(
    dataset: Dataset,
    reader: Reader,
    start: TrendStart,
    query: TrendQuery,
    *,
    benchmarks: Sequence[Benchmark] | None = None,
    budget: MeanBudget | None = None,
) -> TrendHistory:
    """Arguments as of `table.trends`; several histories may share a budget of means."""
    measured_recordings = [
        recording for recording in dataset.recordings.all() if _was_there(recording, query.as_of)
    ]
    recordings = sort_recordings(measured_recordings, query.order)[-query.window :]
    series = Series.objects.filter(recording__in=recordings)
    has_few_benchmarks = benchmarks is not None and len(benchmarks) <= FEW
    if benchmarks is not None and has_few_benchmarks:
        series = series.filter(benchmark__in=benchmarks)
    may_see_all = blind.sees_all(reader, dataset.study, series)
    visible_series = series if start.yardstick is None else blind.visible_series(reader, series)
    exclusions, excluded_counts = review_exclusions(visible_series, reader)
    budget = budget or MeanBudget()
    waiting_count_before = budget.waiting_count
    if has_few_benchmarks:
        excluded_pks = {pk for pks in exclusions.values() for pk in pks}
        results = computed_results(visible_series, start, excluded_pks, budget)
    else:
        seen_recordings = recordings if may_see_all else _seen_recordings(recordings, reader)
        kept_recordings = seen_recordings if start.identity else []
        results = kept_results(kept_recordings, start, exclusions, budget)
        other_recordings = [recording for recording in recordings if recording.pk not in results]
        results |= _compute_in_turn(other_recordings, visible_series, start, exclusions, budget)
    recording_indices, rows = _sort_by_benchmark(
        [results.get(recording.pk) for recording in recordings]
    )
    days, is_dated = _days(recordings, query.order)
    return TrendHistory(
        query=query,
        recordings=recordings,
        recording_count=len(measured_recordings),
        days=days,
        is_dated=is_dated,
        places=recording_indices,
        rows=rows,
        hidden_count=0
        if may_see_all or start.yardstick is None
        else blind.count_hidden_series(reader, series),
        waiting_count=budget.waiting_count - waiting_count_before,
        excluded_counts=excluded_counts,
    )


def _seen_recordings(recordings: Sequence[Recording], reader: Reader) -> list[Recording]:
    """Recordings to none of whose series the reader is blind."""
    series = Series.objects.filter(recording__in=recordings)
    seen_counts, counts = (
        dict(rows.order_by().values_list("recording").annotate(Count("pk")))
        for rows in (blind.visible_series(reader, series), series)
    )
    return [
        recording
        for recording in recordings
        if seen_counts.get(recording.pk) == counts.get(recording.pk)
    ]


def _compute_in_turn(
    recordings: Sequence[Recording],
    visible_series: SeriesQuerySet,
    start: TrendStart,
    excluded_by_recording: Mapping[int, set[int]],
    budget: MeanBudget,
) -> dict[int, Results]:
    """Results of recordings that cannot be kept: of people's answers, or for a blind reader."""
    if not recordings:
        return {}
    visible_recordings = set(visible_series.order_by().values_list("recording", flat=True))
    results_by_recording: dict[int, Results] = {}
    for recording in reversed(recordings):
        if recording.pk in visible_recordings:
            results_by_recording |= computed_results(
                visible_series.filter(recording=recording),
                start,
                excluded_by_recording.get(recording.pk, ()),
                budget,
            )
    return results_by_recording


def _sort_by_benchmark(optional_results: Sequence[Results | None]) -> tuple[np.ndarray, Results]:
    """Places and rows of all recordings, by benchmark and then by place."""
    results = [np.empty(0, RESULT) if rows is None else rows for rows in optional_results]
    recording_indices = np.repeat(
        np.arange(len(results), dtype=np.int32), [rows.size for rows in results]
    )
    rows = np.concatenate([np.empty(0, RESULT), *results])
    sort_order = np.argsort(rows["benchmark"], kind="stable")
    return recording_indices[sort_order], rows[sort_order]


def review_exclusions(
    visible_series: SeriesQuerySet, reader: Reader
) -> tuple[Mapping[int, set[int]], Counter[int]]:
    """Series that a review took out, by recording, and how many of each benchmark.

    A rule needs no answers, so a reader sees dots of series that they are blind to; what was
    decided about those is no news for them, and changes no dot of theirs.
    """
    decided_series = blind.visible_series(reader, visible_series)
    rows = decided_series.filter(pk__in=review_status.pks_excluded_anywhere(decided_series))
    pks_by_recording, count_by_benchmark = defaultdict[int, set[int]](set), Counter[int]()
    for pk, benchmark, recording in rows.values_list("pk", "benchmark", "recording"):
        pks_by_recording[recording].add(pk)
        count_by_benchmark[benchmark] += 1
    return pks_by_recording, count_by_benchmark


# --- the order of recordings ------------------------------------------------------------------
def sort_recordings(recordings: Iterable[Recording], order: Order = "date") -> list[Recording]:
    """Recordings, the oldest first, or by the natural order of the names of their builds."""
    ordered_recordings = sorted(recordings, key=lambda r: (_moment(r), r.pk))
    if order == "build":
        ordered_recordings.sort(
            key=lambda recording: natural_key(recording.build or recording.label)
        )
    return ordered_recordings


def _days(recordings: Sequence[Recording], order: Order) -> tuple[Values, bool]:
    """The day of each recording in order, and whether it is known."""
    if order != "date" or not all(recording.measured_at for recording in recordings):
        return np.arange(float(len(recordings))), False
    return np.array([_moment(recording).timestamp() / A_DAY for recording in recordings]), True


def _was_there(recording: Recording, time_limit: date | None) -> bool:
    """True if the recording was measured by the end of that day, UTC."""
    return time_limit is None or _moment(recording).astimezone(UTC).date() <= time_limit


def _moment(recording: Recording) -> datetime:
    return recording.measured_at or recording.created
