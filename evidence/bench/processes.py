"""Real programs for tests: started on free ports and private folders, and gone afterwards."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
LOOK = 0.25  # seconds between two looks at the processes
TICK, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def processes_with(variable_name: str) -> dict[int, str]:
    """Living processes that have `NAME=value` in their environment: number and command."""
    return {
        pid: command for pid, command, environment in _processes() if variable_name in environment
    }


def children_of(parent: int) -> dict[int, str]:
    """Living processes that `parent` has started: number and command."""
    pids = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return {int(pid): _command(Path("/proc", pid)) for pid in pids}


def _command(folder: Path) -> str:
    return (folder / "cmdline").read_text().replace("\0", " ").strip()


def _processes() -> Iterator[tuple[int, str, list[str]]]:
    for folder in Path("/proc").glob("[0-9]*"):
        # Others end while we look, and some are not ours to read.
        with contextlib.suppress(OSError):
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z":
                yield (
                    int(folder.name),
                    _command(folder),
                    (folder / "environ").read_text().split("\0"),
                )


def core_seconds(pid: int) -> float:
    """Processor time of a process, user and system; raises OSError where it has ended."""
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / TICK


class ProcessWatch(threading.Thread):
    """Memory and core seconds of the processes with a variable, while a block runs."""

    def __init__(self, variable_name: str) -> None:
        super().__init__(daemon=True)
        self.variable, self.ended = variable_name, threading.Event()
        self.one = self.all = 0  # bytes
        self.before: dict[int, float] = {}  # core seconds by process
        self.spent: dict[int, float] = {}

    @property
    def seconds(self) -> float:
        return sum(
            spent_seconds - self.before.get(pid, 0.0) for pid, spent_seconds in self.spent.items()
        )

    def __enter__(self) -> Self:
        self._note_memory()
        self.before = dict(self.spent)
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.join()
        self._note_memory()

    def run(self) -> None:
        while not self.ended.wait(LOOK):
            self._note_memory()

    def _note_memory(self) -> None:
        resident_bytes = [0]
        for pid in processes_with(self.variable):
            with contextlib.suppress(OSError):  # it may end meanwhile
                resident_bytes.append(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE)
                self.spent[pid] = core_seconds(pid)
        self.one, self.all = max(self.one, *resident_bytes), max(self.all, sum(resident_bytes))


def wait_until(is_ready: Callable[[], object], *, seconds: float = 60.0, goal: str = "") -> None:
    """Wait until `is_ready()` is true; fail with `goal` if it never is."""
    limit, pause = time.monotonic() + seconds, 0.1
    while not is_ready():
        if time.monotonic() > limit:
            raise AssertionError(f"waited {seconds:.0f} s in vain: {goal or is_ready}")
        time.sleep(pause)
        pause = min(0.5, 1.2 * pause)  # to look may take a page or a process of its own


@contextlib.contextmanager
def stop_process(pid: int, *, most_seconds: float = 60.0) -> Iterator[None]:
    """Let the process hang for the length of the block, at most for `most_seconds`."""
    wake_timer = threading.Timer(most_seconds, os.kill, (pid, signal.SIGCONT))
    os.kill(pid, signal.SIGSTOP)
    wake_timer.start()
    try:
        yield
    finally:
        wake_timer.cancel()
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def kill(pids: Iterator[int] | list[int]) -> None:
    """End processes that a failed test may have left."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
