"""Lanes of events: what happened in a process while its iterations were measured."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Final, Literal, TypeAlias

from formats.names import flaw
from formats.source import InputSource

Clock: TypeAlias = Literal["seconds", "iterations"]
"""Unit of the starts of a lane: seconds since the process started, or iterations from 0."""
MOST_LANES: Final = 64
MOST_NAME: Final = 300  # characters of a name or detail that are kept
MOST_LINE: Final = 20_000  # characters of a line that are looked at
LATEST: Final = 1e9  # seconds or iterations: 30 years; later stamps are a wall clock's
_KIND: Final = re.compile(r"(?:(?!\.)[\W_])+")  # all but letters, digits and points


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeEvent:
    """One event, from `start` to `end` by the clock of its lane; equal where no end is known.

    `value` is in the unit of the lane; None where the event has no figure.
    """

    start: float
    end: float
    name: str = ""
    detail: str = ""
    value: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLane:
    """Events of one kind, in the order of their starts.

    kind   identifies the lane in its series: lower-case letters, digits, points and hyphens
    ends_known   False: an event has a start alone, such as a line of PrintCompilation
    """

    kind: str
    title: str
    clock: Clock
    events: tuple[RuntimeEvent, ...]
    unit: str = ""
    ends_known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFile:
    """Lanes of one file, at least one, with sentences for the person who imports it."""

    title: str
    lanes: tuple[EventLane, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTarget:
    """Series that a file's events belong to, as its own file names it; `n` iterations."""

    system: str = ""
    benchmark: str
    n: int
    params: str = ""
    fork: int = 0


EventFiles: TypeAlias = Iterator[tuple[EventTarget, EventFile]]
"""Series that a file has events of, each with its lanes."""


def is_never_true(_start: str) -> bool:
    """False: a log says nothing about the series that its process measured."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReader:
    """One kind of event file: `recognise` tells it by its first characters.

    names_series   tells by the same characters whether the file says which series it is about
    """

    name: str
    title: str
    recognise: Callable[[str], bool]
    read: Callable[[InputSource, Sequence[EventTarget]], EventFiles]
    names_series: Callable[[str], bool] = is_never_true


def bounded_lines(source: InputSource) -> Iterator[tuple[int, str]]:
    """Number (from 1) and text of each line; text behind `MOST_LINE` characters is passed over."""
    text = source.lines()
    number = 0
    while line := text.readline(MOST_LINE):
        number += 1
        rest_of_line = line
        while len(rest_of_line) == MOST_LINE and not rest_of_line.endswith("\n"):
            rest_of_line = text.readline(MOST_LINE)
        yield number, line.rstrip("\r\n")


class LaneBuilder:
    """Lanes while a file is read; raises `FormatError` where there are too many events."""

    def __init__(self, source: InputSource) -> None:
        self._source = source
        self._most = source.options.limits.events
        self._events: dict[str, list[RuntimeEvent]] = {}
        self._lanes: dict[str, EventLane] = {}
        self._count = 0

    def add(self, lane: EventLane, where: str, events: Iterable[RuntimeEvent]) -> None:
        """Put `events` into the lane of this kind, whose own events are ignored.

        Raises where a lane of that kind has another title or unit: figures would be mixed.
        """
        if lane.kind not in self._lanes and len(self._lanes) >= MOST_LANES:
            most_words = f"at most {MOST_LANES:,} lanes"
            raise self._source.limit_error(where, "lanes", found="more lanes", expected=most_words)
        earlier_lane = self._lanes.get(lane.kind, lane)
        if earlier_lane.title != lane.title:
            raise self._source.problem(
                where,
                found=f"lane {lane.title[:60]!r} beside {earlier_lane.title[:60]!r}",
                expected="names of lanes that differ in letters or digits",
            )
        if earlier_lane.unit and lane.unit and earlier_lane.unit != lane.unit:
            expected = (
                f"{earlier_lane.unit}, as in the events before of lane {earlier_lane.title[:60]}"
            )
            raise self._source.problem(where, found=f"the unit {lane.unit}", expected=expected)
        self._lanes[lane.kind] = earlier_lane if earlier_lane.unit else lane
        kept_events = self._events.setdefault(lane.kind, [])
        for event in events:
            self._count += 1
            if self._count > self._most:
                raise self._source.limit_error(where, "events", found="more events")
            check_event(self._source, where, event)
            kept_events.append(event)

    @property
    def is_empty(self) -> bool:
        """True as long as no event was added."""
        return not self._count

    def finish(
        self, title: str, expected: str, notes: Iterable[str] = (), hint: str = ""
    ) -> EventFile:
        """Return the file's lanes; raises where no event was found."""
        if not self._count:
            raise self._source.problem(
                "the whole file", found="no event", expected=expected, hint=hint
            )
        lanes = tuple(
            replace(lane, events=tuple(sorted(self._events[kind], key=attrgetter("start"))))
            for kind, lane in self._lanes.items()
            if self._events[kind]
        )
        return EventFile(title=title, lanes=lanes, notes=tuple(notes))


def read_process_log(
    read: Callable[[InputSource], EventFile],
) -> Callable[[InputSource, Sequence[EventTarget]], EventFiles]:
    """Return the reader of a log whose events all belong to one series, the first target."""

    def read_for_target(source: InputSource, targets: Sequence[EventTarget]) -> EventFiles:
        yield targets[0], read(source)

    return read_for_target


@dataclass(slots=True)
class SeriesEvents:
    """Lanes of one series while a file of several is read, and notes on what was left out."""

    target: EventTarget
    lanes: LaneBuilder
    notes: list[str] = field(default_factory=list)


def event_files(
    source: InputSource,
    collected_events: Sequence[SeriesEvents],
    title: str,
    expected: Callable[[EventTarget], str],
    hint: str = "",
) -> EventFiles:
    """Yield the lanes of each series that has events; raises where none of them has any."""
    filled_events = [events for events in collected_events if not events.lanes.is_empty]
    if not filled_events and len(collected_events) > 1:
        notes = [note for events in collected_events for note in events.notes]
        raise source.problem(
            "the whole file",
            found="no event of any of these series",
            expected=expected(collected_events[0].target),
            hint=" ".join(notes[:3]) or hint,
        )
    for events in filled_events or collected_events:
        yield (
            events.target,
            events.lanes.finish(
                title, expected(events.target), events.notes, hint=" ".join(events.notes) or hint
            ),
        )


def check_event(source: InputSource, where: str, event: RuntimeEvent) -> None:
    """Raise for times that are no times, and for text that cannot be stored."""
    for moment in (event.start, event.end):
        if not math.isfinite(moment) or abs(moment) > LATEST:
            raise source.problem(where, found=repr(moment), expected="a time since the start")
    if event.end < event.start:
        raise source.problem(
            where,
            found=f"an end at {event.end:g}",
            expected=f"one from the start at {event.start:g} on",
        )
    if event.value is not None and not math.isfinite(event.value):
        raise source.problem(where, found=repr(event.value), expected="a finite number")
    for text in (event.name, event.detail):
        if name_flaw := flaw(text, MOST_NAME):
            raise source.problem(where, found=name_flaw.found, expected=name_flaw.expected)


def lane_kind(text: str) -> str:
    """`text` as the kind of a lane."""
    return _KIND.sub("-", text.lower()).strip("-")[:60] or "events"


def shorten_name(text: str) -> str:
    """`text` within `MOST_NAME` characters."""
    return text if len(text) <= MOST_NAME else f"{text[: MOST_NAME - 1]}…"
