"""Recordings of a table with a value a row: which rows were measured on one occasion. Pure.

With a column `recording`, it names them. Without, each build is a recording; where a benchmark's
fork was measured at several times with one build, each time of that build is one. Without builds,
each time is a recording. The time of a recording is the earliest of its rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from formats.measurement import RecordingHint

EXPECTED_TIME = "a date and time such as 2026-03-14T02:00Z"


class Occasion(NamedTuple):
    """What the cells of a row say about when and of what it was measured; any may be empty."""

    recording: str
    build: str
    measured_at: str  # ISO 8601, as in the file


@dataclass(slots=True)
class _Facts:
    """What the rows of one occasion say of it: its build, and their earliest time."""

    build: str = ""
    measured_at: str = ""

    def add(self, build: str, measured_at: str) -> None:
        self.build = self.build or build
        times = [text for text in (self.measured_at, measured_at) if text]
        self.measured_at = min(times, key=_moment_of) if times else ""


class OccasionTable:
    """The occasions of a table, while its rows come in.

    counted  whether rows have an iteration: then those of one build may differ in time
    """

    def __init__(self, *, counted: bool) -> None:
        self._counted = counted
        self._facts: dict[Occasion, _Facts] = {}

    def take(self, said: Occasion) -> Occasion:
        """The occasion of a row by what names it: recording, build, build and time, or time."""
        name = Occasion("", said.build, "" if said.build and self._counted else said.measured_at)
        if said.recording:
            name = Occasion(said.recording, "", "")
        self._facts.setdefault(name, _Facts()).add(said.build, said.measured_at)
        return name

    def other_build(self, said: Occasion) -> str:
        """The build that the recording of a row had before, if that is another one."""
        known = self._facts.get(Occasion(said.recording, "", "")) if said.recording else None
        return known.build if known and said.build and known.build != said.build else ""

    def recordings(
        self, series: Iterable[tuple[Occasion, object]]
    ) -> dict[Occasion, RecordingHint]:
        """The recording of each occasion.

        series  the occasion of each series, and what tells series of one recording apart
        """
        repeated = _repeated_builds(series)
        labels = {one: _label(one, repeated) for one in self._facts}
        found: dict[str, _Facts] = {}
        for one, label in labels.items():
            facts = self._facts[one]
            found.setdefault(label, _Facts()).add(facts.build, facts.measured_at)
        return {one: _hint(label, found[label]) for one, label in labels.items()}


def is_time(text: str) -> bool:
    """Whether a cell says when something was measured."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _repeated_builds(rows: Iterable[tuple[Occasion, object]]) -> set[str]:
    """Builds of which the same fork was measured at more than one time."""
    seen: set[tuple[str, object]] = set()
    found = set()
    for one, which in rows:
        if (one.build, which) in seen:
            found.add(one.build)
        seen.add((one.build, which))
    return found


def _label(one: Occasion, repeated: set[str]) -> str:
    if one.recording or not one.build:
        return one.recording or one.measured_at
    return f"{one.build}, {one.measured_at}" if one.build in repeated else one.build


def _hint(label: str, found: _Facts) -> RecordingHint:
    return RecordingHint(label=label, build=found.build, measured_at=found.measured_at)


def time_stamp(milliseconds: str | float) -> str:
    """ISO 8601 of milliseconds since 1970; empty where they are no number, or no such time."""
    try:
        return datetime.fromtimestamp(float(milliseconds) / 1000, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def _moment_of(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
