"""The log of a DaCapo benchmark: a line for every iteration, its warm-up among them.

Source: dacapobench/dacapobench: `benchmarks/harness/src/org/dacapo/harness/Callback.java`. An
iteration ends with "completed warmup N in T msec" or, the last, "PASSED in T msec".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from formats.harness_series import FAILED, HarnessSeries, measurement, parse_numbers
from formats.measurement import Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "record with -n 3000"
_ENDED: Final = re.compile(
    r"===== DaCapo (?P<version>\S+) (?P<name>\S+) "
    r"(?P<how>completed warmup \d+|PASSED|FAILED) (?:in (?P<time>\S+) msec )?====="
)


@dataclass(slots=True)
class _Process:
    """One run of the harness: it ends with an iteration that is no warm-up."""

    version: str
    times: list[str] = field(default_factory=list)
    warmups: int = 0
    ended: bool = False
    failed: bool = False


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark and process, in the order of their lines."""
    processes_by_name: dict[str, list[_Process]] = {}
    for line in source.lines():
        if end_match := _ENDED.search(line):
            _add(processes_by_name.setdefault(end_match["name"], []), end_match)
    if not processes_by_name:
        expected = "lines such as: ===== DaCapo 23.11 luindex PASSED in 999 msec ====="
        raise source.problem("the whole file", found="no such line", expected=expected)
    yield from source.attempts(
        partial(_series, source, name, fork, process)
        for name, processes in processes_by_name.items()
        for fork, process in enumerate(execution for execution in processes if execution.times)
    )


def _add(processes: list[_Process], end_match: re.Match[str]) -> None:
    if not processes or processes[-1].ended:
        processes.append(_Process(end_match["version"]))
    process = processes[-1]
    warmup = end_match["how"].startswith("completed")
    process.ended, process.failed = not warmup, end_match["how"] == "FAILED"
    if end_match["time"]:
        process.times.append(end_match["time"])
        process.warmups += warmup


def _series(source: InputSource, name: str, fork: int, process: _Process) -> Measurement:
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            values=parse_numbers(
                source, process.times, lambda index: f"benchmark {name}, iteration {index}"
            ),
            unit="ms/op",
            fork=fork,
            settings={"warmup_values": process.warmups} if process.warmups else {},
            recording=RecordingHint(build=f"DaCapo {process.version}"),
            notes=(FAILED,) if process.failed else (),
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    return "lines of DaCapo's harness" if _ENDED.search(start.text) else ""


READER = FileReader(
    name="dacapo",
    title="log of DaCapo",
    endings=(".log", ".txt"),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
