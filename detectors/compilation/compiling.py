"""One process at a time compiles a kernel; others wait, and find what it leaves in the cache.

Without that, a worker with four processes compiles everything four times when it starts.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import IO, Final, ParamSpec, TypeVar

if os.name == "posix":
    import fcntl

from detectors.compilation.stack_room import with_stack_room

P = ParamSpec("P")
R = TypeVar("R")

PAUSE: Final = 0.05  # seconds between two looks at a lock
LONGEST_WAIT: Final = 30.0
"""Seconds; a holder that is stopped, or starved at low priority, shall not keep others from
compiling: twice the same is waste, not an error."""

# Of this process: its threads compile one after the other, and a kernel's compilation compiles
# those that it calls. Callers are locked before callees, so no two processes wait for each other.
_compiling = threading.RLock()
_held: set[Path] = set()


def serialise(compile_: Callable[P, R], lock: Path) -> Callable[P, R]:
    """`compile_`, which other processes do not run as long as this one holds the file `lock`."""
    lock.parent.mkdir(exist_ok=True)

    @wraps(compile_)
    @with_stack_room
    def call_locked(*args: P.args, **kwargs: P.kwargs) -> R:
        with _compiling, _hold_lock(lock), _without_collection():
            return compile_(*args, **kwargs)

    return call_locked


@contextmanager
def _without_collection() -> Iterator[None]:
    """Pause garbage collection, which takes a fifth of the time of a compilation."""
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_collecting:
            gc.enable()


@contextmanager
def _hold_lock(lock: Path) -> Iterator[None]:
    # A kernel that calls itself; and Windows, where each process compiles for itself.
    if lock in _held or os.name != "posix":
        yield
        return
    _held.add(lock)
    try:
        with lock.open("a") as lock_file:  # its end lets go of the lock, as does the process's
            limit = time.monotonic() + LONGEST_WAIT
            while not _take_lock(lock_file) and time.monotonic() < limit:
                time.sleep(PAUSE)
            yield
    finally:
        _held.discard(lock)


def _take_lock(lock_file: IO[str]) -> bool:
    try:
        fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
