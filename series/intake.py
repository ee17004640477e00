"""What a file holds, before anything is written: each series drawn, its values set aside.

The values wait in a temporary file, so that memory grows with the number of series and not
with their length, and so that the transaction that stores them only copies bytes.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import IO, BinaryIO, NamedTuple

import numpy as np

from formats import FormatError, Measurement, RecordingHint, Samples, Setting
from series.drawing import Drawing, draw

MOST_PROBLEMS = 100  # kept word for word; further ones are counted


class Place(NamedTuple):
    """Where bytes lie in the temporary file."""

    offset: int
    size: int


class Key(NamedTuple):
    """What makes a benchmark the same benchmark within a data set."""

    system: str
    name: str
    params: str


@dataclass(frozen=True, slots=True)
class Incoming:
    """One series on its way in; `digest` is the SHA-256 of its n x 8 bytes, little-endian."""

    label: str
    benchmark: Key
    unit: str
    mode: str
    fork: int
    n: int
    digest: str
    settings: dict[str, Setting]
    drawing: Drawing
    recording: RecordingHint
    values: Place
    samples: tuple[Place, Place, Place] | None  # offsets, values, counts


@dataclass(slots=True)
class Intake:
    """The series of one file in the order of the file, with its problems and notes."""

    name: str
    spool: IO[bytes]  # holds the values until they are stored
    series: list[Incoming] = field(default_factory=list)
    problems: list[FormatError] = field(default_factory=list)
    problem_count: int = 0
    notes: Counter[str] = field(default_factory=Counter)  # sentence → series that it is about

    def take(self, measurements: Iterable[Measurement]) -> None:
        """Draw and set aside each of `measurements` while the file is read."""
        for measurement in measurements:
            self.series.append(self._incoming(measurement))
            self.notes.update(measurement.notes)

    def note_problem(self, problem: FormatError) -> None:
        """Keep one of the first hundred problems, and count them all."""
        self.problem_count += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)

    def bytes_at(self, place: Place) -> bytes:
        self.spool.seek(place.offset)
        return self.spool.read(place.size)

    def _incoming(self, measurement: Measurement) -> Incoming:
        data = np.ascontiguousarray(measurement.values, dtype="<f8").tobytes()
        return Incoming(
            label=measurement.label,
            benchmark=Key(measurement.system, measurement.benchmark, measurement.params),
            unit=measurement.unit,
            mode=measurement.mode,
            fork=measurement.fork,
            n=measurement.values.size,
            digest=hashlib.sha256(data).hexdigest(),
            settings=dict(measurement.settings),
            drawing=draw(measurement.values),
            recording=measurement.recording,
            values=self._set_aside(data),
            samples=self._samples(measurement.samples),
        )

    def _samples(self, samples: Samples | None) -> tuple[Place, Place, Place] | None:
        if samples is None:
            return None
        return (
            self._set_aside(samples.offsets.astype("<i8").tobytes()),
            self._set_aside(samples.values.astype("<f8").tobytes()),
            self._set_aside(samples.counts.astype("<i8").tobytes()),
        )

    def _set_aside(self, data: bytes) -> Place:
        offset = self.spool.seek(0, 2)
        self.spool.write(data)
        return Place(offset, len(data))


def digest_of(stream: BinaryIO) -> tuple[str, int]:
    """SHA-256 and size of a seekable stream, which is then back at its beginning."""
    stream.seek(0)
    digest, size = hashlib.sha256(), 0
    while block := stream.read(1 << 20):
        digest.update(block)
        size += len(block)
    stream.seek(0)
    return digest.hexdigest(), size
