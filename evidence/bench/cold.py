"""The first answer of every method after an installation.

    python -m evidence.bench.cold [METHOD ...]

CPU seconds of a process with its imports, for one simulated series of 3,000 values: `pp.detect`
and `plateau detect`, each with an empty folder of compiled kernels.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from detectors.simulated.synthetic import simulate
from evidence.bench.methods import KINDS, measurable
from evidence.bench.timing import child_seconds, machine
from formats.markdown import head, row

BUDGET: Final = 6.0
PYTHON: Final = (
    "import sys, numpy, plateau_perf as pp; pp.detect(numpy.load(sys.argv[2]), sys.argv[1])"
)


def cpu_seconds(command: Sequence[str]) -> float:
    """CPU seconds of a process whose folder of kernels is empty."""
    with TemporaryDirectory() as folder:
        cold_settings = {
            "NUMBA_CACHE_DIR": folder,
            "OMP_NUM_THREADS": "1",
        }  # threads that wait spin
        return child_seconds(command, cold_settings)


def main(slugs: Sequence[str]) -> int:
    """A row for each method that answers without more than values; 1 if one takes too long."""
    print(f"Machine: {machine()}\n")
    print(head("method", "series", "`pp.detect`", "`plateau detect`"))
    most_seconds = 0.0
    with TemporaryDirectory() as folder:
        for slug in slugs or measurable():
            for kind in KINDS:
                path = Path(folder, f"{kind}.npy")
                np.save(path, simulate(kind, n=3000).values)
                python = cpu_seconds(["-c", PYTHON, slug, str(path)])
                command = cpu_seconds(["-m", "detectors", "detect", str(path), "--method", slug])
                print(row(f"`{slug}`", kind, f"{python:.1f}", f"{command:.1f}"), flush=True)
                most_seconds = max(most_seconds, python, command)
    print(f"\nMost: {most_seconds:.1f} s of CPU; at most {BUDGET:g} are allowed.")
    return int(most_seconds > BUDGET)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
