"""Staging of a file: each series drawn and its values set aside, before anything is stored.

The values wait in a temporary file, so that memory grows with the number of series and not
with their length, and so that the transaction that stores them only copies bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import IO, Any, BinaryIO, NamedTuple, Protocol, Self

import numpy as np

from detectors.panel import copies
from formats import FormatError, Measurement, RawSamples, RecordingHint, Setting
from series.drawings.outlines import SeriesOutline, draw_outlines
from series.shape_facts import shape_rows

TOGETHER = 1 << 17  # values that are drawn at once
MOST_PROBLEMS = 100  # kept word for word; further ones are counted


class ImportStep(Protocol):
    """Told how far an import is, in series; may raise to end it before anything is written."""

    def __call__(self, *, read_count: int, stored_count: int) -> None: ...


class SpoolPlace(NamedTuple):
    """Place of bytes in the temporary file."""

    offset: int
    size: int


class BenchmarkKey(NamedTuple):
    """Key that makes a benchmark the same benchmark within a data set."""

    system: str
    name: str
    params: str


@dataclass(frozen=True, slots=True)
class SeriesHeader:
    """A series of a file without its values: enough to tell whether it is stored already.

    `digest` is the SHA-256 of its n x 8 bytes, little-endian.
    """

    label: str
    benchmark: BenchmarkKey
    unit: str
    mode: str
    fork: int
    digest: str
    recording: RecordingHint
    better: str

    @classmethod
    def from_measurement(cls, measurement: Measurement) -> SeriesHeader:
        return cls(**_names(measurement), digest=hashlib.sha256(_bytes(measurement)).hexdigest())


@dataclass(frozen=True, slots=True)
class IncomingSeries(SeriesHeader):
    """One series on its way in, its values set aside."""

    n: int
    about: SpoolPlace  # `SeriesAbout`: thousands of them would fill the memory
    sketch: SpoolPlace  # what copies are known by, as it is stored
    value_sketch: SpoolPlace  # the same of the values without their order
    values: SpoolPlace
    samples: tuple[SpoolPlace, SpoolPlace, SpoolPlace] | None  # offsets, values, counts

    @property
    def stored_bytes(self) -> int:
        """Bytes that its values and samples take in the database."""
        return sum(place.size for place in (self.values, *(self.samples or ())))


class SeriesAbout(NamedTuple):
    """Columns that are stored of a series beside its values, by name.

    JSON stays the text that its reader wrote: nobody looks into it before it is stored.
    """

    series_columns: dict[str, Any]
    shape_columns: dict[str, Any]

    @classmethod
    def from_settings(
        cls, settings: Mapping[str, Setting], drawing: SeriesOutline, shape: Mapping[str, Any]
    ) -> Self:
        series_columns = {
            **drawing.columns,
            "outline": json.dumps(drawing.outline),
            "settings": json.dumps(dict(settings)),
            "seconds_per_iteration": settings.get("seconds_per_iteration"),
        }
        return cls(series_columns, {**shape, "facts": json.dumps(shape["facts"])})


@dataclass(slots=True)
class StagedFile:
    """The series of one file in the order of the file, with its problems and notes.

    default_label  of a recording that neither person nor file names; empty: the file's name
    collects       series with a problem are left out; else the first problem ends the import
    """

    name: str
    spool: IO[bytes]  # holds the values until they are stored
    digest: str = ""
    size: int = 0
    default_label: str = ""
    collects: bool = False
    series: list[IncomingSeries] = field(default_factory=list)
    problems: list[FormatError] = field(default_factory=list)
    problem_count: int = 0
    notes: Counter[str] = field(default_factory=Counter)  # sentence → series that it is about
    step: ImportStep | None = None

    def take(self, measurements: Iterable[Measurement]) -> None:
        """Draw and set aside each of `measurements` while the file is read."""
        for batch in group_measurements(measurements):
            self.series += self._incoming(batch)
            for measurement in batch:
                self.notes.update(measurement.notes)
            self.tell(stored_count=0)

    def tell(self, *, stored_count: int) -> None:
        """Let whoever watches the import know how far it is."""
        if self.step:
            self.step(read_count=len(self.series), stored_count=stored_count)

    def note_problem(self, problem: FormatError) -> None:
        """Keep one of the first hundred problems, and count them all."""
        self.problem_count += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)

    def bytes_at(self, spool_place: SpoolPlace) -> bytes:
        self.spool.seek(spool_place.offset)
        return self.spool.read(spool_place.size)

    def about(self, incoming: IncomingSeries) -> SeriesAbout:
        """Columns that are stored of one of its series beside its values."""
        return SeriesAbout(*json.loads(self.bytes_at(incoming.about)))

    def _incoming(self, batch: Sequence[Measurement]) -> Iterator[IncomingSeries]:
        blobs = [_bytes(measurement) for measurement in batch]
        values = [np.frombuffer(data, "<f8") for data in blobs]
        sketches = zip(copies.sketches(values), copies.value_sketches(values), strict=True)
        figures = zip(draw_outlines(values), shape_rows(values), sketches, strict=True)
        for measurement, data, (drawing, shape, (sketch, value_sketch)) in zip(
            batch, blobs, figures, strict=True
        ):
            columns = SeriesAbout.from_settings(measurement.settings, drawing, shape)
            pieces = (
                json.dumps(columns).encode(),
                copies.as_bytes(sketch),
                copies.as_bytes(value_sketch),
                data,
            )
            places = self._set_aside(pieces)
            yield IncomingSeries(
                **_names(measurement),
                digest=hashlib.sha256(data).hexdigest(),
                n=measurement.values.size,
                about=places[0],
                sketch=places[1],
                value_sketch=places[2],
                values=places[3],
                samples=self._samples(measurement.samples),
            )

    def _samples(
        self, samples: RawSamples | None
    ) -> tuple[SpoolPlace, SpoolPlace, SpoolPlace] | None:
        if samples is None:
            return None
        pieces = (
            samples.offsets.astype("<i8").tobytes(),
            samples.values.astype("<f8").tobytes(),
            samples.counts.astype("<i8").tobytes(),
        )
        offset_place, value_place, count_place = self._set_aside(pieces)
        return offset_place, value_place, count_place

    def _set_aside(self, pieces: Sequence[bytes]) -> list[SpoolPlace]:
        """Write pieces to the end of the temporary file; where each lies."""
        piece_ends = list(accumulate(map(len, pieces), initial=self.spool.seek(0, 2)))
        self.spool.write(b"".join(pieces))
        return [SpoolPlace(start, end - start) for start, end in pairwise(piece_ends)]


def group_measurements(measurements: Iterable[Measurement]) -> Iterator[list[Measurement]]:
    """Measurements, so many at once that they have `TOGETHER` values, or one."""
    batch: list[Measurement] = []
    size = 0
    for measurement in measurements:
        batch.append(measurement)
        size += measurement.values.size
        if size >= TOGETHER:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _bytes(measurement: Measurement) -> bytes:
    return np.ascontiguousarray(measurement.values, dtype="<f8").tobytes()


def _names(measurement: Measurement) -> dict[str, Any]:
    return {
        "label": measurement.label,
        "benchmark": BenchmarkKey(measurement.system, measurement.benchmark, measurement.params),
        "unit": measurement.unit,
        "mode": measurement.mode,
        "fork": measurement.fork,
        "recording": measurement.recording,
        "better": measurement.better,
    }


def digest_and_size(stream: BinaryIO) -> tuple[str, int]:
    """SHA-256 and size of a seekable stream, which is then back at its beginning."""
    stream.seek(0)
    digest, size = hashlib.sha256(), 0
    while block := stream.read(1 << 20):
        digest.update(block)
        size += len(block)
    stream.seek(0)
    return digest.hexdigest(), size
