"""Series of an archive, stored by the rules of any import, and what no other file says of them."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

import numpy as np
from django.conf import settings

from analysis.archive.descriptors import SAMPLES, VALUES
from analysis.archive.reading import ArchivedArrays, ArchiveError, ArchiveFile
from analysis.archive.restored_rows import free_public_ids
from formats import Measurement, RawSamples, RecordingHint
from series.importing.services import import_measurements
from series.models import Benchmark, Dataset, Recording, Series

AT_ONCE: Final = 500  # rows of one INSERT
MOST_SAMPLE_COUNT: Final = 2**53  # of a pair of raw samples, as in a file of JMH
NUMBERS: Final = (
    *("seconds_per_iteration", "operations_per_iteration", "warmup_values", "forks", "threads"),
    *("warmup_iterations", "warmup_seconds", "measurement_iterations", "measurement_seconds"),
    *("warmup_batch_size", "measurement_batch_size"),
)
"""Settings of a series that are numbers (`formats.Measurement`)."""


@dataclass(frozen=True, slots=True)
class ArchivedSeries:
    """A row of the table of series; keys of the benchmark and recording that were stored."""

    row_label: str
    benchmark_pk: int
    recording_pk: int
    field_values: Mapping[str, Any]


def store(rows: Sequence[ArchivedSeries], archive: ArchiveFile, file: str) -> array[int]:
    """Store them, data set after data set; their keys in the order of `rows`."""
    benchmarks = Benchmark.objects.in_bulk({restored_row.benchmark_pk for restored_row in rows})
    recordings = Recording.objects.in_bulk({restored_row.recording_pk for restored_row in rows})
    with (
        archive.arrays(VALUES, len(rows)) as values,
        archive.arrays(SAMPLES, 3 * len(rows)) as samples,
    ):
        reader = _SeriesReader(benchmarks, recordings, values, samples)
        numbered_rows = enumerate(rows, start=1)
        for dataset, dataset_rows in groupby(
            numbered_rows, lambda numbered_row: benchmarks[numbered_row[1].benchmark_pk].dataset_id
        ):
            measurements = (reader.measurement(*numbered_row) for numbered_row in dataset_rows)
            import_measurements(Dataset.objects.get(pk=dataset), measurements, file)
    return _say_the_rest(rows)


@dataclass(frozen=True, slots=True)
class _SeriesReader:
    benchmarks: Mapping[int, Benchmark]
    recordings: Mapping[int, Recording]
    values: ArchivedArrays
    samples: ArchivedArrays

    def measurement(self, number: int, row: ArchivedSeries) -> Measurement:
        benchmark, recording = self.benchmarks[row.benchmark_pk], self.recordings[row.recording_pk]
        if benchmark.dataset_id != recording.dataset_id:
            raise ArchiveError(f"{row.row_label}: benchmark and recording are of two data sets")
        series_settings = dict(row.field_values["settings"])
        for name, value in series_settings.items():
            is_fitting = isinstance(value, int | float) if name in NUMBERS else True
            if not is_fitting or not isinstance(value, int | float | str):
                raise ArchiveError(f"{row.row_label}: found {value!r} for the setting {name}")
        return Measurement(
            benchmark=benchmark.name,
            values=self._values(row),
            label=row.row_label,
            system=benchmark.system,
            params=benchmark.params,
            fork=row.field_values["fork"],
            unit=benchmark.unit,
            mode=benchmark.mode,
            settings=series_settings,
            samples=self._samples(number, row),
            recording=RecordingHint(label=recording.label),
        )

    def _values(self, row: ArchivedSeries) -> np.ndarray[Any, Any]:
        n, digest = row.field_values["n"], row.field_values["digest"]
        if not 1 <= n <= settings.IMPORT_MAX_POINTS:
            max_points = settings.IMPORT_MAX_POINTS
            raise ArchiveError(
                f"{row.row_label}: found {n:,} iterations, expected 1 to {max_points:,} "
                "(PLATEAU_MAX_POINTS)"
            )
        values = self.values.array(digest, "<f8", n)
        if hashlib.sha256(values.tobytes()).hexdigest() != digest:
            raise ArchiveError(f"{VALUES}: {digest} has other values than its name says")
        if not np.isfinite(values).all():
            raise ArchiveError(f"{VALUES}: {digest} has values that are not finite")
        return values

    def _samples(self, number: int, row: ArchivedSeries) -> RawSamples | None:
        if f"{number}.offsets" not in self.samples:
            return None
        offsets = self.samples.array(f"{number}.offsets", "<i8", row.field_values["n"] + 1)
        count = int(offsets[-1])
        is_rising = offsets[0] == 0 and (offsets[1:] > offsets[:-1]).all()
        if not is_rising:
            raise ArchiveError(f"{SAMPLES}: {number}.offsets do not rise from 0")
        if count > settings.IMPORT_MAX_POINTS:
            max_points = settings.IMPORT_MAX_POINTS
            raise ArchiveError(
                f"{SAMPLES}: {number}.offsets count {count:,} values, expected at most "
                f"{max_points:,} (PLATEAU_MAX_POINTS)"
            )
        values = self.samples.array(f"{number}.values", "<f8", count)
        if not np.isfinite(values).all():
            raise ArchiveError(f"{SAMPLES}: {number}.values are not all finite")
        counts = self.samples.array(f"{number}.counts", "<i8", count)
        if not ((counts > 0) & (counts < MOST_SAMPLE_COUNT)).all():
            raise ArchiveError(f"{SAMPLES}: {number}.counts are not all above 0 and below 2^53")
        return RawSamples(values, counts, offsets)


def _say_the_rest(rows: Sequence[ArchivedSeries]) -> array[int]:
    """Public ids, known answers and times; the keys, in the order of `rows`."""
    benchmark_keys = {restored_row.benchmark_pk for restored_row in rows}
    series_query = Series.objects.filter(benchmark__in=benchmark_keys).only(
        "pk", "benchmark", "recording", "fork"
    )
    series_by_key = {
        (stored_series.benchmark_id, stored_series.recording_id, stored_series.fork): stored_series
        for stored_series in series_query.iterator()
    }
    restored_series = [
        series_by_key[row.benchmark_pk, row.recording_pk, row.field_values["fork"]] for row in rows
    ]
    for row, stored_series in zip(rows, restored_series, strict=True):
        stored_series.public_id = row.field_values["public_id"]
        stored_series.known_start, stored_series.known_reason = (
            row.field_values["known_start"],
            row.field_values["known_reason"],
        )
        stored_series.created = row.field_values["created"]
    for offset in range(0, len(restored_series), AT_ONCE):
        free_public_ids(Series, restored_series[offset : offset + AT_ONCE])
    changed_fields = ["public_id", "known_start", "known_reason", "created"]
    Series.objects.bulk_update(restored_series, changed_fields, AT_ONCE)
    return array("q", [stored_series.pk for stored_series in restored_series])
