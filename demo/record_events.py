"""Record Java workloads with the events of their process: ``python -m demo.record_events``.

Runs a fresh process of each Java workload that logs its collections and compilations, and writes
two files a workload: the recording in JMH's layout, and its events as CSV, placed by iteration.
The process itself says when each iteration began, by the clock of its logs.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from demo import layout, machine, runtimes
from demo.catalogue import CATALOGUE, EVENTS_FOLDER, Workload, workload_named
from demo.runtimes import RecordedFork, RecordingError
from formats.events.event_files import read_event_file
from formats.events.lanes import EventLane, EventTarget
from formats.tables import Cell, table_text

ITERATIONS: Final = 3_000
STAMPS: Final = MappingProxyType({"PLATEAU_DEMO_STAMPS": "1"})
COLUMNS: Final = ("lane", "iteration", "end", "name", "detail", "value")
COLLECTIONS, COMPILATIONS = "gc.log", "hotspot.log"


class EventRecording(NamedTuple):
    """One fork, and when each of its iterations began: seconds since the process started."""

    fork: RecordedFork
    starts: np.ndarray[tuple[int], np.dtype[np.float64]]

    @property
    def end(self) -> float:
        """Seconds at which the last iteration ended."""
        return float(self.starts[-1]) + self.fork.nanoseconds[-1] / 1e9


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m demo.record_events", description=__doc__)
    java = [workload.name for workload in CATALOGUE if workload.runtime == "java"]
    parser.add_argument("--only", action="append", choices=java, help="may repeat; default: all")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="(%(default)s)")
    parser.add_argument("--output", type=Path, default=EVENTS_FOLDER, metavar="FOLDER")
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="plateau-events-") as scratch:
            folder = Path(scratch)
            runtimes.prepare_runtime("java", folder)
            for name in options.only or java:
                _record(workload_named(name), options.iterations, folder, options.output)
    except (RecordingError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _record(workload: Workload, iterations: int, folder: Path, output: Path) -> None:
    load_before, began_at = machine.LoadMoment.current(), monotonic()
    recording = _stamped_fork(workload, iterations, folder)
    details = layout.recording(
        workload,
        [recording.fork],
        measured_at=machine.time_stamp(),
        load_before=load_before,
        load_after=machine.LoadMoment.current(),
        seconds=[round(monotonic() - began_at, 2)],
    )
    rows = list(_rows(recording, folder))
    text = "".join(table_text(COLUMNS, rows))
    entry = layout.benchmark(workload, [recording.fork], details)
    layout.write_recording(output / workload.file, [entry])
    layout.replace(output / workload.events_file, gzip.compress(text.encode(), 9, mtime=0))
    print(f"{workload.name}: {len(rows)} events, load {load_before.load[0]:.2f}", flush=True)


def _stamped_fork(workload: Workload, iterations: int, folder: Path) -> EventRecording:
    java, *arguments = runtimes.fork_command(workload, iterations, folder)
    flags = [
        f"-Xlog:gc*:file={folder / COLLECTIONS}:uptimenanos,level,tags",
        *("-XX:+UnlockDiagnosticVMOptions", "-XX:+LogCompilation"),
        f"-XX:LogFile={folder / COMPILATIONS}",
    ]
    text = runtimes.process_output([java, *flags, *arguments], workload.name, STAMPS)
    head, _, body = text.partition("\n\n")
    lines = [line.split() for line in body.splitlines()]
    if len(lines) != iterations or any(len(line) != 2 for line in lines):
        expected = f"{iterations} lines of two numbers"
        raise RecordingError(f"{workload.name}: found {len(lines)} lines, expected {expected}")
    facts: Mapping[str, str] = dict(line.split("=", 1) for line in head.splitlines())
    fork = RecordedFork([int(line[0]) for line in lines], dict(facts))
    return EventRecording(fork, np.array([int(line[1]) for line in lines]) / 1e9)


def _rows(recording: EventRecording, folder: Path) -> Iterator[tuple[Cell, ...]]:
    """Rows of all events that touch an iteration, lane by lane."""
    for name in (COLLECTIONS, COMPILATIONS):
        for lane in _lanes(folder / name):
            for event in lane.events:
                if event.end >= recording.starts[0] and event.start < recording.end:
                    first, last = _iterations(recording, event.start, event.end)
                    end = last + 1 if lane.ends_known else None
                    yield lane.kind, first, end, event.name, event.detail, event.value


def _lanes(path: Path) -> tuple[EventLane, ...]:
    """Lanes of a log; none where nothing was collected, which is no fault of a workload."""
    if path.name == COLLECTIONS and " Pause " not in path.read_text("utf-8"):
        return ()
    with path.open("rb") as stream:
        return read_event_file(stream, path.name, EventTarget(benchmark="", n=0)).lanes


def _iterations(recording: EventRecording, start: float, end: float) -> tuple[int, int]:
    """First and last iteration that an event touches; what lies between two is the earlier's."""
    first = max(int(np.searchsorted(recording.starts, start, side="right")) - 1, 0)
    last = int(np.searchsorted(recording.starts, min(end, recording.end), side="right")) - 1
    return first, max(first, last)


if __name__ == "__main__":
    sys.exit(main())
