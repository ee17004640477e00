"""Means of series from their starts on with their intervals, computed once and kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple

from analysis.trend.models import SteadyMean
from detectors.intervals.steady_interval import steady_interval
from people import database
from series.models import SeriesValues
from series.models.series import SeriesQuerySet
from series.values.read_ahead import read_ahead

BATCH = 400  # series whose values are in memory at once: 10 MB at 3000 values


@dataclass(slots=True)
class MeanBudget:
    """Budget of means to compute now, None for all, and a count of those left for another time."""

    remaining: int | None = None
    waiting_count: int = 0

    def take(self, count: int) -> int:
        granted_count = count if self.remaining is None else min(count, self.remaining)
        self.remaining = None if self.remaining is None else self.remaining - granted_count
        self.waiting_count += count - granted_count
        return granted_count


class KnownMean(NamedTuple):
    """A mean, and half of its 95 % interval; None where that is unknown."""

    mean: float
    half_width: float | None


def steady_means(
    series: SeriesQuerySet, start_by_series: Mapping[int, int], budget: MeanBudget
) -> dict[int, KnownMean]:
    """The mean of each wanted series from its start on, by primary key.

    series  a query that finds all that are wanted, and may find more
    budget  so many are computed now; the rest are left out until the next time
    """
    stored_means = SteadyMean.objects.filter(series__in=series.order_by().values("pk"))
    stored_rows = stored_means.values_list("series_id", "start", "mean", "half")
    means = {
        pk: KnownMean(mean, stored_half)
        for pk, start, mean, stored_half in stored_rows.iterator()
        if start_by_series.get(pk) == start
    }
    missing_pks = [pk for pk in start_by_series if pk not in means]
    for batch in _batches(missing_pks[: budget.take(len(missing_pks))]):
        computed_means = _compute_means(batch, start_by_series)
        rows = [
            SteadyMean(series_id=pk, start=start_by_series[pk], mean=mean, half=half_width)
            for pk, (mean, half_width) in computed_means.items()
        ]
        # Kept for the next reader, unless the database is busy: this one has them anyway.
        database.write_unless_busy(partial(_store_means, rows))
        means |= computed_means
    return means


def _store_means(rows: Sequence[SteadyMean]) -> None:
    """Somebody else may compute the same at the same time: the same figures."""
    SteadyMean.objects.bulk_create(rows, ignore_conflicts=True)


def _batches(keys: Sequence[int]) -> Iterator[list[int]]:
    remaining_keys = iter(keys)
    while batch := list(islice(remaining_keys, BATCH)):
        yield batch


def _compute_means(
    batch: Sequence[int], start_by_series: Mapping[int, int]
) -> dict[int, KnownMean]:
    means = {}
    for stored_values in read_ahead(SeriesValues.objects.filter(series__in=batch).iterator(BATCH)):
        interval = steady_interval(stored_values.array()[start_by_series[stored_values.pk] :])
        means[stored_values.pk] = KnownMean(interval.mean, interval.half)
    return means
