"""Table of all events of a series, with the iterations at which they are placed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from analysis.event_lanes.reads import PlacedEvent, PlacedLane, placed_lanes
from analysis.web.page_tables import SERIES, PageTables, declared_table
from formats.tables import TableColumn

Column = TableColumn[PlacedEvent]
COLUMNS: Final[tuple[Column, ...]] = (
    Column("lane", lambda event: event.lane.stored.title, "what happened, such as compilations"),
    Column(
        "first_iteration",
        lambda event: event.first,
        "in which it began, from 0; -1 before the first, n behind the last",
    ),
    Column("last_iteration", lambda event: event.last, "in which it ended, the same"),
    Column("clock", lambda event: event.lane.stored.clock, "unit of start and end"),
    Column("start", lambda event: event.start, "as its file says, from the start of the process"),
    Column("end", lambda event: event.end, "as its file says; the start where no end is known"),
    Column("name", lambda event: event.name, "what it is about, such as a method"),
    Column("detail", lambda event: event.detail, "what its file says beside"),
    Column("value", lambda event: event.value, "its figure; empty: it has none"),
    Column("unit", lambda event: event.lane.stored.unit, "unit of the figure"),
    Column("file", lambda event: event.lane.stored.file_name, "file that brought the lane"),
)


def lane_events(lanes: Sequence[PlacedLane]) -> Iterator[PlacedEvent]:
    """All events, lane by lane as on the page, in the order of their starts."""
    for lane in lanes:
        yield from map(lane.event, range(lane.stored.count))


EVENT_TABLES: Final = PageTables(
    scope=SERIES,
    queries={},
    compute=lambda request: placed_lanes(request.scope),
    tables={"events": declared_table("Events", COLUMNS, lane_events)},
)
