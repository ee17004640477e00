"""Event files: lanes of pauses, compilations and counts; the logs are of OpenJDK 17."""

from __future__ import annotations

import bz2
import io
import json
from dataclasses import replace
from typing import Any

import pytest

from formats import FormatError, ReadOptions
from formats.events.event_files import read_event_file, read_event_files
from formats.events.file_names import NameMatch, matched_by_name, of_named_systems
from formats.events.lanes import EventLane, EventTarget, RuntimeEvent
from formats.events.packed import packed_events, packing_flaw
from formats.limits import ReadLimits

SERIES = EventTarget(benchmark="fannkuch", params="variant=default&vm=HotSpot", fork=1, n=3)

GC = """\
[0.004s][info][gc] Using G1
[0.079s][info][gc,start    ] GC(0) Pause Young (Normal) (G1 Evacuation Pause)
[0.093s][info][gc,phases   ] GC(0)   Evacuate Collection Set: 12.9ms
[0.093s][info][gc          ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 6M->5M(64M) 13.687ms
words of the program
[0.404s][info][gc          ] GC(9) Concurrent Mark Cycle 98.156ms
[0.565s][info][gc          ] GC(9) Pause Cleanup 41M->41M(64M) 0.090ms
"""
COMPILATION = """\
vmName=OpenJDK 64-Bit Server VM
     85   22     n 0       jdk.internal.misc.Unsafe::getReferenceVolatile (native)
    189  195 %     3       WordCount::run @ 25 (142 bytes)
    643  220       4       WordCount::run (142 bytes)
    712  196       3       WordCount::run (142 bytes)   made not entrant
    713  221   !   3       java.util.HashMap::putVal (300 bytes)
2026 13 is no compilation
"""
HOTSPOT = """\
<?xml version='1.0' encoding='UTF-8'?>
<hotspot_log version='160 1' process='431' time_ms='1795895145807'>
<nmethod compile_id='249' compiler='c2' level='4' method='Word &lt;init&gt; (I)V' stamp='1.1'/>
<uncommon_trap thread='432' reason='unstable_if' action='reinterpret' stamp='1.128'>
<jvms bci='30' method='java.util.regex.Matcher search (I)Z' bytes='154'/>
<jvms bci='31' method='java.util.regex.Pattern split (I)V' bytes='288'/>
</uncommon_trap>
<make_not_entrant thread='432' compile_id='249' compiler='c2' level='4' stamp='1.128'/>
<task compile_kind='osr' method='WordCount run (I)J' bytes='142' level='3' stamp='0.189'>
<uncommon_trap bci='30' reason='null_check' action='maybe_recompile'/>
<jvms bci='1' method='no trap (I)V' bytes='1'/>
<task_done success='1' nmsize='152' count='7996' stamp='0.191'/>
</task>
<task compile_id='220' method='WordCount run (I)J' bytes='142' stamp='0.643'>
<task_done success='1' stamp='0.712'/>
<task compile_id='221' method='cut off"""


def lanes(
    data: str | bytes, series: EventTarget = SERIES, most_events: int = 50_000
) -> dict[str, EventLane]:
    content = data.encode() if isinstance(data, str) else data
    options = ReadOptions(limits=ReadLimits(events=most_events))
    event_file = read_event_file(io.BytesIO(content), "events.log", series, options)
    return {lane.kind: lane for lane in event_file.lanes}


def brief(lane: EventLane) -> list[tuple[Any, ...]]:
    return [(round(e.start, 6), round(e.end, 6), e.name, e.detail, e.value) for e in lane.events]


def refusal(data: str | bytes, **options: Any) -> str:
    with pytest.raises(FormatError) as error_info:
        lanes(data, **options)
    return str(error_info.value)


def test_a_pause_ends_at_its_line_and_begins_before_it() -> None:
    event_lanes = lanes(GC)

    assert brief(event_lanes["gc-pause"])[0] == (
        *(0.079313, 0.093, "Pause Young (Normal) (G1 Evacuation Pause)"),
        *("heap 6 MB → 5 MB of 64 MB", 0.013687),
    )
    assert [event.name for event in event_lanes["gc-pause"].events][1:] == ["Pause Cleanup"]
    assert brief(event_lanes["gc-concurrent"])[0][:3] == (0.305844, 0.404, "Concurrent Mark Cycle")


