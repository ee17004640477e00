"""Past nights as rows without values: `python -m evidence.bench.nightly --before N` asks what they
cost.

Each is the night that is stored already, again: its series with other sketches, the answers of its
methods, and means near its own, so that a trend finds everything computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from django.db import transaction
from django.db.models import Model, QuerySet

from analysis.runs.models import Detection
from analysis.trend.models import SteadyMean
from detectors.panel.copies import LEAST_KEPT, as_bytes
from people.public_id import new_public_id
from series.models import Recording, Series, SeriesSketch

ROWS = 1000
Row = dict[str, Any]


def write_past_nights(nights: int) -> None:
    """So many nights after the only recording there is."""
    first = Recording.objects.get()
    stored_night = StoredNight(
        _rows(Series.objects.filter(recording=first)),
        _rows(Detection.objects.filter(series__recording=first)),
        _rows(SteadyMean.objects.filter(series__recording=first)),
    )
    random = np.random.default_rng(0)
    for night in range(1, nights + 1):
        with transaction.atomic():
            _write_one(first, night, stored_night, random)


class StoredNight(NamedTuple):
    """Rows of the night that is repeated."""

    series: list[Row]
    answers: list[Row]
    means: list[Row]


def _rows(rows: QuerySet[Any]) -> list[Row]:
    return [dict(row) for row in rows.order_by("pk").values()]


def _write_one(
    first: Recording, night: int, stored_night: StoredNight, random: np.random.Generator
) -> None:
    night_time = (first.measured_at or first.created) + timedelta(days=night)
    recording = Recording.objects.create(
        dataset=first.dataset, label=f"night {night + 1}", measured_at=night_time
    )
    newest_pk = Series.objects.order_by("-pk")[0].pk
    keys = dict(zip((row["id"] for row in stored_night.series), count(newest_pk + 1)))
    _store(Series, (_copied_row(row, keys[row["id"]], recording.pk) for row in stored_night.series))
    _store(SeriesSketch, ({"series_id": pk, "hashes": _sketch(random)} for pk in keys.values()))
    _store(Detection, _rekeyed_rows(stored_night.answers, keys))
    _store(
        SteadyMean, (_varied_row(row, random) for row in _rekeyed_rows(stored_night.means, keys))
    )


def _copied_row(row: Row, pk: int, recording: int) -> Row:
    name = new_public_id()
    return row | {"id": pk, "public_id": name, "digest": name, "recording_id": recording}


def _varied_row(row: Row, random: np.random.Generator) -> Row:
    return row | {"mean": row["mean"] * random.normal(1, 0.01)}


def _rekeyed_rows(rows: Iterable[Row], keys: dict[int, int]) -> Iterator[Row]:
    for row in rows:
        yield row | {"id": None, "series_id": keys[row["series_id"]]}


def _sketch(random: np.random.Generator) -> bytes:
    """Sketch of a series of its own: the smallest of 3,000 hashes."""
    highest_hash = 2**32 * LEAST_KEPT // 3000
    return as_bytes(np.unique(random.integers(0, highest_hash, LEAST_KEPT).astype(np.uint32)))


def _store(model: type[Model], rows: Iterable[Row]) -> None:
    model._default_manager.bulk_create([model(**row) for row in rows], ROWS)  # noqa: SLF001
