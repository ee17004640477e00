"""Recorded noise around plain shapes: the last calls of forks, slow changes left in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from demo import layout
from demo.catalogue import CATALOGUE
from detectors.contract import Values
from detectors.shapes.series_shape import MAD_TO_DEVIATION

RECORDED: Final = "recorded"
KEPT: Final = 1000  # last calls of a fork
LONGEST: Final = 500  # calls in a row, where a series is longer than the recording
BLOCK: Final = 100  # calls whose median and mean tell whether a recording is steady itself
MOST_APART: Final = 1.5  # spreads from the lowest to the highest of these medians
MOST_INFLATED: Final = 10.0  # variance of these means, in that of independent calls


@dataclass(frozen=True, slots=True, eq=False)
class RecordedTail:
    """The last calls of one fork, in spreads off their median."""

    workload: str
    fork: int
    spreads: Values

    @property
    def is_steady(self) -> bool:
        """True where its level stays: what moves by itself is no noise around a plain shape."""
        blocks = self.spreads.reshape(-1, BLOCK)
        inflation = BLOCK * blocks.mean(axis=1).var(ddof=1) / self.spreads.var()
        return bool(np.ptp(np.median(blocks, axis=1)) <= MOST_APART and inflation <= MOST_INFLATED)

    def drawn(self, random: np.random.Generator, n: int) -> Values:
        """n calls in a row; of more than there are, stretches of `LONGEST`."""
        length = n if n <= KEPT else LONGEST
        count = -(-n // length)
        first = random.integers(0, KEPT - length + 1, count)
        calls: Values = self.spreads[(first[:, None] + np.arange(length)).ravel()[:n]]
        return calls


@lru_cache(maxsize=1)
def recorded_tails() -> Sequence[RecordedTail]:
    """Every recorded fork whose end is steady."""
    tails = []
    for workload in CATALOGUE:
        forks = layout.read_recording(workload.path)["primaryMetric"]["rawData"]
        for number, nanoseconds in enumerate(forks):
            last = np.array(nanoseconds[-KEPT:], dtype=np.float64)
            deviations = last - np.median(last)
            spread = max(MAD_TO_DEVIATION * float(np.median(np.abs(deviations))), 1.0)
            tails.append(RecordedTail(workload.name, number, deviations / spread))
    return tuple(tail for tail in tails if tail.is_steady)


def tail_noise(random: np.random.Generator, n: int) -> Values:
    """Noise of a fork that is drawn."""
    tails = recorded_tails()
    return tails[int(random.integers(len(tails)))].drawn(random, n)
