"""Means of series from their starts on, computed once and kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from analysis.trend.models import SteadyMean
from detectors.safe_range import in_range
from people import database
from series.models import SeriesValues
from series.models.series import SeriesQuerySet

BATCH = 400  # series whose values are in memory at once: 10 MB at 3000 values


def steady_means(
    series: SeriesQuerySet, wanted: Mapping[int, int], *, most: int | None = None
) -> dict[int, float]:
    """The mean of each wanted series from its start on, by primary key.

    series  a query that finds all that are wanted, and may find more
    most    so many are computed now; the rest are left out until the next time
    """
    there = SteadyMean.objects.filter(series__in=series.order_by().values("pk"))
    kept = there.values_list("series_id", "start", "mean")
    found = {pk: mean for pk, start, mean in kept.iterator() if wanted.get(pk) == start}
    missing = [pk for pk in wanted if pk not in found]
    for batch in _batches(missing[:most]):
        computed = _computed(batch, wanted)
        rows = [
            SteadyMean(series_id=pk, start=wanted[pk], mean=mean) for pk, mean in computed.items()
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


def _computed(batch: Sequence[int], wanted: Mapping[int, int]) -> dict[int, float]:
    found = {}
    for stored in SeriesValues.objects.filter(series__in=batch).iterator(chunk_size=BATCH):
        part, exponent = in_range(stored.array()[wanted[stored.pk] :])
        found[stored.pk] = float(part.mean()) * 2.0**exponent
    return found
