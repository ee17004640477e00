"""Text logs of a Java virtual machine: pauses (``-Xlog:gc*``) and ``-XX:+PrintCompilation``.

Both may stand in one file, between lines that the program itself prints: those are passed over.
Sources: openjdk/jdk: `src/hotspot/share/logging/logDecorations.cpp`,
`src/hotspot/share/gc/shared/gcTraceTime.cpp`, `src/hotspot/share/compiler/compileTask.cpp`.
"""

from __future__ import annotations

import re
from typing import Final

from formats.events.lanes import (
    LATEST,
    EventFile,
    EventLane,
    EventReader,
    LaneBuilder,
    RuntimeEvent,
    bounded_lines,
    read_process_log,
    shorten_name,
)
from formats.source import InputSource

PAUSES: Final = EventLane(
    kind="gc-pause", title="Garbage collection pauses", clock="seconds", unit="s", events=()
)
CONCURRENT: Final = EventLane(
    kind="gc-concurrent",
    title="Concurrent garbage collection",
    clock="seconds",
    unit="s",
    events=(),
)
COMPILATION_STARTS: Final = EventLane(
    kind="compilation", title="Compilations", clock="seconds", events=(), ends_known=False
)
INVALIDATIONS: Final = EventLane(
    kind="invalidation",
    title="Compiled code given up",
    clock="seconds",
    events=(),
    ends_known=False,
)
HOW: Final = "-Xlog:gc*:file=gc.log:uptime,level,tags"
_STAMP: Final = re.compile(r"([0-9]{1,10}(?:[.,][0-9]{1,9})?|[0-9]{1,18})(s|ms|ns)")
_SCALE: Final = {"ns": 1e9, "ms": 1e3, "s": 1.0}  # the finest first
_HEAP: Final = re.compile(r"([0-9]{1,9}[KMG])->([0-9]{1,9}[KMG])\(([0-9]{1,9}[KMG])\)")
_DURATION: Final = re.compile(r"[0-9]{1,9}[.,][0-9]{1,9}ms")
_FLAGS: Final = frozenset("%s!bn*")
_LEVELS: Final = frozenset("01234-")
_GONE: Final = ("made not entrant", "made zombie")


def read(source: InputSource) -> EventFile:
    """Lanes of pauses, concurrent work, compilations and code given up."""
    builder = LaneBuilder(source)
    is_undated = False
    for number, line in bounded_lines(source):
        event = _collection(line) if line.startswith("[") else compilation_line(line)
        if event is None:
            is_undated = is_undated or _is_undated_collection(line)
            continue
        lane, runtime_event = event
        builder.add(lane, f"line {number}", [runtime_event])
    hint = f"the lines of the collector have no uptime: record with {HOW}" if is_undated else ""
    return builder.finish(
        "log of a Java virtual machine",
        f"lines of -Xlog:gc* with uptime ({HOW}) or of -XX:+PrintCompilation",
        hint=hint,
    )


def _decorations(line: str) -> tuple[list[str], str]:
    """Texts in the brackets at the start of a line of unified logging, and its message."""
    decorations: list[str] = []
    position = 0
    while line.startswith("[", position) and (end := line.find("]", position)) > 0:
        decorations.append(line[position + 1 : end].strip())
        position = end + 1
    return decorations, line[position:].strip()


def _uptime(decorations: list[str]) -> float | None:
    """Seconds since the process started, by the finest stamp; None without one.

    Milliseconds and nanoseconds of the wall clock look alike, and are far later.
    """
    uptimes = {
        match[2]: float(match[1].replace(",", ".")) / _SCALE[match[2]]
        for text in decorations
        if (match := _STAMP.fullmatch(text))
    }
    return next((uptimes[unit] for unit in _SCALE if uptimes.get(unit, LATEST) < LATEST), None)


def _collection(line: str) -> tuple[EventLane, RuntimeEvent] | None:
    """Event of a line, logged at its end, that says how long a pause or concurrent phase took."""
    decorations, message = _decorations(line)
    if not message.startswith("GC("):
        return None
    uptime, words = _uptime(decorations), message.split()[1:]
    if words and words[0] in {"Y:", "O:", "y:"}:  # generations of ZGC
        words = words[1:]
    is_timed = len(words) > 2 and _DURATION.fullmatch(words[-1]) is not None
    if uptime is None or not is_timed or words[0] not in {"Pause", "Concurrent"}:
        return None
    seconds = float(words[-1][:-2].replace(",", ".")) / 1e3
    heap = _HEAP.fullmatch(words[-2])
    event = RuntimeEvent(
        start=max(uptime - seconds, 0.0),
        end=uptime,
        name=shorten_name(" ".join(words[: -2 if heap else -1])),
        detail=f"heap {_bytes(heap[1])} → {_bytes(heap[2])} of {_bytes(heap[3])}" if heap else "",
        value=seconds,
    )
    return PAUSES if words[0] == "Pause" else CONCURRENT, event


def _bytes(text: str) -> str:
    return f"{text[:-1]} {text[-1]}B"


def _is_undated_collection(line: str) -> bool:
    return "Pause " in line and "GC(" in line


def compilation_line(line: str) -> tuple[EventLane, RuntimeEvent] | None:
    """Event of a line of PrintCompilation; None for any other line.

    Milliseconds, number of the compilation, flags, tier, method and size. The line is printed
    when the compilation starts; its end is not.
    """
    words = line.split(maxsplit=9)
    numbers = words[:2]
    if len(words) < 4 or not all(w.isascii() and w.isdecimal() and len(w) < 12 for w in numbers):
        return None
    place = 2
    while place < len(words) and _FLAGS.issuperset(words[place]):
        place += 1
    flags = "".join(words[2:place])
    tier = words[place] if words[place : place + 1] and words[place] in _LEVELS else ""
    place += bool(tier)
    method = words[place] if place < len(words) else ""
    rest_of_line = line.partition(method)[2].strip() if method else ""
    is_native = "n" in flags  # a wrapper, which no compiler made
    if is_native or "::" not in method or not rest_of_line.startswith(("(", "@")):
        return None
    return _compilation(int(words[0]) / 1e3, method.replace("::", "."), flags, tier, rest_of_line)


def _compilation(
    start: float, method: str, flags: str, tier: str, rest_of_line: str
) -> tuple[EventLane, RuntimeEvent]:
    size, _, message = rest_of_line.partition(")")
    is_gone = message.strip().startswith(_GONE)
    words = [
        f"tier {tier}" if tier not in {"", "-", "0"} else "",
        "on stack" if "%" in flags else "",
        size.rpartition("(")[2],
        message.strip(),
    ]
    event = RuntimeEvent(
        start=start,
        end=start,
        name=shorten_name(method),
        detail=shorten_name(", ".join(filter(None, words))),
        value=float(tier) if tier not in {"", "-"} else None,
    )
    return INVALIDATIONS if is_gone else COMPILATION_STARTS, event


def _recognise(start: str) -> bool:
    lines = start.splitlines()
    return any(
        ("GC(" in line and line.startswith("[")) or compilation_line(line) is not None
        for line in lines
    ) or any(
        line.startswith("[") and ("[gc" in line or _uptime(_decorations(line)[0]) is not None)
        for line in lines[:50]
    )


READER: Final = EventReader(
    name="jvm-text",
    title="-Xlog:gc*, -XX:+PrintCompilation",
    recognise=_recognise,
    read=read_process_log(read),
)
