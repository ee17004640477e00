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
    """Cells of a row that say when and of what it was measured; any may be empty."""

    recording: str
    build: str
    measured_at: str  # ISO 8601, as in the file


@dataclass(slots=True)
class _Facts:
    """Build of one occasion, and the earliest time of its rows."""

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

    def take(self, occasion: Occasion) -> Occasion:
        """The occasion of a row by what names it: recording, build, build and time, or time."""
        name = Occasion(
            "", occasion.build, "" if occasion.build and self._counted else occasion.measured_at
        )
        if occasion.recording:
            name = Occasion(occasion.recording, "", "")
        self._facts.setdefault(name, _Facts()).add(occasion.build, occasion.measured_at)
        return name

    def other_build(self, occasion: Occasion) -> str:
        """The build that the recording of a row had before, if that is another one."""
        recording_facts = (
            self._facts.get(Occasion(occasion.recording, "", "")) if occasion.recording else None
        )
        return (
            recording_facts.build
            if recording_facts and occasion.build and recording_facts.build != occasion.build
            else ""
        )

    def recordings(
        self, series: Iterable[tuple[Occasion, object]]
    ) -> dict[Occasion, RecordingHint]:
        """The recording of each occasion.

        series  the occasion of each series, and what tells series of one recording apart
        """
        repeated_builds = _repeated_builds(series)
        labels = {occasion: _label(occasion, repeated_builds) for occasion in self._facts}
        facts_by_label: dict[str, _Facts] = {}
        for occasion, label in labels.items():
            facts = self._facts[occasion]
            facts_by_label.setdefault(label, _Facts()).add(facts.build, facts.measured_at)
        return {occasion: _hint(label, facts_by_label[label]) for occasion, label in labels.items()}


def is_time(text: str) -> bool:
    """Return whether a cell says when something was measured."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _repeated_builds(rows: Iterable[tuple[Occasion, object]]) -> set[str]:
    """Builds of which the same fork was measured at more than one time."""
    measured_forks: set[tuple[str, object]] = set()
    repeated_builds = set()
    for occasion, fork_key in rows:
        if (occasion.build, fork_key) in measured_forks:
            repeated_builds.add(occasion.build)
        measured_forks.add((occasion.build, fork_key))
    return repeated_builds


def _label(occasion: Occasion, repeated_builds: set[str]) -> str:
    if occasion.recording or not occasion.build:
        return occasion.recording or occasion.measured_at
    return (
        f"{occasion.build}, {occasion.measured_at}"
        if occasion.build in repeated_builds
        else occasion.build
    )


def _hint(label: str, facts: _Facts) -> RecordingHint:
    return RecordingHint(label=label, build=facts.build, measured_at=facts.measured_at)


def time_stamp(milliseconds: str | float) -> str:
    """ISO 8601 of milliseconds since 1970; empty where they are no number, or no such time."""
    try:
        return datetime.fromtimestamp(float(milliseconds) / 1000, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def _moment_of(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
