"""Recorded noise: how far each of the last calls of a fork lies from the median around it.

Only operations that every processor rounds alike: medians, quotients, products. So a seed is a
series everywhere; docs/design/values.md says what is at stake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from demo import layout
from demo.catalogue import CATALOGUE, Workload
from detectors.contract import Values
from detectors.shapes import MAD_TO_DEVIATION

KEPT: Final = 1000  # last calls of a fork: after every compiler, and after every late class
AROUND: Final = 101  # calls whose median is the level: slow changes of a recording are no noise
BLOCK: Final = 50  # calls in a row: what neighbours have in common stays, such as collections


@dataclass(frozen=True, slots=True, eq=False)
class RecordedNoise:
    """The noise of one fork.

    workload: its name, such as ``java-word-count``. system: the title of its runtime. level:
    nanoseconds, median of the last calls. ratios: (KEPT,) each of them divided by the median
    around it. spread: robust standard deviation of the ratios; one nanosecond at least.
    """

    workload: str
    system: str
    fork: int
    level: float
    ratios: Values
    spread: float

    def resampled(self, random: np.random.Generator, n: int) -> Values:
        """n ratios, in blocks of `BLOCK` drawn with replacement (Künsch 1989, moving blocks)."""
        firsts = random.integers(0, self.ratios.size - BLOCK + 1, -(-n // BLOCK))
        places = firsts[:, None] + np.arange(BLOCK)
        found: Values = self.ratios[places.ravel()[:n]]
        return found


def recorded_noise() -> Mapping[str, Sequence[RecordedNoise]]:
    """Every fork of every recorded workload, by the workload's name."""
    return {each.name: list(_forks(each)) for each in CATALOGUE}


def _forks(workload: Workload) -> Iterator[RecordedNoise]:
    forks = layout.read(workload.path)["primaryMetric"]["rawData"]
    for number, nanoseconds in enumerate(forks):
        yield noise_of_fork(workload.name, workload.runtime_title, number, nanoseconds)


def noise_of_fork(
    workload: str, system: str, fork: int, nanoseconds: Sequence[int]
) -> RecordedNoise:
    """The noise of a fork's last calls; ValueError where it has too few."""
    needed = KEPT + AROUND - 1
    if len(nanoseconds) < needed:
        raise ValueError(
            f"{workload}, fork {fork}: found {len(nanoseconds)} calls, expected {needed}"
        )
    last = np.array(nanoseconds[-needed:], dtype=np.float64)
    beside = AROUND // 2
    ratios = last[beside:-beside] / np.median(sliding_window_view(last, AROUND), axis=1)
    level = float(np.median(last))
    spread = MAD_TO_DEVIATION * float(np.median(np.abs(ratios - 1)))
    return RecordedNoise(workload, system, fork, level, ratios, max(spread, 1 / level))
