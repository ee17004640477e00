"""Simulated builds: a history of packet rates in which every change is written down.

Computed, not measured. Of each test there is one value a build, in packets a second, with noise
of half a percent. What happens to it is one of: nothing, a regression, a progression, or a change
that a later build takes back. `planted` says which, so that a trend can be held against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

import numpy as np

Kind = Literal["regression", "progression"]
BUILDS: Final = 60
TESTS: Final = 200
NOISE: Final = 0.005  # standard deviation of a result, as a share of its level
LEAST: Final = 0.05  # of a planted change, as a share
MOST: Final = 0.25
QUIET: Final = 8  # builds at least before, between and after changes
FIRST: Final = datetime(2026, 1, 5, 2, 0, tzinfo=UTC)
COLUMNS: Final = ("build", "measured_at", "benchmark", "unit", "value")
SEED: Final = 20260105


@dataclass(frozen=True, slots=True)
class PlantedChange:
    """The build with which the level changes, from 0, and by which share: -0.1 is 10 % less."""

    at: int
    share: float

    @property
    def kind(self) -> Kind:
        return "progression" if self.share > 0 else "regression"


@dataclass(frozen=True, slots=True)
class SimulatedTest:
    """One test: its name, its results in pps (builds,), and what was planted."""

    name: str
    results: np.ndarray
    planted: tuple[PlantedChange, ...]


def history(
    tests: int = TESTS, builds: int = BUILDS, seed: int = SEED, noise: float = NOISE
) -> list[SimulatedTest]:
    """The tests; the same for the same seed."""
    return [
        _test(number, builds, noise, np.random.default_rng([seed, number]))
        for number in range(tests)
    ]


def _test(number: int, builds: int, noise: float, random: np.random.Generator) -> SimulatedTest:
    """Every fourth test has no change, one a regression, one a progression, one a reversal."""
    level = random.uniform(2e6, 3e7)
    first = int(random.integers(QUIET, builds - 2 * QUIET))
    share = random.uniform(LEAST, MOST)
    planted_changes = {
        0: (),
        1: (PlantedChange(first, -share),),
        2: (PlantedChange(first, share),),
        3: _reversal(first, share if number % 8 == 3 else -share, builds, random),
    }[number % 4]
    levels = np.full(builds, level)
    for change in planted_changes:
        levels[change.at :] *= 1 + change.share
    results = levels * (1 + noise * random.standard_normal(builds))
    return SimulatedTest(f"test{number:03d}-ip4base-mrr", np.round(results, 1), planted_changes)


def _reversal(
    first: int, share: float, builds: int, random: np.random.Generator
) -> tuple[PlantedChange, ...]:
    reversal_build = int(random.integers(first + QUIET, builds - QUIET + 1))
    return PlantedChange(first, share), PlantedChange(reversal_build, 1 / (1 + share) - 1)


def as_csv(tests: list[SimulatedTest]) -> str:
    """The file that an import reads into a recording a build."""
    return "".join(f"{','.join(row)}\n" for row in (COLUMNS, *build_rows(tests)))


def build_rows(tests: list[SimulatedTest]) -> Iterator[tuple[str, str, str, str, str]]:
    """A row a value, as `formats` reads them: COLUMNS."""
    for build in range(len(tests[0].results)):
        recorded_day = (FIRST + timedelta(days=build)).isoformat()
        for test in tests:
            yield f"b{build:03d}", recorded_day, test.name, "pps", repr(float(test.results[build]))


if __name__ == "__main__":
    import sys

    sys.stdout.write(as_csv(history()))
