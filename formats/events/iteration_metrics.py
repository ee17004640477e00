"""Figures of each iteration beside its time: counters of Krun, secondary metrics of JMH.

They stand in the file of the values, and are taken for each series that is asked for. Krun counts
the cycles of each core; APERF over MPERF tells whether a core ran faster or slower than its nominal
clock.
Sources: softdevteam/krun: `krun/results.py`; openjdk/jmh: `jmh-core`, `JSONResultFormat.java`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from formats.errors import FormatError
from formats.events.lanes import (
    EventFiles,
    EventLane,
    EventReader,
    EventTarget,
    LaneBuilder,
    RuntimeEvent,
    SeriesEvents,
    event_files,
    lane_kind,
    shorten_name,
)
from formats.jmh_names import ModeNames, place
from formats.json_fields import array, entries, mapping, text_of
from formats.json_text import elements
from formats.measurement import Values
from formats.params import canonical, split
from formats.source import InputSource

KRUN_COUNTS: Final = {
    "core_cycle_counts": "Cycles",
    "aperf_counts": "APERF",
    "mperf_counts": "MPERF",
}


def _iteration_events(values: Iterable[float]) -> Iterator[RuntimeEvent]:
    for index, value in enumerate(values):
        yield RuntimeEvent(start=index, end=index + 1, value=value)


def _lane(kind: str, title: str, unit: str = "") -> EventLane:
    return EventLane(kind=kind, title=title, clock="iterations", unit=unit, events=())


def _count_note(title: str, count: int, n: int) -> str:
    return (
        f"{title}: {count:,} values for {n:,} iterations, so nobody can say which belong together: "
        "left out."
    )


# --- Krun -------------------------------------------------------------------------------------
def read_krun(source: InputSource, targets: Sequence[EventTarget]) -> EventFiles:
    """A lane a core for cycles, APERF and MPERF of each process execution."""
    all_events = [SeriesEvents(target, LaneBuilder(source)) for target in targets]
    for document in elements(source):
        fields = mapping(source, document, "the whole file")
        for name, title in KRUN_COUNTS.items():
            counts = mapping(source, fields.get(name) or {}, name)
            for events in all_events:
                if (key := _krun_key(counts, events.target)) is not None:
                    executions = entries(source, counts[key], f"{name}, {key}")
                    _add_cores(source, events, executions, (name, title, key))
    return event_files(
        source,
        all_events,
        "counters of Krun",
        lambda target: f"{', '.join(KRUN_COUNTS)} of {_krun_name(target)}, execution {target.fork}",
    )


def _add_cores(
    source: InputSource,
    events: SeriesEvents,
    executions: Sequence[object],
    names: tuple[str, str, str],
) -> None:
    """Add the counts of each core in the execution of a series."""
    name, title, key = names
    target = events.target
    where = f"{name}, {key}, execution {target.fork}"
    cores = executions[target.fork] if target.fork < len(executions) else []
    for core, core_counts in enumerate(entries(source, cores, where)):
        values = array(source, core_counts, f"{where}, core {core}")
        lane = _lane(lane_kind(f"{name}-{core}"), f"{title}, core {core}")
        if values.size != target.n:
            events.notes.append(_count_note(lane.title, values.size, target.n))
            continue
        events.lanes.add(lane, f"{where}, core {core}", _iteration_events(values.tolist()))


def _krun_key(counts: Mapping[str, object], series: EventTarget) -> str | None:
    """The key ``benchmark:vm:variant`` of a series, as `formats.krun` names it."""
    for key in counts:
        benchmark, *qualifiers = key.split(":")
        params = dict(zip(("vm", "variant"), qualifiers, strict=False))
        if (benchmark, canonical(params)) == (series.benchmark, series.params):
            return key
    return None


def _krun_name(series: EventTarget) -> str:
    return ":".join([series.benchmark, *split(series.params).values()])


# --- JMH --------------------------------------------------------------------------------------
def read_jmh(source: InputSource, targets: Sequence[EventTarget]) -> EventFiles:
    """A lane a secondary metric (``-prof gc`` and others) of each fork."""
    all_events = [SeriesEvents(target, LaneBuilder(source)) for target in targets]
    events_by_name = defaultdict[tuple[str, str], list[SeriesEvents]](list)
    for events in all_events:
        events_by_name[events.target.benchmark, events.target.params].append(events)
    names = ModeNames()
    for number, entry in enumerate(elements(source), start=1):
        fields = mapping(source, entry, f"benchmark number {number}")
        params = canonical(mapping(source, fields.get("params") or {}, "params"))
        method, mode = (text_of(fields.get(name)) for name in ("benchmark", "mode"))
        benchmark = names.name(method, params, mode)
        for events in events_by_name[benchmark, params]:
            where = f"{place(method, params, events.target.fork)}, secondaryMetrics"
            metrics = mapping(source, fields.get("secondaryMetrics") or {}, where)
            _add_metrics(source, events, metrics, where)
    return event_files(
        source,
        all_events,
        "secondary metrics of JMH",
        lambda target: (
            "secondaryMetrics with rawData of "
            f"{place(target.benchmark, target.params, target.fork)}"
        ),
        hint="run JMH with a profiler, such as -prof gc",
    )


def _add_metrics(
    source: InputSource, events: SeriesEvents, metrics: Mapping[str, object], where: str
) -> None:
    """Add each metric with a value an iteration of a series."""
    target = events.target
    for metric_name, metric in metrics.items():
        title = shorten_name(metric_name.lstrip("·"))  # early versions wrote a dot before
        metric_fields = mapping(source, metric, f"{where}, {title[:40]}")
        try:
            values = _fork_values(source, metric_fields, target.fork, f"{where}, {title[:40]}")
        except FormatError as problem:  # such as "NaN", where a profiler had nothing to say
            events.notes.append(f"{problem}.")
            continue
        if values.size != target.n:
            events.notes.append(_count_note(title, values.size, target.n))
            continue
        lane = _lane(lane_kind(title), title, text_of(metric_fields.get("scoreUnit"))[:40])
        events.lanes.add(lane, f"{where}, {title[:40]}", _iteration_events(values.tolist()))


def _fork_values(
    source: InputSource, metric: Mapping[str, object], fork: int, where: str
) -> Values:
    forks = entries(source, metric.get("rawData") or [], where)
    return array(source, forks[fork] if fork < len(forks) else [], where)


KRUN: Final = EventReader(
    name="krun",
    title="Krun JSON",
    recognise=lambda start: (
        '"wallclock_times"' in start or any(f'"{name}"' in start for name in KRUN_COUNTS)
    ),
    read=read_krun,
    names_series=lambda _start: True,
)
JMH: Final = EventReader(
    name="jmh",
    title="JMH JSON",
    recognise=lambda start: '"primaryMetric"' in start or '"secondaryMetrics"' in start,
    read=read_jmh,
    names_series=lambda _start: True,
)
