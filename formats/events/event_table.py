"""CSV of events from any program: a row an event, placed by time or by iteration.

Columns: ``lane`` and either ``start`` (seconds since the process started) or ``iteration``. Where
there are such: ``end``, ``name``, ``detail``, ``value`` and ``unit``. An end by iteration is the
first iteration behind the event. A table of several series has ``benchmark``, and where these
tell series apart ``params`` and ``fork``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from formats.checks import A_NUMBER
from formats.events.hotspot_log import COMPILATIONS, TRAPS
from formats.events.jvm_text import CONCURRENT, INVALIDATIONS, PAUSES
from formats.events.lanes import (
    Clock,
    EventFiles,
    EventLane,
    EventReader,
    EventTarget,
    LaneBuilder,
    RuntimeEvent,
    SeriesEvents,
    event_files,
    lane_kind,
)
from formats.numbers import parse_number
from formats.params import canonical_text
from formats.separated import named_rows
from formats.source import InputSource

NAMING: Final = ("benchmark", "params", "fork")
MOST_DIGITS: Final = 20
KNOWN_LANES: Final = {
    lane.kind: lane for lane in (PAUSES, CONCURRENT, COMPILATIONS, TRAPS, INVALIDATIONS)
}
"""Lanes that other readers make: a table names them by their kind, such as ``gc-pause``."""


def read(source: InputSource, targets: Sequence[EventTarget]) -> EventFiles:
    """Lanes by the column ``lane``, of the series that a row names."""
    columns = _columns(source.head_text())
    if "lane" not in columns or len({"start", "iteration"} & columns) != 1:
        raise source.problem(
            "row 1",
            found=", ".join(sorted(columns))[:200] or "no column",
            expected="columns lane and start (in seconds), or lane and iteration",
        )
    start_column = "start" if "start" in columns else "iteration"
    clock: Clock = "seconds" if start_column == "start" else "iterations"
    names = [name for name in NAMING if name in columns] if "benchmark" in columns else []
    events_by_name = _events_by_name(source, targets, names)
    other_count = 0
    for row_number, row in named_rows(source):
        cells = {name.strip(): cell.strip() for name, cell in row.items()}
        events = events_by_name.get(tuple(_name(cells, name) for name in names))
        if events is None:
            other_count += 1
            continue
        start = _number(source, row_number, start_column, cells.get(start_column, ""))
        end = _optional_number(source, row_number, "end", cells)
        lane = _lane(source, row_number, cells)
        has_ends = lane.ends_known and "end" in columns
        lane = replace(lane, clock=clock, ends_known=has_ends)
        event = RuntimeEvent(
            start=start,
            end=start if end is None else end,
            name=cells.get("name", ""),
            detail=cells.get("detail", ""),
            value=_optional_number(source, row_number, "value", cells),
        )
        events.lanes.add(lane, f"row {row_number}", [event])
    all_events = list(events_by_name.values())
    if other_count and len(targets) > 1:
        note = f"{other_count:,} rows of this file name another series."
        next((e for e in all_events if not e.lanes.is_empty), all_events[0]).notes.append(note)
    return event_files(source, all_events, "CSV of events", _expected_rows)


def _events_by_name(
    source: InputSource, targets: Sequence[EventTarget], names: Sequence[str]
) -> dict[tuple[str, ...], SeriesEvents]:
    """Series by what their rows say in the columns `names`; raises where two say the same."""
    events_by_name: dict[tuple[str, ...], SeriesEvents] = {}
    for target in targets:
        fields = {"benchmark": target.benchmark, "params": target.params, "fork": str(target.fork)}
        name = tuple(fields[column] for column in names)
        if name in events_by_name:
            raise source.problem(
                "row 1",
                found=f"several series of {target.benchmark}",
                expected=f"columns {', '.join(NAMING)}",
            )
        events_by_name[name] = SeriesEvents(target, LaneBuilder(source))
    return events_by_name


def _name(cells: Mapping[str, str], column: str) -> str:
    text = cells.get(column, "")
    if column == "fork" and text.isdecimal():
        return str(int(text[:MOST_DIGITS]))
    return canonical_text(text) if column == "params" else text


def _expected_rows(target: EventTarget) -> str:
    params = f" ({target.params})" if target.params else ""
    return f"a row an event, such as of {target.benchmark}{params}, fork {target.fork}"


def _lane(source: InputSource, row_number: int, cells: dict[str, str]) -> EventLane:
    """The lane of a row, as if its clock were that of seconds."""
    title = cells.get("lane", "")
    if not title:
        raise source.cell_problem(row_number, "lane", title, "the name of a lane")
    source.check_text(f"row {row_number}, lane", title, 60)
    source.check_text(f"row {row_number}, unit", cells.get("unit", ""), 40)
    unit = cells.get("unit", "")
    if title in KNOWN_LANES:
        known_lane = KNOWN_LANES[title]
        return replace(known_lane, unit=unit or (known_lane.unit if cells.get("value") else ""))
    return EventLane(kind=lane_kind(title), title=title, clock="seconds", unit=unit, events=())


def _optional_number(
    source: InputSource, row_number: int, column: str, cells: dict[str, str]
) -> float | None:
    text = cells.get(column, "")
    return _number(source, row_number, column, text) if text else None


def _number(source: InputSource, row_number: int, column: str, text: str) -> float:
    number = parse_number(text, ".")
    if number is None:
        raise source.cell_problem(row_number, column, text, A_NUMBER)
    return number


def _columns(start: str) -> set[str]:
    header = start.lstrip("\ufeff").partition("\n")[0]
    return {name.strip().strip('"') for name in header.split(",")}


def _recognise(start: str) -> bool:
    columns = _columns(start)
    return "lane" in columns and bool({"start", "iteration"} & columns)


READER: Final = EventReader(
    name="events",
    title="CSV of events",
    recognise=_recognise,
    read=read,
    names_series=lambda start: "benchmark" in _columns(start),
)
