"""Import of event files beside a series, and removal of lanes."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction

from analysis.event_lanes.placement import place_times, shifted_boundaries
from analysis.event_lanes.reads import (
    boundaries_of,
    outside_sentence,
    placed_lanes,
    placement_sentence,
)
from analysis.statistics.answers import Floats
from formats.errors import FormatError
from formats.events.file_names import NameMatch
from formats.events.lanes import EventTarget
from formats.names import normal
from people.templatetags.writing import grouped
from series.importing.quota import check_quota, lock_quota
from series.importing.services import within_limits
from series.models import Series, StoredEventLane
from series.reading import file_readers
from series.reading.file_readers import FileToRead, StagedEvents

BLOCK = 1 << 20  # bytes
SECONDS = StoredEventLane.Clock.SECONDS


@dataclass(frozen=True, slots=True)
class EventImportResult:
    """Lanes that one file brought, with sentences on how they were placed."""

    title: str
    lanes: int
    events: int
    notes: tuple[str, ...]

    def __str__(self) -> str:
        words = f"{grouped(self.events)} events in {self.lanes} lane{'s' * (self.lanes != 1)}"
        return " ".join((f"{self.title}: {words}.", *self.notes))


def import_events(
    series: Series, file: FileToRead, *, offset: float | None = None, replace: bool = False
) -> EventImportResult:
    """Store the lanes of a file beside `series`: all of them, or nothing.

    A lane of the same file is brought up to date, such as with another `offset` (seconds from the
    start of the process to the first recorded iteration). With `replace` lanes of other files
    make room. Raises FormatError; its message says what to do.
    """
    target = event_target(series)
    (staged,) = file_readers.read_event_lanes(within_bounds(file), [target], NameMatch([target]))
    return store_events(series, file, staged, offset=offset, replace=replace)


def event_target(series: Series) -> EventTarget:
    """A series as files of events name it."""
    benchmark = series.benchmark
    return EventTarget(
        system=benchmark.system,
        benchmark=benchmark.name,
        params=benchmark.params,
        fork=series.fork,
        n=series.n,
    )


def within_bounds(file: FileToRead) -> FileToRead:
    """The file with the limits of the installation."""
    return dataclasses.replace(file, options=within_limits(file.options))


def store_events(
    series: Series,
    file: FileToRead,
    staged_events: StagedEvents,
    *,
    offset: float | None,
    replace: bool,
) -> EventImportResult:
    """Store the lanes that `file` has of `series`; arguments and errors as `import_events`."""
    benchmark = series.benchmark
    _check_times(series, staged_events, file.name, offset)
    digest = _digest(file)
    rows = [_row(series, lane, file.name, digest, offset) for lane in staged_events.lanes]
    with transaction.atomic():
        lock_quota(benchmark.dataset.study)
        stored_lanes = series.event_lanes.filter(kind__in=[row.kind for row in rows])
        if not replace:
            _refuse_taken_name(stored_lanes.exclude(file_digest=digest).first(), file.name)
        stored_lanes.delete()
        check_quota(benchmark.dataset.study, file.name, [row.size for row in rows])
        StoredEventLane.objects.bulk_create(rows)
    return _result(series, staged_events, offset)


def remove_lanes(series: Series) -> int:
    """Delete all lanes of a series; return their number."""
    _, removed_counts = series.event_lanes.all().delete()
    return removed_counts.get("series.StoredEventLane", 0)


def _digest(file: FileToRead) -> str:
    digest = hashlib.sha256()
    with file.opened() as stream:
        while block := stream.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _row(
    series: Series, lane: dict[str, Any], file_name: str, digest: str, offset: float | None
) -> StoredEventLane:
    return StoredEventLane(
        series=series,
        **lane,
        offset=offset if lane["clock"] == SECONDS else None,
        size=len(json.dumps(lane["events"])),
        file_name=normal(file_name)[:300],
        file_digest=digest,
    )


def _refuse_taken_name(lane: StoredEventLane | None, file_name: str) -> None:
    if lane is not None:
        raise FormatError(
            file_name,
            f"lane {lane.title}",
            found=f"a lane of that kind from {lane.file_name}",
            expected="none yet",
            hint="replace it (--replace) if this file is the right one",
        )


def _check_times(
    series: Series, staged_events: StagedEvents, file_name: str, offset: float | None
) -> None:
    """Raise where nobody can place the times of a file, or all of them lie elsewhere."""
    timed_lanes = [lane["events"] for lane in staged_events.lanes if lane["clock"] == SECONDS]
    if not timed_lanes:
        return
    boundaries = boundaries_of(series)
    if boundaries is None:
        raise FormatError(
            file_name,
            "times of the events",
            found="a series of which nobody said how long an iteration lasts",
            expected="a length",
            hint="state it (manage.py iteration_length), or give events by iteration",
        )
    times = shifted_boundaries(boundaries, offset)
    starts, event_ends = (
        np.concatenate([np.array(events[name], dtype=np.float64) for events in timed_lanes])
        for name in ("start", "end")
    )
    spans = place_times(starts, event_ends, times)
    if not ((spans.last >= 0) & (spans.first < series.n)).any():
        raise FormatError(
            file_name,
            "times of the events",
            found=_seconds(starts.min(), event_ends.max()),
            expected=f"some within the iterations, {_seconds(times[0], times[-1])}",
            hint="state the offset: seconds from the start of the process to the first iteration",
        )


def _seconds(begin: Floats, end: Floats) -> str:
    return f"{float(begin):.3f} s to {float(end):.3f} s"


def _result(series: Series, staged_events: StagedEvents, offset: float | None) -> EventImportResult:
    kinds = {lane["kind"] for lane in staged_events.lanes}
    lanes = [lane for lane in placed_lanes(series) if lane.stored.kind in kinds]
    is_timed = any(lane["clock"] == SECONDS for lane in staged_events.lanes)
    notes = [placement_sentence(series, offset) if is_timed else "", outside_sentence(lanes)]
    return EventImportResult(
        title=staged_events.title,
        lanes=len(staged_events.lanes),
        events=sum(lane["count"] for lane in staged_events.lanes),
        notes=tuple(filter(None, [*notes, *staged_events.notes])),
    )
