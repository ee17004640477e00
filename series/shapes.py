"""Shape and noise of stored series: kept beside each, so that no list reads values.

They are made at import. Where the rules have changed since, or a data folder is older than they
are, `refresh` makes them anew: a worker does so in the background, `manage.py shapes` at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db.models import Count, QuerySet

from detectors.shapes.series_shape import RULE
from series.models import Series, SeriesShape, SeriesValues
from series.models.series import SeriesQuerySet
from series.shape_facts import shape_row

VALUES_AT_ONCE: Final = 1_000_000


def current_shape(series: Series) -> SeriesShape | None:
    """The stored shape of a series by the rules of today; None until a worker has made it."""
    return SeriesShape.objects.filter(series=series, rule=RULE).first()


def unshaped_series() -> SeriesQuerySet:
    """Series without a shape by the rules of today."""
    return Series.objects.exclude(shaped__rule=RULE)


def refresh(series: SeriesQuerySet | None = None, *, max_count: int | None = VALUES_AT_ONCE) -> int:
    """Make missing or outdated shapes of up to `max_count` values; return how many it made."""
    series_to_refresh = (unshaped_series() if series is None else series).order_by("pk")
    budget, refreshed_count = max_count, 0
    for pk, n in list(series_to_refresh.values_list("pk", "n")):
        row = shape_row(SeriesValues.objects.get(pk=pk).array())
        SeriesShape.objects.update_or_create(series_id=pk, defaults=row)
        refreshed_count += 1
        if budget is not None:
            budget -= n
            if budget <= 0:
                break
    return refreshed_count


def counts_by_shape(series: QuerySet[Series], column: str = "shape") -> dict[str, int]:
    """Count how many of `series` have each shape, or each `noise`; "" counts those not told."""
    rows = series.order_by().values_list(f"shaped__{column}").annotate(n=Count("pk"))
    counts: dict[str, int] = {}
    for name, n in rows:
        counts[name or ""] = counts.get(name or "", 0) + n
    return counts


def stored_shapes(series: Iterable[Series]) -> dict[int, SeriesShape]:
    """The stored shapes of some series, by primary key, in one query; without their numbers."""
    return SeriesShape.objects.defer("facts").in_bulk([row.pk for row in series])
