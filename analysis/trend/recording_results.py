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
from django.db.models import BigIntegerField, Count, F, FilteredRelation, Max, Q, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from analysis.trend.models import TrendSummary
from analysis.trend.starts import TrendSeries, TrendStart
from analysis.trend.steady_means import KnownMean, MeanBudget, steady_means
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

RULE: Final = 2  # by which results are made of series: another one makes all summaries anew
TOGETHER: Final = 20  # summaries that are kept by one statement: others write meanwhile
PRIMES: Final = (1_000_003, 998_244_353)  # products of remainders by the first fit in 64 bits
Results = np.ndarray
Excluded = Mapping[int, Collection[int]]
"""Primary keys of series that a review took out, by recording."""


def computed_results(
    series: SeriesQuerySet, start: TrendStart, excluded: Collection[int], budget: MeanBudget
) -> dict[int, Results]:
    """By recording, from the rows of `series`: of each an array of RESULT, rising by benchmark.

    excluded  primary keys of series that do not count
    """
    rows = [row for row in _measured(series) if row.pk not in excluded]
    begins = zip((row.pk for row in rows), start.of(rows, series), strict=True)
    wanted = {pk: begin for pk, begin in begins if begin is not None}
    found = steady_means(series, wanted, budget)
    forks = defaultdict[int, defaultdict[int, list[TrendSeries]]](lambda: defaultdict(list))
    for row in rows:
        forks[row.recording][row.benchmark].append(row)
    return {
        recording: np.array([_result(pk, of[pk], found) for pk in sorted(of)], dtype=RESULT)
        for recording, of in forks.items()
    }


def _measured(series: SeriesQuerySet) -> list[TrendSeries]:
    fields = ("pk", "public_id", "benchmark_id", "recording_id", "fork", "n")
    rows = series.order_by("fork").values_list(*fields)
    return [TrendSeries(*row) for row in rows.iterator()]


def _result(
    benchmark: int, rows: Sequence[TrendSeries], found: Mapping[int, KnownMean]
) -> tuple[int, float, float, int, int, str]:
    known = [row for row in rows if row.pk in found]
    if not known:
        return benchmark, np.nan, np.nan, 0, len(rows), ""
    means = [found[row.pk] for row in known]
    result = float(np.mean([one.mean for one in means]))
    return benchmark, result, _half(means), len(known), len(rows), known[0].public_id


def _half(means: Sequence[KnownMean]) -> float:
    """Half of the 95 % interval of their mean: by how forks differ, of one fork its own."""
    if len(means) > 1:
        return fork_half_width([one.mean for one in means])
    return np.nan if means[0].half is None else means[0].half


# --- kept -------------------------------------------------------------------------------------
def kept_results(
    recordings: Collection[Recording], start: TrendStart, excluded: Excluded, budget: MeanBudget
) -> dict[int, Results]:
    """The same for all series of `recordings`, for readers who are blind to none of them.

    What is kept and still true is read; the rest is made, the newest recording first, and kept
    unless it changed meanwhile.
    """
    keys = _summary_keys(recordings, start, excluded)
    stored = TrendSummary.objects.filter(recording__in=recordings, start=start.identity)
    found = {
        each.recording_id: np.frombuffer(each.rows, dtype=RESULT)
        for each in stored.iterator()
        if each.key == keys.get(each.recording_id)
    }
    made: list[TrendSummary] = []
    for pk in sorted(keys.keys() - found.keys(), reverse=True):
        before = budget.waiting
        found[pk] = _made(pk, start, excluded.get(pk, ()), budget)
        if budget.waiting == before:  # else it is incomplete
            kept = {"start": start.identity, "key": keys[pk], "rows": found[pk].tobytes()}
            made.append(TrendSummary(recording_id=pk, **kept))
    now = _summary_keys([each.recording_id for each in made], start, excluded) if made else {}
    same = [each for each in made if now.get(each.recording_id) == each.key]
    for first in range(0, len(same), TOGETHER):
        database.unless_busy(partial(_keep, same[first : first + TOGETHER]))
    return found


def _made(
    recording: int, start: TrendStart, excluded: Collection[int], budget: MeanBudget
) -> Results:
    series = Series.objects.filter(recording=recording)
    made = computed_results(series, start, excluded, budget)
    return made.get(recording, np.empty(0, RESULT))


def _keep(summaries: Sequence[TrendSummary]) -> None:
    TrendSummary.objects.bulk_create(
        summaries,
        update_conflicts=True,
        unique_fields=["recording", "start"],
        update_fields=["key", "rows"],
    )


def _summary_keys(
    recordings: Collection[Recording | int], start: TrendStart, excluded: Excluded
) -> dict[int, str]:
    """What a summary of each recording with series is made of, as a digest.

    The database counts and sums: no row of a series is read.
    """
    parts: dict[str, Any] = {
        "series": Count("pk"),
        "newest": Max("pk"),
        "whose": _checksum(F("pk"), F("benchmark_id")),
    }
    rows = Series.objects.filter(recording__in=recordings)
    if start.key:
        mine = Q(detections__detector_key=start.key)
        rows = rows.alias(found=FilteredRelation("detections", condition=mine))
        parts["answers"] = Count("found__steady_start")
        parts["where"] = _checksum(F("pk"), F("found__steady_start") + 2)
    counted = rows.order_by().values_list("recording").annotate(**parts)
    rule = (RULE, RESULT.descr, start.identity)
    return {
        pk: hashlib.sha256(repr((rule, told, sorted(excluded.get(pk, ())))).encode()).hexdigest()
        for pk, *told in counted
    }


def _checksum(one: Combinable, other: Combinable) -> Sum:
    """Of pairs of numbers from 0 on: two that are exchanged, or a single other one, change it."""
    whole = BigIntegerField()
    small, large = PRIMES
    product = (Cast(one, whole) % small + 1) * (Cast(other, whole) % small + 1) % large
    return Sum(product, output_field=whole)
