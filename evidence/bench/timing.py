"""Timing of the benches: the fastest of many rounds, time of one core, and the machine."""

from __future__ import annotations

import math
import os
import platform
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from formats.markdown import head, row

Result = TypeVar("Result")


def parser_of(module: str, description: str | None) -> ArgumentParser:
    """A parser for `python -m MODULE`, which is about what its docstring begins with."""
    return ArgumentParser(
        prog=f"python -m {module}", description=(description or "").partition("\n")[0]
    )


ROUNDS, PATIENCE = 200, 0.5  # rounds at most, and seconds for one figure
FEWEST = 5  # rounds, of which there is a middle one


def fastest_ms(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Milliseconds of one core in the fastest round after a first one that does not count.

    All else on the machine only adds; that which waits for a core adds nothing.
    """
    work()
    best_seconds, deadline = math.inf, time.perf_counter() + PATIENCE
    for _ in range(rounds):
        best_seconds = min(best_seconds, timed_round(work)[0])
        if time.perf_counter() > deadline:
            break
    return best_seconds


def median_ms(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Milliseconds of one core in the middle one of such rounds: half of them take less."""
    work()
    milliseconds: list[float] = []
    deadline = time.perf_counter() + PATIENCE
    while len(milliseconds) < rounds and (
        len(milliseconds) < FEWEST or time.perf_counter() < deadline
    ):
        milliseconds.append(timed_round(work)[0])
    return median(milliseconds)


def timed_round(work: Callable[[], Result]) -> tuple[float, Result]:
    """Milliseconds of one core for one round, and what it gave."""
    begin = time.thread_time()
    result = work()
    return 1e3 * (time.thread_time() - begin), result


def child_seconds(command: Sequence[str], settings: Mapping[str, str] | None = None) -> float:
    """CPU seconds of a Python program with its imports: `[-m, module, …]`."""
    usage_before = getrusage(RUSAGE_CHILDREN)
    full_command, environment = [sys.executable, *command], os.environ | dict(settings or {})
    subprocess.run(full_command, check=True, env=environment, stdout=subprocess.DEVNULL)
    usage_after = getrusage(RUSAGE_CHILDREN)
    return (
        usage_after.ru_utime + usage_after.ru_stime - usage_before.ru_utime - usage_before.ru_stime
    )


def machine() -> str:
    """Processor, cores, and versions: a figure without them is no figure."""
    return (
        f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, load {os.getloadavg()[0]:.1f}"
    )


def processor() -> str:
    """The processor's name where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


class Peer(NamedTuple):
    """Ours and another way to the same numbers.

    rounds        of the other, at most
    least         the ratio of times that ours must reach
    rtol, atol    how far the numbers may lie apart
    """

    name: str
    n: int
    ours: Callable[[], ArrayLike]
    theirs: Callable[[], ArrayLike]
    rounds: int = 5
    least: float = 0.0
    rtol: float = 1e-6
    atol: float = 1e-12


def print_peers(peers: Iterable[Peer], other_name: str) -> bool:
    """A table, the same numbers first, then time; True if numbers differ or a ratio is missed."""
    print(head("what", "values", "ms", f"{other_name} ms", "ratio", "same"))
    has_failed = False
    for peer in peers:
        own_result, their_result = np.asarray(peer.ours()), np.asarray(peer.theirs())
        is_close = partial(np.allclose, rtol=peer.rtol, atol=peer.atol, equal_nan=True)
        is_same = own_result.shape == their_result.shape and is_close(own_result, their_result)
        quick_ms, slow_ms = fastest_ms(peer.ours), fastest_ms(peer.theirs, peer.rounds)
        has_failed |= not is_same or slow_ms / quick_ms < peer.least
        figures = (f"{quick_ms:.3f}", f"{slow_ms:.2f}", f"{slow_ms / quick_ms:.0f}")
        least_words = f", at least {peer.least:.0f} times" if peer.least else ""
        print(
            row(peer.name, peer.n, *figures, f"{'yes' if is_same else 'NO'}{least_words}"),
            flush=True,
        )
    print()
    return has_failed
