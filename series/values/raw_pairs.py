"""Raw (value, count) pairs of some iterations of a series, read without the others."""

from __future__ import annotations

import numpy as np
from django.db.models import BinaryField, F, Func, Value

from formats import RawSamples
from series.models import Samples, Series

BYTES = 8  # of an offset, a value and a count


def has_pairs(series: Series) -> bool:
    return Samples.objects.filter(pk=series.pk).exists()


def pair_count(series: Series) -> int:
    """Number of pairs of all iterations; 0 without pairs. None is read."""
    rows = Samples.objects.filter(pk=series.pk)
    last_offset = rows.values_list(_part("offsets", series.n, series.n + 1)).first()
    return 0 if last_offset is None else int(np.frombuffer(last_offset[0], "<i8")[0])


def read_pairs(series: Series, start: int, stop: int) -> RawSamples | None:
    """Pairs of the iterations from `start` to before `stop`, with offsets from 0; None: no pairs.

    The database cuts them out, so memory does not grow with the series.
    """
    rows = Samples.objects.filter(pk=series.pk)
    part = rows.annotate(part=_part("offsets", start, stop + 1)).values_list("part").first()
    if part is None:
        return None
    offsets = np.frombuffer(part[0], "<i8")
    begin, end = int(offsets[0]), int(offsets[-1])
    parts = {name: _part(name, begin, end) for name in ("values", "counts")}
    values_and_counts = rows.values_list(*parts.values()).first()
    if values_and_counts is None:  # removed meanwhile
        return None
    values, counts = values_and_counts
    return RawSamples(np.frombuffer(values, "<f8"), np.frombuffer(counts, "<i8"), offsets - begin)


def _part(name: str, start: int, stop: int) -> Func:
    """SQL expression: entries `start` to before `stop` of a packed array."""
    bounds = (Value(BYTES * start + 1), Value(BYTES * (stop - start)))
    return Func(F(name), *bounds, function="SUBSTR", output_field=BinaryField())
