"""The trend of ten thousand recordings of a benchmark: `python -m bench.trend`.

First the same groups as the package `jumpavg` on what it can do in seconds, then the time. Ends
with an error if ten thousand take longer than two seconds.
"""

from __future__ import annotations

from itertools import accumulate

import jumpavg
import numpy as np

from analysis.statistics import trend_of
from analysis.statistics.answers import Floats
from bench.kernels import fastest, machine

LENGTHS = (100, 365, 1_000, 3_000, 10_000)
BUDGET = 2000.0  # milliseconds for the longest
CHECKED = 365  # the package takes half a second for 300 values, and four times that for 600


def main() -> None:
    """Print a Markdown table; end with an error if groups differ."""
    print(f"Machine: {machine()}\n")
    print("| recordings | groups | ms |")
    print("|---|---|---|")
    for n in LENGTHS:
        results, days = recordings(n), np.arange(float(n))
        found = trend_of(results, days, higher_is_better=False)
        if n <= CHECKED and [group.start for group in found.groups] != of_package(results):
            raise SystemExit(f"{n} recordings: our groups and those of the package differ")
        took = fastest(lambda: trend_of(results, days, higher_is_better=False), rounds=3)  # noqa: B023
        print(f"| {n} | {len(found.groups)} | {took:.1f} |")
    if took > BUDGET:
        raise SystemExit(f"{n} recordings: {took:.0f} ms, expected at most {BUDGET:.0f}")


def recordings(n: int) -> Floats:
    """Levels that change every fifty recordings or so, with noise of one percent."""
    rng = np.random.default_rng(n)
    changes = rng.random(n) < 0.02
    levels = 10 * np.exp(np.cumsum(np.where(changes, rng.normal(0, 0.05, n), 0)))
    return np.asarray(levels * rng.normal(1, 0.01, n))


def of_package(results: Floats) -> list[int]:
    sizes = [group.stats.size for group in jumpavg.classify(results.tolist())]
    return list(accumulate([0, *sizes[:-1]]))


if __name__ == "__main__":
    main()
