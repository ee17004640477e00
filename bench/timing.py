"""How the benches measure: the fastest of many rounds, time of one core, and on which machine."""

from __future__ import annotations

import math
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

Result = TypeVar("Result")

ROUNDS, PATIENCE = 200, 0.5  # rounds at most, and seconds for one figure


def fastest(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Milliseconds of one core in the fastest round after a first one that does not count.

    All else on the machine only adds; that which waits for a core adds nothing.
    """
    work()
    best, until = math.inf, time.perf_counter() + PATIENCE
    for _ in range(rounds):
        best = min(best, timed(work)[0])
        if time.perf_counter() > until:
            break
    return best


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Milliseconds of one core for one round, and what it gave."""
    begin = time.thread_time()
    result = work()
    return 1e3 * (time.thread_time() - begin), result


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
