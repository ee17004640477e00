"""Times one workload in this fresh process, from its very first call on.

Usage: pypy3 -m demo.workloads.pypy.harness MODULE ITERATIONS [NAME=INTEGER]...
Runs on PyPy's Python 3.9, from the root of the project.
A module's `make(**params)` gives the workload; one call of it is one iteration.
Prints facts as NAME=VALUE, an empty line, then nanoseconds, one iteration a line.
"""

from __future__ import annotations

import importlib
import platform
import sys
from time import perf_counter_ns


def measure(module: str, iterations: int, given: list[str]) -> None:
    pairs = (pair.split("=", 1) for pair in given)
    workload = importlib.import_module(f"{__package__}.{module}")
    run = workload.make(**{name: int(value) for name, value in pairs})

    nanoseconds = [0] * iterations  # nothing is printed before the last iteration
    check = 0
    for i in range(iterations):
        start = perf_counter_ns()
        result = run(i)
        nanoseconds[i] = perf_counter_ns() - start
        check = (check * 31 + result) % 1_000_003

    print(f"vmName={platform.python_implementation()}")
    print(f"vmVersion={_vm_version()}")
    print(f"jdkVersion={platform.python_version()}")
    print(f"check={check}\n")
    print("\n".join(map(str, nanoseconds)))


def _vm_version() -> str:
    """PyPy's own version; its Python's version is another one."""
    own = getattr(sys, "pypy_version_info", sys.version_info)
    return ".".join(map(str, own[:3]))


if __name__ == "__main__":
    measure(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