@pytest.mark.parametrize(
    ("stamps", "end"),
    [
        ("[168ms]", 0.168),
        ("[168000500ns][info]", 0.1680005),
        ("[2026-11-28T19:45:52.067+0000][1795895145807ms][0.168s][431]", 0.168),
        ("[0,168s]", 0.168),
    ],
)
def test_uptime_in_any_unit_and_no_wall_clock(stamps: str, end: float) -> None:
    line = f"{stamps}[gc] GC(0) Pause Young (Allocation Failure) 17M->9M(61M) 22.037ms\n"

    assert lanes(line)["gc-pause"].events[0].end == pytest.approx(end, abs=1e-9)


def test_compilations_have_a_start_and_code_given_up_a_lane_of_its_own() -> None:
    event_lanes = lanes(COMPILATION + GC)  # one output may hold both

    assert not event_lanes["compilation"].ends_known
    assert brief(event_lanes["compilation"]) == [
        (0.189, 0.189, "WordCount.run", "tier 3, on stack, 142 bytes", 3.0),
        (0.643, 0.643, "WordCount.run", "tier 4, 142 bytes", 4.0),
        (0.713, 0.713, "java.util.HashMap.putVal", "tier 3, 300 bytes", 3.0),
    ]
    assert [e.start for e in event_lanes["invalidation"].events] == [0.712]
    assert set(event_lanes) == {"compilation", "invalidation", "gc-pause", "gc-concurrent"}


def test_hotspot_log_has_ends_and_traps_and_may_be_cut_off() -> None:
    event_lanes = lanes(HOTSPOT)

    assert brief(event_lanes["compilation"]) == [
        (0.189, 0.191, "WordCount.run", "tier 3, on stack, 142 bytes", 3.0),
        (0.643, 0.712, "WordCount.run", "tier 4, 142 bytes", 4.0),
    ]
    trap = (1.128, 1.128, "java.util.regex.Matcher.search", "unstable if, reinterpret", None)
    assert brief(event_lanes["deoptimisation"]) == [trap]
    assert brief(event_lanes["invalidation"])[0][2:4] == ("Word.<init>", "tier 4, made not entrant")


def krun(**counts: Any) -> str:
    key = "fannkuch:HotSpot:default"
    times = {"wallclock_times": {key: [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]}}
    return json.dumps(times | {name: {key: cores} for name, cores in counts.items()})


def test_krun_counts_each_core_of_one_execution() -> None:
    data = krun(
        core_cycle_counts=[[], [[10, 11, 12], [1, 2, 3]]], aperf_counts=[[], [[7, 8, 9], [1, 2]]]
    )
    event_lanes = lanes(bz2.compress(data.encode()))

    assert {kind: [e.value for e in lane.events] for kind, lane in event_lanes.items()} == {
        "core-cycle-counts-0": [10, 11, 12],
        "core-cycle-counts-1": [1, 2, 3],
        "aperf-counts-0": [7, 8, 9],
    }
    assert [(e.start, e.end) for e in event_lanes["aperf-counts-0"].events] == [
        (0, 1),
        (1, 2),
        (2, 3),
    ]
    event_target = EventTarget(benchmark="nbody", n=3)
    assert "of nbody, execution 0" in refusal(data, series=event_target)


def jmh(**metrics: Any) -> str:
    entry = {"benchmark": "fannkuch", "params": {"vm": "HotSpot", "variant": "default"}}
    primary_metric = {"primaryMetric": {"rawData": [[1], [1, 1, 1]]}, "mode": "avgt"}
    return json.dumps([entry | primary_metric | {"secondaryMetrics": metrics}])


