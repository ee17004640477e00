"""Results of the benchmarks of a recording: made of its series, and kept while these stand.

A kept summary names what it was made of: the series, their answers, and what a review took out. Who
reads one compares that with the database first, and makes one that is out of date anew.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from django.db.models import Count, F, FilteredRelation, Max, Q

from analysis.trend.models import TrendSummary
from analysis.trend.starts import TrendSeries, TrendStart
from analysis.trend.steady_means import KnownMean, MeanBudget, steady_means
from analysis.trend.trials import trial_benchmarks
from detectors.intervals.steady_interval import fork_half_width
from people import database
from series.models import Recording, Series
from series.models.series import SeriesQuerySet

RESULT: Final = np.dtype(
    [
        *(("benchmark", "<i8"), ("result", "<f8"), ("half", "<f8")),
        *(("forks", "<u4"), ("of", "<u4"), ("series", "S12")),
    ]
)
"""A benchmark in a recording: the mean over forks of their steady means (NaN without any), half of
its 95 % interval (NaN where unknown), how many forks have one, how many there are, and the public
id of the first with one."""

RULE: Final = 2  # version of the rule for results; a new version makes all summaries anew
TOGETHER: Final = 20  # summaries stored by one statement, so that others may write in between
Results = np.ndarray
Excluded = Mapping[int, Collection[int]]
"""Primary keys of series that a review took out, by recording."""


def computed_results(
    series: SeriesQuerySet, start: TrendStart, excluded_pks: Collection[int], budget: MeanBudget
) -> dict[int, Results]:
    """Results by recording, from the rows of `series`: an array of RESULT each, rising by
    benchmark.

    excluded  primary keys of series that do not count
    """
    rows, means = fork_means(series, start, excluded_pks, budget)
    row_groups = defaultdict[int, defaultdict[int, list[TrendSeries]]](lambda: defaultdict(list))
    for row in rows:
        row_groups[row.recording_pk][row.benchmark_pk].append(row)
    return {
        recording_pk: np.array(
            [_result(pk, rows_by_benchmark[pk], means) for pk in sorted(rows_by_benchmark)],
            dtype=RESULT,
        )
        for recording_pk, rows_by_benchmark in row_groups.items()
    }


def fork_means(
    series: SeriesQuerySet, start: TrendStart, excluded_pks: Collection[int], budget: MeanBudget
) -> tuple[list[TrendSeries], dict[int, KnownMean]]:
    """Series that count, and the steady means of those that have one, by primary key."""
    rows = [row for row in measured_series(series) if row.pk not in excluded_pks]
    return rows, steady_means(series, counted_starts(rows, series, start), budget)


def counted_starts(
    rows: Sequence[TrendSeries], series: SeriesQuerySet, start: TrendStart
) -> dict[int, int]:
    """First iteration that counts, by primary key of the series that have one; all of trials do.

    rows  of one data set; `series` is a query that has all of them
    """
    trial_pks = trial_benchmarks(rows)
    pks_and_starts = (
        (row.pk, 0 if row.benchmark_pk in trial_pks else start_iteration)
        for row, start_iteration in zip(rows, start.series_starts(rows, series), strict=True)
    )
    return {pk: begin for pk, begin in pks_and_starts if begin is not None}


def measured_series(series: SeriesQuerySet) -> list[TrendSeries]:
    """Rows of `series` as a trend reads them, by fork."""
    fields = ("pk", "public_id", "benchmark_id", "recording_id", "fork", "n")
    rows = series.order_by("fork").values_list(*fields)
    return [TrendSeries(*row) for row in rows.iterator()]


def _result(
    benchmark_pk: int, rows: Sequence[TrendSeries], means_by_pk: Mapping[int, KnownMean]
) -> tuple[int, float, float, int, int, str]:
    rows_with_mean = [row for row in rows if row.pk in means_by_pk]
    if not rows_with_mean:
        return benchmark_pk, np.nan, np.nan, 0, len(rows), ""
    means = [means_by_pk[row.pk] for row in rows_with_mean]
    result = float(np.mean([mean.mean for mean in means]))
    return (
        benchmark_pk,
        result,
        _half_width(means),
        len(rows_with_mean),
        len(rows),
        rows_with_mean[0].public_id,
    )


def _half_width(means: Sequence[KnownMean]) -> float:
    """Half of the 95 % interval of their mean: by how forks differ, of one fork its own."""
    if len(means) > 1:
        return fork_half_width([known_mean.mean for known_mean in means])
    return np.nan if means[0].half_width is None else means[0].half_width


# --- kept -------------------------------------------------------------------------------------
def kept_results(
    recordings: Collection[Recording], start: TrendStart, exclusions: Excluded, budget: MeanBudget
) -> dict[int, Results]:
    """Results by recording of all series of `recordings`, for readers who are blind to none of
    them.

    What is kept and still true is read; the rest is made, the newest recording first, and kept
    unless it changed meanwhile.
    """
    keys = _summary_keys(recordings, start, exclusions)
    stored_summaries = TrendSummary.objects.filter(recording__in=recordings, start=start.identity)
    results = {
        summary.recording_id: np.frombuffer(summary.rows, dtype=RESULT)
        for summary in stored_summaries.iterator()
        if summary.key == keys.get(summary.recording_id)
    }
    summaries: list[TrendSummary] = []
    for pk in sorted(keys.keys() - results.keys(), reverse=True):
        waiting_count_before = budget.waiting_count
        results[pk] = _compute_results(pk, start, exclusions.get(pk, ()), budget)
        if budget.waiting_count == waiting_count_before:  # else the summary is incomplete
            fields = {"start": start.identity, "key": keys[pk], "rows": results[pk].tobytes()}
            summaries.append(TrendSummary(recording_id=pk, **fields))
    current_keys = (
        _summary_keys([summary.recording_id for summary in summaries], start, exclusions)
        if summaries
        else {}
    )
    current_summaries = [
        summary for summary in summaries if current_keys.get(summary.recording_id) == summary.key
    ]
    for batch_start in range(0, len(current_summaries), TOGETHER):
        database.write_unless_busy(
            partial(_keep_summaries, current_summaries[batch_start : batch_start + TOGETHER])
        )
    return results


def _compute_results(
    recording_pk: int, start: TrendStart, excluded_pks: Collection[int], budget: MeanBudget
) -> Results:
    series = Series.objects.filter(recording=recording_pk)
    results = computed_results(series, start, excluded_pks, budget)
    return results.get(recording_pk, np.empty(0, RESULT))


def _keep_summaries(summaries: Sequence[TrendSummary]) -> None:
    TrendSummary.objects.bulk_create(
        summaries,
        update_conflicts=True,
        unique_fields=["recording", "start"],
        update_fields=["key", "rows"],
    )


def _summary_keys(
    recordings: Collection[Recording | int], start: TrendStart, exclusions: Excluded
) -> dict[int, str]:
    """Digest of the inputs of a summary, by recording that has series.

    The database counts and sums: no row of a series is read.
    """
    checksums: dict[str, Any] = {
        "series": Count("pk"),
        "newest": Max("pk"),
        "whose": database.pair_checksum(F("pk"), F("benchmark_id")),
    }
    rows = Series.objects.filter(recording__in=recordings)
    if start.key:
        has_start_method = Q(detections__detector_key=start.key)
        rows = rows.alias(found=FilteredRelation("detections", condition=has_start_method))
        checksums["answers"] = Count("found__steady_start")
        checksums["where"] = database.pair_checksum(F("pk"), F("found__steady_start") + 2)
    figure_rows = rows.order_by().values_list("recording").annotate(**checksums)
    rule = (RULE, RESULT.descr, start.identity)
    return {
        pk: hashlib.sha256(
            repr((rule, figures, sorted(exclusions.get(pk, ())))).encode()
        ).hexdigest()
        for pk, *figures in figure_rows
    }
