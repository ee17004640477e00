"""Log of ``-XX:+LogCompilation``: compilations with start and end, and uncommon traps.

The file is read line by line, as HotSpot writes an element a line: a log that a crash cut off is
no XML any more, and is read all the same.
Source: openjdk/jdk: `src/hotspot/share/compiler/compileTask.cpp`, `compileLog.cpp`,
`src/hotspot/share/runtime/deoptimization.cpp`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Final, NamedTuple

from formats.events.jvm_text import INVALIDATIONS
from formats.events.lanes import (
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

COMPILATIONS: Final = EventLane(
    kind="compilation", title="Compilations", clock="seconds", events=()
)
TRAPS: Final = EventLane(
    kind="deoptimisation",
    title="Deoptimisations (uncommon traps)",
    clock="seconds",
    events=(),
    ends_known=False,
)
_TAGS: Final = ("task", "task_done", "nmethod", "uncommon_trap", "jvms", "make_not_entrant")
_ATTRIBUTE: Final = re.compile(r" ([a-z_]+)='([^']*)'")
_STAMP: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


class _LogElement(NamedTuple):
    where: str
    tag: str
    attributes: Mapping[str, str]


def read(source: InputSource) -> EventFile:
    """Lanes of compilations, of code given up, and of uncommon traps."""
    builder = LaneBuilder(source)
    methods: dict[str, str] = {}  # by the number of the compilation
    task: _LogElement | None = None
    trap: _LogElement | None = None
    for element in _elements(source):
        attributes = element.attributes
        if element.tag in {"task", "nmethod"} and "compile_id" in attributes:
            methods[_compile_key(attributes)] = method_name(attributes.get("method", ""))
        if element.tag == "task":
            task = element
        elif element.tag == "task_done" and task is not None:
            builder.add(COMPILATIONS, element.where, [_compilation(source, task, element)])
            task = None
        elif element.tag == "uncommon_trap":
            trap = element if "stamp" in attributes else None
        elif element.tag == "jvms" and trap is not None:
            builder.add(TRAPS, trap.where, [_trap_event(source, trap, attributes)])
            trap = None
        elif element.tag == "make_not_entrant":
            builder.add(INVALIDATIONS, element.where, [_invalidation(source, element, methods)])
    return builder.finish(
        "LogCompilation of HotSpot",
        "elements task and task_done",
        hint="record with -XX:+UnlockDiagnosticVMOptions -XX:+LogCompilation, and let the "
        "process end",
    )


def _elements(source: InputSource) -> Iterator[_LogElement]:
    """The elements that are looked at, in the order of the file."""
    for number, line in bounded_lines(source):
        if not line.startswith("<"):
            continue
        tag = line[1:].partition(" ")[0]
        if tag in _TAGS:
            attributes = {match[1]: unescape(match[2]) for match in _ATTRIBUTE.finditer(line)}
            yield _LogElement(f"line {number}", tag, attributes)


def method_name(text: str) -> str:
    """`java.lang.String.hashCode` of ``java.lang.String hashCode ()I``."""
    return shorten_name(".".join(text.split(" ")[:2]).replace("/", "."))


def _compile_key(attributes: Mapping[str, str]) -> str:
    return f"{attributes.get('compile_kind', '')}{attributes['compile_id']}"


def _seconds(source: InputSource, element: _LogElement) -> float:
    text = element.attributes.get("stamp", "")
    if _STAMP.fullmatch(text) is None:
        stamp = repr(text[:40]) if text else "no stamp"
        expected = "seconds such as stamp='0.123'"
        raise source.problem(f"{element.where}, {element.tag}", found=stamp, expected=expected)
    return float(text)


def _compilation(source: InputSource, task: _LogElement, end_tag: _LogElement) -> RuntimeEvent:
    attributes = task.attributes
    # HotSpot leaves out the tier where it is the highest
    tier = attributes.get("level", "4")
    words = [
        f"tier {tier}" if tier != "0" else "",
        "on stack" if attributes.get("compile_kind") == "osr" else "",
        f"{attributes['bytes']} bytes" if "bytes" in attributes else "",
        "not installed" if end_tag.attributes.get("success", "1") != "1" else "",
    ]
    start = _seconds(source, task)
    return RuntimeEvent(
        start=start,
        end=max(_seconds(source, end_tag), start),
        name=method_name(attributes.get("method", "")),
        detail=shorten_name(", ".join(filter(None, words))),
        value=float(tier) if tier in {"0", "1", "2", "3", "4"} else None,
    )


def _trap_event(source: InputSource, trap: _LogElement, frame: Mapping[str, str]) -> RuntimeEvent:
    seconds = _seconds(source, trap)
    words = (trap.attributes.get(name, "").replace("_", " ") for name in ("reason", "action"))
    return RuntimeEvent(
        start=seconds,
        end=seconds,
        name=method_name(frame.get("method", "")),
        detail=shorten_name(", ".join(filter(None, words))),
    )


def _invalidation(
    source: InputSource, element: _LogElement, methods: Mapping[str, str]
) -> RuntimeEvent:
    seconds, attributes = _seconds(source, element), element.attributes
    key = _compile_key(attributes) if "compile_id" in attributes else ""
    tier = attributes.get("level", "")
    return RuntimeEvent(
        start=seconds,
        end=seconds,
        name=methods.get(key, f"compilation {key}"),
        detail=shorten_name(f"tier {tier}, made not entrant" if tier else "made not entrant"),
    )


READER: Final = EventReader(
    name="hotspot-log",
    title="-XX:+LogCompilation",
    recognise=lambda start: "<hotspot_log " in start[:2_000],
    read=read_process_log(read),
)
