"""plateau and plateau-online: kernels against their oracle, then the stages, 3,000 values.

`python -m bench.panel` prints one line each. Exit status 1: an answer takes 5 ms or more.
The oracle begins anew for every position: its ratio says how much the kernel shares, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

import numpy as np

from bench.timing import fastest, machine
from detectors.kernels.plateau import features, normalised, strengths
from detectors.kernels.steps import LONG, LONG_FROM, MIDDLE, MIDDLE_FROM, step_strengths
from detectors.methods.plateau import Plateau
from detectors.methods.plateau_online import PlateauOnline
from detectors.panel import GRID, SHIPPED, models_named
from detectors.prefixes import looked, looks
from detectors.sight import Sight
from detectors.synthetic import simulate
from tests.detectors.kernels import plateau_oracle as oracle
from tests.detectors.kernels.test_steps import plain_strengths

BUDGET = 5.0  # milliseconds for an answer


def main() -> int:
    print(f"Machine: {machine()}\n")
    values = simulate("step").values
    y = normalised(values)
    against("features", partial(features, y, GRID), partial(oracle.features, values, GRID))
    against("strengths", partial(strengths, y), partial(oracle.strengths, values))
    logs = np.log(y)
    for half, least in ((MIDDLE, MIDDLE_FROM), (LONG, LONG_FROM)):
        kernel = partial(step_strengths, logs, half, least)
        against(f"steps over {half}", kernel, partial(plain_strengths, logs, half, least))
    model, seen = models_named(SHIPPED).whole, Sight.of(values)
    print(f"all that is seen: {fastest(partial(Sight.of, values)):.3f} ms")
    for name, forest, rows in (
        ("distribution", model.starts, seen.rows),
        ("nearness", model.near, seen.steps),
    ):
        took = fastest(partial(forest.sums, rows))
        print(f"{name}, {forest.nodes} nodes: {took:.3f} ms")
    whole = fastest(partial(Plateau().answer, values))
    print(f"an answer: {whole:.3f} ms; under {BUDGET:.0f} ms: {'yes' if whole < BUDGET else 'NO'}")
    look = fastest(partial(looked, values, model))
    count = len(list(looks(values.size)))
    online = fastest(partial(PlateauOnline(chance=1.0).answer, values))  # decides at none
    print(f"online: the longest look {look:.3f} ms; all {count} of them {online:.3f} ms")
    return int(whole >= BUDGET)


def against(name: str, kernel: Callable[[], object], plain: Callable[[], object]) -> None:
    """Kernel and oracle in milliseconds; ends the program where they disagree."""
    if not np.allclose(kernel(), plain(), rtol=1e-6, atol=1e-6):  # type: ignore[arg-type]
        sys.exit(f"{name}: kernel and oracle disagree")
    ours, theirs = fastest(kernel), fastest(plain, rounds=3)
    print(f"{name}: kernel {ours:.3f} ms, oracle {theirs:.1f} ms, ratio {theirs / ours:.0f}")


if __name__ == "__main__":
    sys.exit(main())
