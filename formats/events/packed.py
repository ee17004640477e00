"""Events of a lane as lists that JSON holds: each name once, and its number for each event."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from formats.events.lanes import LATEST, MOST_NAME, EventLane, RuntimeEvent
from formats.names import flaw

LISTS: Final = ("start", "end", "name", "detail", "value")

PackedEvents = Mapping[str, Sequence[Any]]


def packed_events(events: Sequence[RuntimeEvent]) -> dict[str, list[Any]]:
    """Return ``texts`` and the lists of `LISTS`, with an entry an event."""
    numbers: dict[str, int] = {}
    for event in events:
        for text in (event.name, event.detail):
            numbers.setdefault(text, len(numbers))
    return {
        "texts": list(numbers),
        "start": [event.start for event in events],
        "end": [event.end for event in events],
        "name": [numbers[event.name] for event in events],
        "detail": [numbers[event.detail] for event in events],
        "value": [event.value for event in events],
    }


def packed_lane(lane: EventLane) -> dict[str, Any]:
    """A lane as JSON holds it: fields of `EventLane`, its events packed."""
    return {
        "kind": lane.kind,
        "title": lane.title,
        "unit": lane.unit,
        "clock": lane.clock,
        "ends_known": lane.ends_known,
        "count": len(lane.events),
        "events": packed_events(lane.events),
    }


def packing_flaw(events: object, count: int) -> str:
    """Name what is wrong with packed events that somebody sent; empty if nothing is."""
    if not isinstance(events, dict) or set(events) != {"texts", *LISTS}:
        return f"expected the lists texts, {', '.join(LISTS)}"
    if not all(isinstance(entries, list) for entries in events.values()):
        return "expected lists"
    if any(len(events[name]) != count for name in LISTS):
        return f"expected {count} entries in each list"
    return _text_flaw(events) or _number_flaw(events)


def _text_flaw(events: PackedEvents) -> str:
    texts = events["texts"]
    numbers = [*events["name"], *events["detail"]]
    if not all(isinstance(text, str) and not flaw(text, MOST_NAME) for text in texts):
        return f"expected texts of at most {MOST_NAME} characters"
    if not all(type(number) is int and 0 <= number < len(texts) for number in numbers):
        return "expected numbers of texts in name and detail"
    return ""


def _number_flaw(events: PackedEvents) -> str:
    times = [*events["start"], *events["end"]]
    values = [value for value in events["value"] if value is not None]
    if not all(type(number) in {int, float} for number in [*times, *values]):
        return "expected numbers in start, end and value"
    if any(abs(value) > sys.float_info.max for value in values):
        return "expected finite values"
    is_ordered = all(s <= e for s, e in zip(events["start"], events["end"], strict=True))
    if any(abs(time) > LATEST for time in times) or not is_ordered:
        return "expected times, each end behind its start"
    return ""
