"""The data card: what the recordings say about themselves, as one page.

Made from the files alone, so that recording one workload again brings the whole card up to date.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from demo.catalogue import CATALOGUE, Workload
from demo.layout import read_recording

Recording = tuple[Workload, dict[str, Any]]

HEAD = """\
# Data card: recorded demo measurements

Written by `python -m demo.record` from the recordings beside it; do not edit by hand.

These are measurements of programs that were really run, recorded by this project and shipped under
the project's own licence. Nothing in them is simulated, smoothed or removed: every series holds the
time of every call of a workload in one fresh process, from the very first call on.
"""

COLUMNS = """\
| workload | inputs | forks | iterations | seconds a fork | settled, ms | what it does |
|---|---|---|---|---|---|---|
"""

BUSY = (
    "- **The machine was busy**: the load exceeded the number of cores, so other programs "
    "took part of the time, and some spikes and late settling are theirs."
)

SILENT = "Nothing is printed before the last iteration.\n"

LIVE = """\
Each time is printed when its iteration is over, which is outside of what is timed but leaves its
traces: some memory, a write, and a detector on another core that reads along.
"""

STOPPED = """\
## Forks that were ended

Here a detector read each time while the fork ran. So many iterations after it found the fork
steady, the fork was killed; values that it had measured beyond were dropped. The count began anew
when the detector took it back, or moved the start beyond the place of the count. A fork that was
never found steady did all its iterations, and the last so many of them are measured, at the cap.
The mean is that of the iterations measured then, with its 95 % interval.
A series that ends like this has no late part: what would have come is not known.

| workload | method | then iterations | found steady after | steady from, as known then | mean, ms |
|---|---|---|---|---|---|
"""

RUNTIME_COLUMNS = ("| runtime | version | virtual machine | flags |", "|---|---|---|---|")

HOW = """\
## How it was measured

One fork is one fresh process. The harness of its runtime (`demo/workloads/`) reads the clock, calls
the workload once, reads the clock again and keeps the difference.
Nothing is printed before the last iteration.
Clocks: `System.nanoTime`, `process.hrtime.bigint` and `time.perf_counter_ns`, in nanoseconds.
Forks run one after another, and all forks of a workload must give the same check sum of results.
“Seconds a fork” is the whole process, start and set-up of inputs included.
“Settled” is the median of the last third of the iterations of all forks: a size to expect, not a
claim that the series is steady there.

The layout is that of JMH's JSON results; JMH itself was not used.
An iteration is one call (`avgt`), and no warm-up iterations are set apart.
`jvm`, `vmName`, `vmVersion` and `jdkVersion` name the runtime, for Node.js and PyPy too: there
`jdkVersion` is the version of Node.js, and of the Python that PyPy speaks.

## Recording again

    make demo-record                                        # everything; rewrites this card
    python -m demo.record --only java-word-count --forks 3  # one workload
    python -m demo.record --dry-run                         # what would run, and what is missing

