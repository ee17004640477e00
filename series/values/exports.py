"""Values as CSV, long: a row a value, streamed a series at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.http import StreamingHttpResponse

from formats import Measurement, RecordingHint, series_table
from formats.tables import TableColumn
from people import downloads
from series.models import Series
from series.models.series import SeriesQuerySet

AT_ONCE = 20  # series whose values are in memory together


def _recording_day(series: Series) -> str:
    moment = series.recording.measured_at
    return moment.isoformat() if moment else ""


SERIES_COLUMNS: Final[tuple[TableColumn[Series], ...]] = (
    TableColumn("recording", lambda series: series.recording.label),
    TableColumn("build", lambda series: series.recording.build),
    TableColumn("measured_at", _recording_day),
    TableColumn("system", lambda series: series.benchmark.system),
    TableColumn("benchmark", lambda series: series.benchmark.name),
    TableColumn("params", lambda series: series.benchmark.params),
    TableColumn("fork", lambda series: series.fork),
    TableColumn("n", lambda series: series.n),
    TableColumn("unit", lambda series: series.benchmark.unit),
)
"""What files of answers say of a series; its data set is named before, each in its own way."""
DATASET_SERIES_COLUMNS: Final[tuple[TableColumn[Series], ...]] = (
    TableColumn("dataset", lambda series: series.benchmark.dataset.slug),
    TableColumn("dataset_name", lambda series: series.benchmark.dataset.name),
    *SERIES_COLUMNS,
)
"""The same, with the data set before, for rows that reach it through their series alone."""
DIGEST: Final[TableColumn[Series]] = TableColumn("series_digest", lambda series: series.digest)


def long_csv_rows(series: SeriesQuerySet) -> Iterator[str]:
    """The CSV of `import_series`, with header, in pieces; the values are the stored float64."""
    return series_table.series_table_text(exported_measurements(series))


def exported_measurements(series: SeriesQuerySet) -> Iterator[Measurement]:
    """Each series with its values, as a file would give it."""
    rows_with_values = series.select_related("benchmark", "recording", "stored")
    for row in rows_with_values.iterator(chunk_size=AT_ONCE):
        yield _measurement(row)


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
        recording=RecordingHint(
            label=series.recording.label,
            build=series.recording.build,
            measured_at=_recording_day(series),
        ),
    )


def values_download(series: SeriesQuerySet, name: str) -> StreamingHttpResponse:
    """A download of `rows`, called plateau_<name>_values_<date>.csv."""
    download = downloads.csv(
        long_csv_rows(series), f"{downloads.download_name(name, 'values')}.csv"
    )
    download.headers["Cache-Control"] = "private, no-store"
    return download
