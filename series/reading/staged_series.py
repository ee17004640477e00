"""The series of a waiting file without their values, as a list beside the file."""

from __future__ import annotations

import dataclasses
import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from formats import RecordingHint
from series.reading.staging import BenchmarkKey, IncomingSeries, SeriesHeader, SpoolPlace


def write_staged(path: Path, series: Iterable[SeriesHeader]) -> None:
    data = json.dumps([as_row(header) for header in series], ensure_ascii=False).encode()
    path.write_bytes(gzip.compress(data, compresslevel=1))


def read_staged(path: Path) -> list[SeriesHeader]:
    """The series of a waiting file; none once its list is gone."""
    try:
        rows = json.loads(gzip.decompress(path.read_bytes()))
    except FileNotFoundError:
        return []
    return [SeriesHeader(**of_row(row)) for row in rows]


def as_row(series: SeriesHeader) -> list[object]:
    """Fields that name a series, as JSON holds them."""
    hint = {name: getattr(series.recording, name) for name in RecordingHint.__slots__}
    own_fields = series.label, series.unit, series.mode, series.fork, series.digest
    return [*series.benchmark, *own_fields, hint, series.better]


def of_row(row: list[Any]) -> dict[str, Any]:
    """The fields of `SeriesHeader` in what `as_row` gave."""
    label, unit, mode, fork, digest, hint, *later_fields = row[3:]
    return {
        "benchmark": BenchmarkKey(*row[:3]),
        "label": label,
        "unit": unit,
        "mode": mode,
        "fork": fork,
        "digest": digest,
        "recording": RecordingHint(**hint),
        "better": later_fields[0]
        if later_fields
        else "",  # a file that waits since before it could be said
    }


def incoming_as_row(series: IncomingSeries) -> list[object]:
    """A series on its way in, as JSON holds it."""
    places = series.about, series.sketch, series.value_sketch, series.values
    return [as_row(series), series.n, places, series.samples]


def incoming_of_row(row: list[Any]) -> IncomingSeries:
    header_row, n, places, samples = row
    about_place, sketch, value_sketch, values = (SpoolPlace(*place) for place in places)
    series = IncomingSeries(
        **of_row(header_row),
        n=n,
        about=about_place,
        sketch=sketch,
        value_sketch=value_sketch,
        values=values,
        samples=None,
    )
    if samples:
        offset_place, value_place, count_place = (
            SpoolPlace(*sample_place) for sample_place in samples
        )
        series = dataclasses.replace(series, samples=(offset_place, value_place, count_place))
    return series