Needs the Debian packages `openjdk-17-jdk-headless`, `nodejs` and `pypy3`.
Times and shapes differ from machine to machine and from fork to fork, and load on the machine moves
the point at which a compiler is done.
"""


def recordings_card(folder: Path) -> str:
    """The card of the recordings that lie in `folder`."""
    recordings = [
        (w, read_recording(folder / w.file)) for w in CATALOGUE if (folder / w.file).is_file()
    ]
    parts = [HEAD, _machines(recordings), _runtimes(recordings), _workloads(recordings)]
    stopped_recordings = [
        recording for recording in recordings if "stop" in recording[1]["recording"]
    ]
    if not stopped_recordings:
        return "\n".join([*parts, HOW])
    stops = STOPPED + "".join(_stop_row(*recording) for recording in stopped_recordings)
    return "\n".join([*parts, stops, HOW.replace(SILENT, LIVE)])


def _machines(recordings: Sequence[Recording]) -> str:
    sessions = sorted(
        (entry["recording"] for _, entry in recordings), key=lambda session: session["started"]
    )
    machines = sorted({session["machine"] for session in sessions})
    loads = [
        value[0] for session in sessions for value in (session["loadBefore"], session["loadAfter"])
    ]
    first, last = sessions[0], sessions[-1]
    first_loads, last_loads = _spaced_values(first["loadBefore"]), _spaced_values(last["loadAfter"])
    lines = [
        "## Machine and moment",
        "",
        *(f"- Machine: {machine}" for machine in machines),
        f"- Recorded from {first['started']} to {last['ended']}",
        f"- Load average (1, 5, 15 minutes) before: {first_loads}; after: {last_loads}",
        f"- Load average of one minute around each workload: {min(loads):.2f} to {max(loads):.2f}",
        "- The recording itself adds about 1 to the load; compilers and collectors add more.",
        *([BUSY] if max(loads) > min(session["cores"] for session in sessions) else []),
        "",
    ]
    return "\n".join(lines)


def _runtimes(recordings: Sequence[Recording]) -> str:
    rows = dict.fromkeys(_runtime(*recording) for recording in recordings)  # each once, in order
    return "\n".join(["## Runtimes", "", *RUNTIME_COLUMNS, *rows, ""])


def _runtime(workload: Workload, entry: dict[str, Any]) -> str:
    flags = " ".join(f"`{flag}`" for flag in entry["jvmArgs"]) or "none"
    machine = f"{entry['vmName']} {entry['vmVersion']}"
    return f"| {workload.runtime_title} | {entry['jdkVersion']} | {machine} | {flags} |"


def _workloads(recordings: Sequence[Recording]) -> str:
    series = sum(entry["forks"] for _, entry in recordings)
    titles = ", ".join(dict.fromkeys(workload.runtime_title for workload, _ in recordings))
    seconds = sum(sum(entry["recording"]["secondsPerFork"]) for _, entry in recordings)
    summary = (
        f"{len(recordings)} workloads on {titles}: {series} series, "
        f"{seconds:.0f} s of recording.\n\n"
    )
    return "## Workloads\n\n" + summary + COLUMNS + "".join(_row(*pair) for pair in recordings)


def _row(workload: Workload, entry: dict[str, Any]) -> str:
    inputs = ", ".join(f"{name} {value}" for name, value in entry["params"].items())
    seconds = ", ".join(f"{value:.1f}" for value in entry["recording"]["secondsPerFork"])
    forks = entry["primaryMetric"]["rawData"]
    settled_milliseconds = (
        median(value for fork in forks for value in fork[-len(fork) // 3 :]) / 1e6
    )
    return (
        f"| `{workload.name}` | {inputs} | {entry['forks']} | {_iterations(forks)} "
        f"| {seconds} | {settled_milliseconds:.3f} | {workload.about} |\n"
    )


def _stop_row(workload: Workload, entry: dict[str, Any]) -> str:
    stop = entry["recording"]["stop"]
    stops_text, starts = (
        ", ".join("never" if iteration is None else f"{iteration:,}" for iteration in stop[name])
        for name in ("decidedAfter", "steadyStart")
    )
    method = stop["method"].partition("?")[0]
    means = ", ".join(map(_mean, stop.get("measured", ())))
    return (
        f"| `{workload.name}` | `{method}` | {stop['further']:,} | {stops_text} | {starts} | "
        f"{means} |\n"
    )


def _mean(mean_fields: dict[str, Any]) -> str:
    """Write a mean in milliseconds; a fork that was never found steady is measured at the cap."""
    mean, low, high = (
        "" if mean_fields[name] is None else f"{mean_fields[name] / 1e6:.4g}"
        for name in ("mean", "low", "high")
    )
    interval = f" ({low} to {high})" if low else ""
    return f"{mean}{interval}" + (" at the cap" if mean_fields["at_cap"] else "")


def _iterations(forks: Sequence[Sequence[int]]) -> str:
    fewest_iterations, most_iterations = min(map(len, forks)), max(map(len, forks))
    return (
        f"{fewest_iterations:,}"
        if fewest_iterations == most_iterations
        else f"{fewest_iterations:,} to {most_iterations:,}"
    )


def _spaced_values(values: Sequence[float]) -> str:
    return " ".join(f"{value:.2f}" for value in values)