def test_jmh_metrics_with_a_value_an_iteration() -> None:
    rate = {"scoreUnit": "MB/sec", "rawData": [[5.0], [1.0, 2.0, 3.0]]}
    shorter_metric = {
        "scoreUnit": "ms",
        "rawData": [[5.0], [2.0]],
    }  # no collection in two iterations
    unknown_metric = {"scoreUnit": "ms", "rawData": [[5.0], ["NaN", 1.0, 2.0]]}
    data = jmh(
        **{"·gc.alloc.rate": rate, "gc.time": shorter_metric, "gc.churn": unknown_metric}
    ).encode()
    event_file = read_event_file(io.BytesIO(data), "jmh.json", SERIES)

    (lane,) = event_file.lanes
    assert (lane.kind, lane.unit, lane.clock) == ("gc.alloc.rate", "MB/sec", "iterations")
    assert [event.value for event in lane.events] == [1.0, 2.0, 3.0]
    assert "gc.time: 1 values for 3 iterations" in event_file.notes[0]
    assert "gc.churn" in event_file.notes[1]
    assert "run JMH with a profiler" in refusal(jmh())


def test_a_table_names_its_lanes_in_any_script_and_its_own_units() -> None:
    event_lanes = lanes("lane, start, value, unit\nсборка,1,2,\nпамять,1,,\ngc-pause,1,5,ms\n")

    assert [(lane.title, lane.unit, lane.ends_known) for lane in event_lanes.values()] == [
        ("сборка", "", False),
        ("память", "", False),
        ("Garbage collection pauses", "ms", False),
    ]
    assert lanes("lane,start,end\nGC,1,2\n")["gc"].ends_known


def test_events_of_any_program_as_a_table() -> None:
    event_lanes = lanes("lane,start,end,name,value,unit\nV8 scavenge,0.5,0.502,Scavenge,2.5,MB\n")
    iteration_lanes = lanes("iteration,lane\n7,Cache emptied\n2,Cache emptied\n")

    assert brief(event_lanes["v8-scavenge"]) == [(0.5, 0.502, "Scavenge", "", 2.5)]
    assert event_lanes["v8-scavenge"].unit == "MB"
    assert [e.start for e in iteration_lanes["cache-emptied"].events] == [2, 7]
    assert iteration_lanes["cache-emptied"].clock == "iterations"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", "found nothing"),
        ("nothing of a log\n", "columns lane and start"),
        ("0.421: [GC (Allocation Failure)  34944K->749K(126720K), 0.0014 secs]\n", "-Xlog:gc*"),
        (GC.splitlines()[0], "found no event"),
        ("[0.016s] Using G1\n[0.050s] Version: 17.0.15\n", "found no event"),
        ("[2026-11-28T19:45:52.067+0000][gc] GC(0) Pause Young 1M->1M(2M) 2.0ms\n", "no uptime"),
        (HOTSPOT.replace("stamp='0.712'", "stamp='soon'"), "line 15, task_done: found 'soon'"),
        ("lane,start\nGC a,1\nGC-a,2\n", "row 3: found lane 'GC-a' beside 'GC a'"),
        ("lane,start,value,unit\nGC,1,2,s\nGC,2,,\nGC,3,4,ms\n", "row 4: found the unit ms"),
        ("lane,start,value,unit\ngc-pause,1,2,\ngc-pause,3,4,ms\n", "row 3: found the unit ms"),
        ("lane,start\nGC,early\n", "row 2, column 'start': found 'early'"),
        ("lane,start\n,1\n", "row 2, column 'lane': found an empty cell"),
        ("lane,start,end\nGC,2,1\n", "row 2: found an end at 1"),
        ("lane,start\nGC,1e12\n", "expected a time since the start"),
        ("lane,start,iteration\nGC,1,1\n", "row 1: found iteration, lane, start"),
        ("lane,start,name\nGC,1,a\0b\n", "NUL"),
        (krun(core_cycle_counts=[[], [[1, 2]]]), "2 values for 3 iterations"),
    ],
)
def test_refused_with_place_and_remedy(data: str, words: str) -> None:
    assert words in refusal(data)


def test_more_events_than_allowed_are_refused() -> None:
    assert "line 5: found more events, expected at most 2 events" in refusal(
        COMPILATION, most_events=2
    )


def test_an_endless_line_is_passed_over() -> None:
    assert set(lanes("x" * 900_000 + "\n" + GC, most_events=3)) == {"gc-pause", "gc-concurrent"}


@pytest.mark.parametrize("text", ["1e999", "-1e999", "9" * 400, "true", '"1"'])
def test_packed_values_that_nothing_can_draw_have_a_flaw(text: str) -> None:
    events = packed_events([RuntimeEvent(start=0, end=1, value=2.5)])
    assert packing_flaw(events, 1) == ""

    assert packing_flaw({**events, "value": json.loads(f"[{text}]")}, 1)


