"""Runtimes of the workloads: a fresh process of each, and its answer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from demo.catalogue import HERE, RuntimeName, Workload

ROOT = HERE.parent
SOURCES = HERE / "workloads"
FORK_TIMEOUT = 300  # seconds; a fork takes seconds even on a busy machine
LIVE = "PLATEAU_DEMO_LIVE"  # set: the harness prints a line an iteration, as it goes
LIVE_LINE = re.compile(r"([1-9][0-9]*) (-?[0-9]+)")  # nanoseconds, check sum so far


class RecordingError(Exception):
    """Something a person can mend: a runtime that is absent, a workload that failed."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """Programs that must be there, the Debian package that brings them, and the flags used."""

    programs: tuple[str, ...]
    package: str
    flags: tuple[str, ...] = ()


RUNTIMES: Mapping[RuntimeName, Runtime] = MappingProxyType(
    {
        # A small fixed heap makes the collector work; one collector thread leaves the other
        # cores to the compiler, so that forks differ by the workload and not by the machine.
        "java": Runtime(
            ("java", "javac"),
            "openjdk-17-jdk-headless",
            ("-Xms128m", "-Xmx128m", "-XX:+UseSerialGC"),
        ),
        "node": Runtime(("node",), "nodejs"),
        "pypy": Runtime(("pypy3",), "pypy3"),
    }
)


@dataclass(frozen=True, slots=True)
class RecordedFork:
    """Answer of one process: nanoseconds by iteration, and facts about its runtime.

    checks   the check sum after each iteration, of a fork that was heard while it ran
    decided  after so many values it was found steady; None if it was not, or nobody looked
    start    first steady iteration as it was known then
    """

    nanoseconds: list[int]
    facts: dict[str, str]
    checks: tuple[int, ...] = ()
    decided: int | None = None
    start: int | None = None

    def check_after(self, n: int) -> str:
        """The check sum of the results of the first n iterations."""
        return str(self.checks[n - 1]) if self.checks else self.facts["check"]


def missing_runtime(name: RuntimeName) -> str:
    """Say what to install for the runtime, or an empty text if it is there."""
    runtime = RUNTIMES[name]
    missing_programs = [program for program in runtime.programs if shutil.which(program) is None]
    if not missing_programs:
        return ""
    return (
        f"{name}: no program {' and '.join(missing_programs)} on the path; expected from the "
        "Debian "
        f"package {runtime.package}: apt install {runtime.package}"
    )


def prepare_runtime(name: RuntimeName, folder: Path) -> None:
    """Compile what must be compiled, into `folder`."""
    if complaint := missing_runtime(name):
        raise RecordingError(complaint)
    if name == "java":
        sources = [str(source) for source in sorted((SOURCES / "java").glob("*.java"))]
        process_output(["javac", "-d", str(folder), *sources], "the Java workloads")


def program_of(name: RuntimeName) -> str:
    return shutil.which(RUNTIMES[name].programs[0]) or RUNTIMES[name].programs[0]


def fork_command(workload: Workload, iterations: int, folder: Path) -> list[str]:
    """The command line of one fork, from the project's root; `folder` holds what was compiled."""
    name = workload.runtime
    start = [program_of(name), *RUNTIMES[name].flags]
    inputs = [f"{key}={value}" for key, value in workload.params.items()]
    if name == "java":
        return [*start, "-cp", str(folder), "Harness", workload.workload, str(iterations), *inputs]
    if name == "node":
        harness = str(SOURCES / "node" / "harness.mjs")
        return [*start, harness, workload.workload, str(iterations), *inputs]
    module = workload.name.removeprefix("pypy-").replace("-", "_")
    return [*start, "-m", "demo.workloads.pypy.harness", module, str(iterations), *inputs]


def fork(workload: Workload, iterations: int, folder: Path) -> RecordedFork:
    """Run one fresh process to its end."""
    text = process_output(fork_command(workload, iterations, folder), workload.name)
    return parse_recording(text, workload.name, iterations)


def parse_recording(text: str, name: str, iterations: int) -> RecordedFork:
    """Facts as ``name=value``, an empty line, then a whole number of nanoseconds a line."""
    head, _, body = text.partition("\n\n")
    lines = body.split()
    bad_line = next((line for line in lines if not re.fullmatch(r"[1-9][0-9]*", line)), None)
    if bad_line is not None:
        raise RecordingError(f"{name}: found {bad_line!r} as a time, expected nanoseconds above 0")
    if len(lines) != iterations:
        raise RecordingError(f"{name}: found {len(lines)} times, expected {iterations}")
    facts = dict(line.split("=", 1) for line in head.splitlines())
    return RecordedFork([int(line) for line in lines], facts)


def environment(*, is_live: bool = False) -> dict[str, str]:
    """Environment of a fork; `is_live` lets it print a line after every iteration."""
    # PyPy would leave compiled files of another Python in the tree.
    environment_of_program = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    environment_of_program.pop(LIVE, None)
    return {**environment_of_program, LIVE: "1"} if is_live else environment_of_program


def process_output(
    command_line: Sequence[str], name: str, variables: Mapping[str, str] | None = None
) -> str:
    """Return the output of a process; `variables` are added to its environment."""
    try:
        completed_process = subprocess.run(
            command_line,
            capture_output=True,
            text=True,
            timeout=FORK_TIMEOUT,
            env={**environment(), **(variables or {})},
            cwd=ROOT,  # where PyPy finds the workloads as modules
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise RecordingError(f"{name}: no answer after {FORK_TIMEOUT} s") from error
    if completed_process.returncode:
        complaint = (completed_process.stderr.strip() or "nothing")[-400:]
        raise RecordingError(
            f"{name}: ended with status {completed_process.returncode} and said: {complaint}"
        )
    return completed_process.stdout
