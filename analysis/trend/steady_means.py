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
    """How many means may be computed now, None for all; how many were left for another time."""

    left: int | None = None
    waiting: int = 0

    def taken_of(self, count: int) -> int:
        taken = count if self.left is None else min(count, self.left)
        self.left = None if self.left is None else self.left - taken
        self.waiting += count - taken
        return taken


class KnownMean(NamedTuple):
    """A mean, and half of its 95 % interval; None where that is unknown."""

    mean: float
    half: float | None


def steady_means(
    series: SeriesQuerySet, wanted: Mapping[int, int], budget: MeanBudget
) -> dict[int, KnownMean]:
    """The mean of each wanted series from its start on, by primary key.

    series  a query that finds all that are wanted, and may find more
    budget  so many are computed now; the rest are left out until the next time
    """
    there = SteadyMean.objects.filter(series__in=series.order_by().values("pk"))
    kept = there.values_list("series_id", "start", "mean", "half")
    found = {
        pk: KnownMean(mean, half)
        for pk, start, mean, half in kept.iterator()
        if wanted.get(pk) == start
    }
    missing = [pk for pk in wanted if pk not in found]
    for batch in _batches(missing[: budget.taken_of(len(missing))]):
        computed = _computed(batch, wanted)
        rows = [
            SteadyMean(series_id=pk, start=wanted[pk], mean=mean, half=half)
            for pk, (mean, half) in computed.items()
        ]
        # Kept for the next reader, unless the database is busy: this one has them anyway.
        database.unless_busy(partial(_keep, rows))
        found |= computed
    return found


def _keep(rows: Sequence[SteadyMean]) -> None:
    """Somebody else may compute the same at the same time: the same figures."""
    SteadyMean.objects.bulk_create(rows, ignore_conflicts=True)


def _batches(keys: Sequence[int]) -> Iterator[list[int]]:
    waiting = iter(keys)
    while batch := list(islice(waiting, BATCH)):
        yield batch


def _computed(batch: Sequence[int], wanted: Mapping[int, int]) -> dict[int, KnownMean]:
    found = {}
    for stored in read_ahead(SeriesValues.objects.filter(series__in=batch).iterator(BATCH)):
        known = steady_interval(stored.array()[wanted[stored.pk] :])
        found[stored.pk] = KnownMean(known.mean, known.half)
    return found