def test_one_file_has_the_lanes_of_several_series() -> None:
    other_fork = EventTarget(benchmark="fannkuch", params="variant=default&vm=HotSpot", fork=0, n=1)
    absent = EventTarget(benchmark="nbody", n=3)
    rate = {"scoreUnit": "MB/sec", "rawData": [[5.0], [1.0, 2.0, 3.0]]}
    table = "benchmark,fork,lane,start\nfannkuch,01,GC,2\nfannkuch,0,GC,3\nsort,0,GC,4\n"

    for data in (jmh(**{"gc.alloc.rate": rate}), table):
        files = dict(
            read_event_files(
                io.BytesIO(data.encode()), "f", [absent, SERIES, other_fork], NameMatch([])
            )
        )
        assert set(files) == {SERIES, other_fork}
    assert files[other_fork].lanes[0].events[0].start == 3
    assert "1 rows of this file name another series." in files[SERIES].notes
    assert "no event of any" in refusal_of(table, [absent, replace(absent, fork=1)])
    assert "several series of fannkuch" in refusal_of(
        "benchmark,lane,start\nfannkuch,GC,1\n", [SERIES, other_fork]
    )
    twins = [replace(SERIES, system="a"), replace(SERIES, system="b")]
    assert "the name of one system" in refusal_of(table, twins)


def refusal_of(data: str, targets: list[EventTarget]) -> str:
    with pytest.raises(FormatError) as raised:
        list(read_event_files(io.BytesIO(data.encode()), "f", targets, NameMatch([])))
    return str(raised.value)


SORTS = [
    EventTarget(benchmark=name, params=params, fork=fork, n=9)
    for name, params in (
        ("org.x.Sort.run", "size=1&kind=heap"),
        ("org.x.Sort.run", "size=10&kind=heap"),
        ("org.x.SortLarge.run", ""),
    )
    for fork in (0, 1)
] + [EventTarget(benchmark="nbody", n=9)]


@pytest.mark.parametrize(
    ("path", "name", "params", "fork"),
    [
        ("org.x.Sort.run-size=10-heap-fork1.gc.log", "org.x.Sort.run", "size=10&kind=heap", 1),
        ("SORT_RUN/heap/1/Fork 0/gc.log", "org.x.Sort.run", "size=1&kind=heap", 0),
        ("sortlarge.run_fork_1.log.gz", "org.x.SortLarge.run", "", 1),
        ("gc-nbody.log", "nbody", "", 0),
    ],
)
def test_a_name_tells_the_series(path: str, name: str, params: str, fork: int) -> None:
    (target,) = matched_by_name(path, SORTS).targets

    assert (target.benchmark, target.params, target.fork) == (name, params, fork)


@pytest.mark.parametrize(
    ("path", "flaw"),
    [
        ("gc-4711.log", "no benchmark of this recording"),
        ("sort.run-fork0.log", "without the values of its parameters"),
        ("run-fork1.log", "a name that 6 series have"),
        ("sortlarge-run.log", "no number of a fork, and there are 2"),
        ("sortlarge-run-fork2.log", "fork 2, which is not there"),
    ],
)
def test_a_name_that_tells_no_series_has_a_reason(path: str, flaw: str) -> None:
    match = matched_by_name(path, SORTS)

    assert flaw in match.flaw
    assert len(match.targets) != 1


def test_forks_counted_from_one_and_systems_in_a_name() -> None:
    (target,) = matched_by_name("sortlarge-run-fork2.log", SORTS, first_fork=1).targets
    assert target.fork == 1
    twins = [replace(SERIES, system="HotSpot 17"), replace(SERIES, system="GraalVM")]
    assert of_named_systems("graalvm/fannkuch-fork1.log", twins) == twins[1:]
    assert of_named_systems("fannkuch-fork1.log", twins) == twins


def test_accents_that_macos_writes_apart_are_of_the_letter() -> None:
    named = replace(SERIES, benchmark="café")

    assert matched_by_name("cafe\u0301-fork1.log", [named]).targets == [named]
