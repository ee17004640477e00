"""Kernels of the detectors: same answer as the oracle first, then time, then growth.

`python -m bench.kernels` prints Markdown tables. Times are the fastest of many rounds: all else
on the machine only adds. The series are simulated, with a fixed seed.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import partial

import numpy as np

from bench.timing import fastest, machine
from detectors.contract import Values
from detectors.kernels import kb_kssd as kernels
from detectors.kernels.kb_kssd import kb_kssd
from detectors.methods.kb_kssd import KbKssd
from detectors.synthetic import simulate, simulate_all
from tests.detectors.kernels import kb_kssd_oracle as oracle

PUBLISHED = (100, 2.0, 98.0, 1, 70, 15, 500, 4.0, 0.95, 1)
N = 3000  # values, as in the published data sets
LENGTHS = (300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)


def main() -> None:
    """Print every table; end with an error if a kernel and its oracle disagree."""
    print(f"Machine: {machine()}\n")
    against_the_oracle()
    by_stage()
    by_length()


def against_the_oracle() -> None:
    print(f"KB-KSSD, {N} values; oracle: plain NumPy\n")
    print("| series | kernel ms | oracle ms | ratio | × np.cumsum |")
    print("|---|---|---|---|---|")
    for series in simulate_all(n=N):
        kernel, plain = partial(answer, series.values), partial(oracle.kb_kssd, series.values)
        if kernel() != plain():
            sys.exit(f"{series.kind}: kernel {kernel()} and oracle {plain()} disagree")
        ours, theirs = fastest(kernel), fastest(plain, rounds=20)
        least = fastest(partial(np.cumsum, series.values))
        ratios = f"{theirs / ours:.0f} | {ours / least:.0f}"
        print(f"| {series.kind} | {ours:.3f} | {theirs:.2f} | {ratios} |")
    print()


def answer(values: Values) -> tuple[int, int]:
    return kb_kssd(values, *PUBLISHED)


def by_stage() -> None:
    values = simulate("step", n=N).values
    x = kernels.prepared(values, 100, 2.0, 98.0)
    step = kernels.find_step(x, 70, 15)
    stages: dict[str, Callable[[], object]] = {
        "outliers": partial(kernels.prepared, values, 100, 2.0, 98.0),
        "step": partial(kernels.find_step, x, 70, 15),
        "Kelly windows": partial(kernels.steady_from, x, step, 500, 4.0, 0.95, 1),
        "detector, with the door": partial(KbKssd().answer, values),
    }
    print(f"Stages, series `step`, {N} values\n")
    print("| stage | ms |")
    print("|---|---|")
    for name, work in stages.items():
        print(f"| {name} | {fastest(work):.3f} |")
    print()


def by_length() -> None:
    print("Growth, series `step`; the last column is flat when the cost is n log n\n")
    print("| n | ms | ns a value | ns a value ÷ log2 n |")
    print("|---|---|---|---|")
    for n in LENGTHS:
        taken = fastest(partial(answer, simulate("step", n=n).values))
        each = 1e6 * taken / n
        print(f"| {n:,} | {taken:.3f} | {each:.1f} | {each / math.log2(n):.2f} |")
    print()


if __name__ == "__main__":
    main()
