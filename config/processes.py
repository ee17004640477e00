"""Processes that a launcher starts, and stops whatever happens."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from formats.child_process import end_with_parent

TAIL, TAIL_BYTES = 12, 8192  # of a log: what is shown of it when its process dies


@dataclass
class ChildProgram:
    """One started program, leader of a process group of its own.

    A group of its own, because Ctrl-C in a terminal reaches every process
    of the terminal's group at once: workers would die in the middle of a
    chunk while the launcher is asking them to finish it. No session of its
    own: Linux shares the cores among sessions first, and that workers give
    way to pages (`analysis.work.workers.NICE`) holds only within one.
    """

    name: str
    process: subprocess.Popen[bytes]
    log: Path
    patience: float  # seconds that it may take to end after it was asked

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    @property
    def ending(self) -> str:
        """Way in which it ended, as a verb."""
        status = self.process.poll() or 0
        return f"ended with status {status}" if status >= 0 else f"was killed by signal {-status}"

    def tail(self, count: int = TAIL) -> str:
        """The last lines of its log; empty where somebody has removed it."""
        with contextlib.suppress(FileNotFoundError), self.log.open("rb") as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - TAIL_BYTES))
            lines = stream.read().decode(errors="replace").splitlines()
            return "\n".join(f"  {line}" for line in lines[-count:])
        return ""


def start_program(
    name: str, command: list[str], *, log: Path, patience: float, environment: Mapping[str, str]
) -> ChildProgram:
    """Start `command` with the additions `environment` and everything it says in `log`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as sink:
        process = subprocess.Popen(  # noqa: S603  # commands are ours
            command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
            process_group=0,
            preexec_fn=end_with_parent,  # noqa: PLW1509
        )
    return ChildProgram(name, process, log, patience)


def stop(children: Sequence[ChildProgram]) -> None:
    """Ask all to end at once; kill those that do not within their patience."""
    for child in children:
        if child.alive:
            child.process.terminate()
    for child in children:
        deadline = time.monotonic() + child.patience
        while child.alive and time.monotonic() < deadline:
            time.sleep(0.02)
        # Children of a child that died without them
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.process.pid, signal.SIGKILL)
        child.process.wait()
