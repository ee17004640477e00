"""Iterations of equal length, where those of the warm-up were recorded with another one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.contract import Values

ROUNDING: Final = 1e-9  # of an iteration


@dataclass(frozen=True, slots=True)
class EqualIterations:
    """Recorded iterations as such that all last as long as those behind the warm-up.

    warm_up  recorded warm-up iterations, the first of a fork
    share    how long each lasts, in lengths of the others
    """

    warm_up: int = 0
    share: float = 1.0

    @property
    def count(self) -> int:
        """Equal iterations in place of the warm-up; the first one may be a part."""
        return math.ceil(self.warm_up * self.share - ROUNDING)

    def values(self, values: Values) -> Values:
        """Means over equal iterations, float64."""
        if self.share == 1.0 or not self.warm_up:
            return values
        ends = self.share * np.arange(self.warm_up + 1)
        edges = np.maximum(ends[-1] - np.arange(self.count, -1, -1), 0.0)
        sums = np.concatenate(([0.0], np.cumsum(self.share * values[: self.warm_up])))
        means = np.diff(np.interp(edges, ends, sums)) / np.diff(edges)
        return np.concatenate((means, values[self.warm_up :]))

    def index(self, recorded_count: int) -> int:
        """First equal iteration that begins no earlier than a recorded one; NEVER stays."""
        if recorded_count <= 0:  # both begin at once, also where the first equal one is a part
            return recorded_count
        if recorded_count >= self.warm_up:
            return recorded_count - self.warm_up + self.count
        left = (self.warm_up - recorded_count) * self.share
        return max(self.count - math.floor(left + ROUNDING), 0)
