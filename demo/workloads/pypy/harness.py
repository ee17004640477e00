"""Times one workload in this fresh process, from its very first call on.

Usage: pypy3 -m demo.workloads.pypy.harness MODULE ITERATIONS [NAME=INTEGER]...
Runs on PyPy's Python 3.9, from the root of the project.
A module's `make(**params)` gives the workload; one call of it is one iteration.
Prints facts as NAME=VALUE, an empty line, then nanoseconds, one iteration a line.
With PLATEAU_DEMO_LIVE set, each iteration is printed when it is over, with the check sum so far.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from time import perf_counter_ns


def measure(module: str, iterations: int, arguments: list[str]) -> None:
    pairs = (pair.split("=", 1) for pair in arguments)
    workload = importlib.import_module(f"{__package__}.{module}")
    run = workload.make(**{name: int(value) for name, value in pairs})

    nanoseconds = [0] * iterations  # nothing is printed before the last iteration
    live = bool(os.environ.get("PLATEAU_DEMO_LIVE"))
    check = 0
    if live:
        print(f"{_facts()}\n", flush=True)
    for i in range(iterations):
        start = perf_counter_ns()
        result = run(i)
        nanoseconds[i] = perf_counter_ns() - start
        check = (check * 31 + result) % 1_000_003
        if live:
            print(nanoseconds[i], check, flush=True)

    if not live:
        print(f"{_facts()}\ncheck={check}\n")
        print("\n".join(map(str, nanoseconds)))


def _facts() -> str:
    name, language = platform.python_implementation(), platform.python_version()
    return f"vmName={name}\nvmVersion={_vm_version()}\njdkVersion={language}"


def _vm_version() -> str:
    """PyPy's own version; its Python's version is another one."""
    version_numbers = getattr(sys, "pypy_version_info", sys.version_info)
    return ".".join(map(str, version_numbers[:3]))


if __name__ == "__main__":
    measure(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
