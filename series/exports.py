"""Values as CSV, long: a row a value, streamed a series at a time."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import StreamingHttpResponse

from formats import Measurement, RecordingHint, series_table
from people import downloads
from series.models import Series
from series.models.series import SeriesQuerySet

AT_ONCE = 20  # series whose values are in memory together


def rows(series: SeriesQuerySet) -> Iterator[str]:
    """The CSV of `import_series`, with header, in pieces; the values are the stored float64."""
    return series_table.write(measurements(series))


def measurements(series: SeriesQuerySet) -> Iterator[Measurement]:
    """Each series with its values, as a file would give it."""
    found = series.select_related("benchmark", "recording", "stored")
    for each in found.iterator(chunk_size=AT_ONCE):
        yield _measurement(each)


def _measurement(series: Series) -> Measurement:
    benchmark = series.benchmark
    return Measurement(
        benchmark=benchmark.name,
        values=series.array(),
        label=str(series),
        system=benchmark.system,
        params=benchmark.params,
        fork=series.fork,
        unit=benchmark.unit,
        mode=benchmark.mode,
        recording=RecordingHint(label=series.recording.label),
    )


def answer(series: SeriesQuerySet, name: str) -> StreamingHttpResponse:
    """A download of `rows`, called plateau_<name>_values_<date>.csv."""
    found = downloads.csv(rows(series), f"{downloads.named(name, 'values')}.csv")
    found.headers["Cache-Control"] = "private, no-store"
    return found
