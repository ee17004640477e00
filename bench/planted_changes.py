"""Planted changes of simulated builds against the trend: `python -m bench.planted_changes`.

A planted change is found if the trend has a change of its sign with the same build. Whatever
else the trend has is invented.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from time import process_time

import numpy as np

from demo.builds import BUILDS, NOISE, SEED, TESTS, SimulatedTest, history
from detectors.trend import trend_of


def compared(test: SimulatedTest) -> Counter[str]:
    """How many changes were planted, found, missed and invented, by sign."""
    days = np.arange(float(test.results.size))
    trend = trend_of(test.results, days, higher_is_better=True)
    planted = {(each.at, each.kind) for each in test.planted}
    seen = {(jump.at, jump.kind) for jump in trend.jumps}
    sets = {
        "planted": planted,
        "found": planted & seen,
        "missed": planted - seen,
        "invented": seen - planted,
    }
    return Counter(f"{word} {kind}s" for word, some in sets.items() for _, kind in some)


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=TESTS)
    parser.add_argument("--builds", type=int, default=BUILDS)
    parser.add_argument("--noise", type=float, default=NOISE, help="as a share of the level")
    parser.add_argument("--seeds", type=int, default=1, help="histories, one a seed")
    asked = parser.parse_args()
    wrong = 0
    for seed in range(SEED, SEED + asked.seeds):
        tests = history(asked.tests, asked.builds, seed, asked.noise)
        began = process_time()
        found = sum(map(compared, tests), Counter[str]())
        wrong += sum(
            count for what, count in found.items() if what.startswith(("missed", "invented"))
        )
        figures = ", ".join(f"{count} {what}" for what, count in sorted(found.items()))
        print(f"seed {seed}: {len(tests)} tests x {asked.builds} builds: {figures}")
        print(f"  {process_time() - began:.2f} s of processor time")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
