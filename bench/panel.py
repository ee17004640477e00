"""plateau: its kernels against their oracle, then its stages, 3,000 values.

`python -m bench.panel` prints Markdown tables. Exit status 1: an answer takes 5 ms or more.
The oracle begins anew for every position: its ratio says how much the kernel shares, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

import numpy as np

from bench.timing import fastest, machine
from detectors.kernels.plateau import features, normalised, strengths
from detectors.methods.plateau import Plateau
from detectors.panel import GRID, SHIPPED, model_named
from detectors.synthetic import simulate
from tests.detectors.kernels import plateau_oracle as oracle

BUDGET = 5.0  # milliseconds for an answer


def main() -> int:
    print(f"Machine: {machine()}\n")
    values = simulate("step").values
    y = normalised(values)
    against("features", partial(features, y, GRID), partial(oracle.features, values, GRID))
    against("strengths", partial(strengths, y), partial(oracle.strengths, values))
    rows, starts = features(y, GRID), model_named(SHIPPED).starts
    print(f"forests, {starts.nodes} nodes: {fastest(partial(starts.sums, rows)):.3f} ms")
    whole = fastest(partial(Plateau().answer, values))
    print(f"an answer: {whole:.3f} ms; under {BUDGET:.0f} ms: {'yes' if whole < BUDGET else 'NO'}")
    return int(whole >= BUDGET)


def against(name: str, kernel: Callable[[], object], plain: Callable[[], object]) -> None:
    """Kernel and oracle in milliseconds; ends the program where they disagree."""
    if not np.allclose(kernel(), plain(), rtol=1e-6, atol=1e-6):  # type: ignore[arg-type]
        sys.exit(f"{name}: kernel and oracle disagree")
    ours, theirs = fastest(kernel), fastest(plain, rounds=3)
    print(f"{name}: kernel {ours:.3f} ms, oracle {theirs:.1f} ms, ratio {theirs / ours:.0f}")


if __name__ == "__main__":
    sys.exit(main())
