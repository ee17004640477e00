"""Simulated nightly builds: what a trend shows when something happens, and when nothing does.

Computed, not measured, and called so wherever they are shown. Thirty nights of six benchmarks;
what happens to each is written down below, so nobody has to believe the trend. Every fork begins
with a warm-up, so that the result depends on where its steady part is said to begin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Final

import numpy as np

from detectors.simulated.synthetic import round_shares
from formats import Measurement
from formats.iterations import ONE_OPERATION_EACH
from formats.measurement import RecordingHint, Values

NIGHTS: Final = 30
FORKS: Final = 2
LENGTH: Final = 120  # iterations of a fork
FIRST: Final = datetime(2026, 1, 5, 2, 0, tzinfo=UTC)  # nights follow one another from here on
FORK_NOISE, NOISE = 0.002, 0.01  # standard deviations, as shares of the level
WARM_UP = 8.0  # iterations in which what is left of the warm-up falls to a third


@dataclass(frozen=True, slots=True)
class NightlyBenchmark:
    """One benchmark: its level when nothing happens, and by what it is multiplied each night."""

    level: float
    unit: str
    mode: str
    factor: Callable[[int], float]
    about: str


def _step(night: int, factor: float) -> Callable[[int], float]:
    return lambda iteration: factor if iteration >= night else 1.0


def _spell(first: int, stop: int, factor: float) -> Callable[[int], float]:
    return lambda iteration: factor if first <= iteration < stop else 1.0


STORIES: Final[Mapping[str, NightlyBenchmark]] = MappingProxyType(
    {
        "night.Parse": NightlyBenchmark(
            2e-3, "s/op", "avgt", _step(26, 1.06), "6 % slower from night 27 on, and still."
        ),
        "night.Serve": NightlyBenchmark(
            5e4, "ops/s", "thrpt", _step(25, 1.08), "8 % more from night 26 on: throughput."
        ),
        "night.Lookup": NightlyBenchmark(
            3e-4, "s/op", "avgt", _spell(12, 17, 1.05), "5 % slower for five nights, then back."
        ),
        "night.Sort": NightlyBenchmark(
            8e-3,
            "s/op",
            "avgt",
            lambda now: 1.0 + 0.02 * (now >= 8) + 0.02 * (now >= 16),
            "2 % slower from night 9 on, and 2 % more from night 17 on.",
        ),
        "night.Compress": NightlyBenchmark(
            4e-2, "s/op", "avgt", _step(15, 1.007), "0.7 % slower from night 16 on: too little."
        ),
        "night.Start": NightlyBenchmark(
            0.4, "s/op", "avgt", _step(NIGHTS, 1.0), "Nothing happens."
        ),
    }
)


def night_measurements() -> Iterator[Measurement]:
    """Every fork of every night; the same each time, to the bit, on every processor."""
    for night in range(NIGHTS):
        hint = RecordingHint(
            label=f"simulated night {night + 1:02d}",
            build=f"build {night + 1}",
            measured_at=(FIRST + timedelta(days=night)).isoformat(),
            machine="none: computed",
        )
        for name, story in STORIES.items():
            for fork in range(FORKS):
                yield Measurement(
                    benchmark=name,
                    values=_values(name, story, night, fork),
                    label=f"{name}|{fork}",
                    system="simulated",
                    fork=fork,
                    unit=story.unit,
                    mode=story.mode,
                    settings=ONE_OPERATION_EACH if story.unit == "s/op" else {},
                    recording=hint,
                )


def _values(name: str, story: NightlyBenchmark, night: int, fork: int) -> Values:
    random = np.random.default_rng([night, fork, *name.encode()])
    level = story.factor(night) * (1 + FORK_NOISE * random.standard_normal())
    warm_up_excess = np.exp(-np.arange(LENGTH) / WARM_UP)
    # A cold program takes longer, and so does less in a second.
    shape = 1 / (1 + warm_up_excess) if story.mode == "thrpt" else 1 + warm_up_excess
    shares = level * shape * (1 + NOISE * random.standard_normal(LENGTH))
    values = np.ascontiguousarray(story.level * round_shares(shares))
    values.flags.writeable = False
    return values
