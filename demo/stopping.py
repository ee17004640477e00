"""Forks that end when a detector finds them steady: it reads each value while the fork runs.

The harness prints a line after every iteration instead of all at the end, outside of what it
times. Ending a fork costs nothing: it has nothing to save, so it is killed.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any

from demo import runtimes
from demo.catalogue import Workload
from demo.runtimes import FORK_TIMEOUT, LIVE_LINE, RecordedFork, RecordingError
from detectors import detection_rows
from detectors.command.online_decisions import OnlineWatch
from detectors.contract import (
    NEVER,
    Context,
    DetectorError,
    OnlineDetector,
    ParameterError,
    as_series,
)
from detectors.registry import UnknownDetector, from_key, registry

FURTHER = 500  # iterations that are still measured once the fork is steady
NANOSECONDS = 10**9
MADE = Context(unit="s/op", mode="avgt")  # as a reader of the file finds it


@dataclass(frozen=True, slots=True)
class ForkStopRule:
    """Rule that ends a running fork: so many iterations after it is found steady.

    They are counted anew when the detector takes it back, or moves the start beyond the place
    from which they were counted.
    """

    detector: OnlineDetector[Any]
    further: int

    def __str__(self) -> str:
        return f"ended {self.further} iterations after {self.detector.key} finds it steady"


def rule(name: str, further_iterations: int) -> ForkStopRule:
    """The rule of a detector's slug or key. Raises RecordingError, which says what there is."""
    try:
        detector = from_key(name)
    except (UnknownDetector, ParameterError) as error:
        raise RecordingError(f"--stop {name}: {error}") from None
    if not isinstance(detector, OnlineDetector):
        online_slugs = ", ".join(slug for slug, method in registry().items() if method.online)
        raise RecordingError(f"--stop {name}: it does not read online; these do: {online_slugs}")
    return ForkStopRule(detector, further_iterations)


def warm_up(rule: ForkStopRule) -> None:
    """Compile the detector before the first fork, whose times would show it."""
    detection_rows.warm_up([rule.detector])


def fork(
    workload: Workload, most_iterations: int, folder: Path, rule: ForkStopRule
) -> RecordedFork:
    """Run one fresh process until `rule` ends it, or for `most_iterations` iterations."""
    command = runtimes.fork_command(workload, most_iterations, folder)
    with (
        tempfile.TemporaryFile("w+") as complaints,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            env=runtimes.environment(is_live=True),
            cwd=runtimes.ROOT,
        ) as process,
    ):
        alarm = Timer(FORK_TIMEOUT, process.kill)
        alarm.start()
        try:
            recorded_fork = fork_of_lines(
                process.stdout or (), workload.name, most_iterations, rule
            )
            if recorded_fork is None:
                process.wait()
        finally:
            alarm.cancel()
            process.kill()
        if recorded_fork is None:
            complaints.seek(0)
            complaint = (complaints.read().strip() or "nothing")[-400:]
            status = process.returncode
            raise RecordingError(
                f"{workload.name}: ended with status {status} before it was stopped; "
                f"said: {complaint}"
            )
        return recorded_fork


def fork_of_lines(
    lines: Iterable[str], name: str, most: int, rule: ForkStopRule
) -> RecordedFork | None:
    """The fork that `lines` tell, up to where it is to end; None if they end before."""
    following_lines = iter(lines)
    facts = dict(line.rstrip("\n").split("=", 1) for line in _head(following_lines))
    online_watch = OnlineWatch(rule.detector, MADE)
    nanoseconds: list[int] = []
    checks: list[int] = []
    steady_since: int | None = None  # counted from here
    for n, line in enumerate(following_lines, start=1):
        match = LIVE_LINE.fullmatch(line.strip())
        if match is None:
            raise RecordingError(
                f"{name}: found {line.strip()!r}, expected nanoseconds above 0 and a check sum"
            )
        duration, check = int(match[1]), int(match[2])
        nanoseconds.append(duration)
        checks.append(check)
        steady_since = _steady_since(online_watch, duration, steady_since, name)
        if n == most or (steady_since is not None and n - steady_since >= rule.further):
            facts["check"] = str(check)
            start = None if steady_since is None else online_watch.start
            return RecordedFork(nanoseconds, facts, tuple(checks), steady_since, start)
    return None


def _head(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if not line.strip():
            return
        yield line


def _steady_since(
    online_watch: OnlineWatch, nanoseconds: int, steady_since: int | None, name: str
) -> int | None:
    """After how many values the fork was found steady for good, as far as is known."""
    try:
        decision = online_watch.read(as_series([nanoseconds / NANOSECONDS]))
    except DetectorError as error:
        raise RecordingError(f"{name}: {error}") from error
    if decision is None:
        return steady_since
    start = online_watch.start
    if start is None or start == NEVER:
        return None
    return decision.n if steady_since is None or start > steady_since else steady_since
