"""Import of event files of a whole recording: which file belongs to which series."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final

from analysis.event_lanes.services import event_target, store_events, within_bounds
from formats.errors import FormatError
from formats.events.file_names import NameMatch, matched_by_name, of_named_systems
from formats.events.lanes import EventTarget
from people.templatetags.writing import grouped
from series.models import Recording, Series
from series.models.series import SeriesQuerySet
from series.reading import file_readers
from series.reading.file_readers import FileToRead, StagedEvents

NOT_ANSWERED: Final = "not imported: you have yet to answer each series that it has events of."
TOO_LATE: Final = "not read: the files before it took too long. Import it again."
WRONG_COUNT: Final = (
    "a benchmark of which other files name forks that are not there, so nobody can say from which "
    "number forks are counted"
)


@dataclass(frozen=True, slots=True)
class EventFileOutcome:
    """One file and one series that it was imported beside; no series where it was refused.

    sentence   what was imported and how it was placed, or why nothing was
    """

    file: FileToRead
    series: Series | None
    sentence: str


def recorded_series(recording: Recording) -> SeriesQuerySet:
    """Series of a recording, with what an import of events reads of them."""
    return recording.series.select_related("benchmark__dataset__study")


def import_recording_events(
    recorded_series: Sequence[Series],
    files: Sequence[FileToRead],
    *,
    hidden_pks: Container[int] = (),
    offset: float | None = None,
    replace: bool = False,
    first_fork: int = 0,
    most_seconds: float = math.inf,
) -> Iterator[EventFileOutcome]:
    """Store what each file has of each series of one recording, as `import_events` does for one.

    Files are matched by the rule of `formats.events.file_names`; `first_fork` is the number of
    fork 0 in their names. All series are matched, and nothing is stored beside those with
    `hidden_pks`. No file is begun after `most_seconds`. Yields an outcome for each series
    that a file has events of, or one without a series that says why there is none.
    """
    deadline = monotonic() + most_seconds
    series_by_target = {event_target(series): series for series in recorded_series}
    name_matches = _name_matches(files, list(series_by_target), first_fork)
    for file, (targets, name_match) in zip(files, name_matches, strict=True):
        if monotonic() > deadline:
            yield EventFileOutcome(file, None, TOO_LATE)
            continue
        try:
            is_hidden = True
            for staged in file_readers.read_event_lanes(within_bounds(file), targets, name_match):
                series = series_by_target[staged.target]
                if series.pk not in hidden_pks:
                    is_hidden = False
                    yield _store(series, file, staged, offset=offset, replace=replace)
            if is_hidden:
                yield EventFileOutcome(file, None, NOT_ANSWERED)
        except FormatError as error:
            yield EventFileOutcome(file, None, str(error))


def _name_matches(
    files: Sequence[FileToRead], targets: Sequence[EventTarget], first_fork: int
) -> list[tuple[Sequence[EventTarget], NameMatch]]:
    """Series of the systems that each file names, and its match with them."""
    targets_by_file = [of_named_systems(file.name, targets) for file in files]
    matches = [
        matched_by_name(file.name, system_targets, first_fork)
        for file, system_targets in zip(files, targets_by_file, strict=True)
    ]
    miscounted = {match.benchmark for match in matches if match.lacks_fork}
    doubtful = NameMatch([], WRONG_COUNT)
    return [
        (system_targets, doubtful)
        if match.benchmark in miscounted and not match.lacks_fork
        else (system_targets, match)
        for system_targets, match in zip(targets_by_file, matches, strict=True)
    ]


def _store(
    series: Series, file: FileToRead, staged: StagedEvents, *, offset: float | None, replace: bool
) -> EventFileOutcome:
    """Store what a file has of one series; the outcome says what was stored, or why nothing was."""
    try:
        result = store_events(series, file, staged, offset=offset, replace=replace)
    except FormatError as error:
        return EventFileOutcome(file, None, f"{series}: {error}")
    return EventFileOutcome(file, series, str(result))


def outcome_sentence(outcomes: Sequence[EventFileOutcome], file_count: int, n: int) -> str:
    """Count files that were imported, and the series of `n` that they were imported beside."""
    stored_files = [(o.file.path, o.series.pk) for o in outcomes if o.series is not None]
    paths = {path for path, _ in stored_files}
    series_count = len({pk for _, pk in stored_files})
    return (
        f"{grouped(len(paths))} of {grouped(file_count)} files were imported, beside "
        f"{grouped(series_count)} of {grouped(n)} series."
    )
