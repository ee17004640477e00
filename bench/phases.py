"""Groups and phases: jumpavg beside its package, Pilot's changepoints beside plain Python.

`python -m bench.phases` prints Markdown tables; the same answer first, then time, then growth.
Exit status 1: an answer differs, or jumpavg misses its budget on 3,000 values.
"""

from __future__ import annotations

import sys
from bisect import insort
from collections.abc import Callable
from functools import partial
from itertools import accumulate

import jumpavg as package
import numpy as np

from bench.timing import fastest, machine
from detectors.contract import Values, door
from detectors.kernels.jumpavg import coding, grouped
from detectors.kernels.pilot import edm
from detectors.methods.ensemble import Ensemble
from detectors.methods.jumpavg import Jumpavg
from detectors.methods.pilot import Pilot
from detectors.registry import registry
from detectors.synthetic import simulate

KINDS = ("step", "spikes", "random-walk")
SHORT = 300  # values; the package takes a third of a second for them
LENGTHS = (300, 1_000, 3_000, 10_000)
BUDGET = 1_000.0  # milliseconds for jumpavg on 3,000 values
LEAST, PERCENT = 30, 0.25  # of EDM, as published


def main() -> int:
    """Print every table; the exit status."""
    print(f"Machine: {machine()}\n")
    missed = [jumpavg_beside_its_package(), edm_beside_plain_python(), growth()]
    ruptures()
    return int(any(missed))


def jumpavg_beside_its_package() -> bool:
    print(f"jumpavg, {SHORT} values one by one; peer: the package\n")
    print("| series | groups | same groups and bits | kernel ms | package ms | ratio |")
    print("|---|---|---|---|---|---|")
    differ = False
    for kind in KINDS:
        values = simulate(kind, n=SHORT).values
        kernel, peer = partial(groups, values), partial(package.classify, values.tolist())
        same = kernel() == groups_of(peer())
        differ |= not same
        ours, theirs = fastest(kernel), fastest(peer, rounds=3)
        counts = f"{len(kernel()[0])} | {'yes' if same else 'NO'}"
        print(f"| {kind} | {counts} | {ours:.2f} | {theirs:.0f} | {theirs / ours:.0f} |")
    print()
    return differ


def groups(values: Values) -> tuple[list[int], float]:
    """Starts and bits by our kernel, with the package's default resolution."""
    largest = float(values.max())
    starts, _, bits = grouped(values, largest / (2.0**13 - 1), largest, coding(values.size))
    return starts.tolist(), bits


def groups_of(found: package.BitCountingGroupList) -> tuple[list[int], float]:
    """The same of what the package returns."""
    sizes = [group.stats.size for group in found]
    return list(accumulate(sizes[:-1], initial=0)), found.bits


def edm_beside_plain_python() -> bool:
    print(f"EDM, {SHORT} values; oracle: sorted lists in Python, prefixes in NumPy\n")
    print("| series | changepoints | same | kernel ms | oracle ms | ratio |")
    print("|---|---|---|---|---|---|")
    differ = False
    for kind in KINDS:
        values = simulate(kind, n=SHORT).values
        kernel, plain = partial(edm, values, LEAST, PERCENT, 1), partial(changepoints, values)
        same = kernel().tolist() == plain()
        differ |= not same
        ours, theirs = fastest(kernel), fastest(plain, rounds=3)
        counts = f"{kernel().size} | {'yes' if same else 'NO'}"
        print(f"| {kind} | {counts} | {ours:.2f} | {theirs:.0f} | {theirs / ours:.0f} |")
    print()
    return differ


def changepoints(z: Values) -> list[int]:
    """EDM with the percent penalty of degree 1: every right median from a sorted list."""
    n = z.size
    right = right_medians(z)
    gain, previous, left = np.zeros(n + 1), np.zeros(n + 1, dtype=int), np.zeros(n + 1)
    left[LEAST : 2 * LEAST] = right[LEAST : 2 * LEAST, 0]
    for s in range(2 * LEAST, n + 1):
        t = np.arange(LEAST, s - LEAST + 1)
        p = previous[t]
        d = left[t] - right[s, t]
        v = gain[t] + ((t - p) * (s - t) / (s - p) ** 2) * d**2
        best = int(np.argmax(v))
        if v[best] > 0:
            gain[s], previous[s] = v[best], t[best]
        q = previous[s]
        if q and gain[s] - gain[q] < PERCENT * gain[q]:
            gain[s], previous[s] = gain[q], previous[q]
        left[s] = np.median(z[previous[s] : s])
    found, at = [], int(previous[n])
    while at:
        found.append(at)
        at = int(previous[at])
    return found[::-1]


def right_medians(z: Values) -> Values:
    """Medians of z[t:s], at [s, t]."""
    found = np.full((z.size + 1, z.size + 1), np.nan)
    for t in range(z.size - LEAST + 1):
        ordered: list[float] = []
        for s, value in enumerate(z[t:].tolist(), t + 1):
            insort(ordered, value)
            half, odd = divmod(s - t, 2)
            found[s, t] = ordered[half] if odd else (ordered[half - 1] + ordered[half]) / 2
    return found


def growth() -> bool:
    """Milliseconds by length; True if jumpavg misses its budget."""
    methods: dict[str, Callable[[Values], object]] = {
        "jumpavg, `block` 1": Jumpavg(block=1).answer,
        "jumpavg": Jumpavg().answer,
        "pilot": Pilot().answer,
        "ensemble": Ensemble().answer,
    }
    print("Growth, series `step`, milliseconds; nearly four times for twice n\n")
    print(f"| n | {' | '.join(methods)} |")
    print("|---" * (len(methods) + 1) + "|")
    missed = False
    for n in LENGTHS:
        values = door(simulate("step", n=n).values)
        taken = [fastest(partial(method, values), rounds=20) for method in methods.values()]
        missed |= n == 3_000 and taken[0] > BUDGET
        print(f"| {n:,} | {' | '.join(f'{each:.2f}' for each in taken)} |")
    print()
    return missed


def ruptures() -> None:
    slugs = [slug for slug in registry() if slug.startswith("ruptures-")]
    print("Searches of `ruptures`, 3,000 values, milliseconds; their speed is the package's\n")
    print(f"| series | {' | '.join(slugs)} |")
    print("|---" * (len(slugs) + 1) + "|")
    for kind in KINDS:
        values = door(simulate(kind, n=3_000).values)
        taken = [fastest(partial(registry()[slug]().answer, values), rounds=1) for slug in slugs]
        print(f"| {kind} | {' | '.join(f'{each:.0f}' for each in taken)} |")
    print()


if __name__ == "__main__":
    sys.exit(main())
