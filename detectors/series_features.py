"""A whole series as the forests of `plateau` see it: positions of a grid, and its steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.contract import Values
from detectors.kernels.plateau import features, normalised, places
from detectors.kernels.steps import Places, candidates
from detectors.panel import GRID

WITHIN: Final = 1e-6  # iterations: keeps a position from being rounded down to the one before


@dataclass(frozen=True, slots=True, eq=False)
class SeriesFeatures:
    """What is seen of n values.

    rows: (64, 78), a position of the grid each. at: (k,) iterations that an answer may be,
    rising. steps: (k, 90), the same features there and those of the step.
    """

    n: int
    rows: Values
    at: Places
    steps: Values

    @classmethod
    def of(cls, values: Values) -> SeriesFeatures:
        """Of at least 100 values."""
        n, y = values.size, normalised(values)
        grid = places(GRID, n)
        at, own = candidates(y, grid)
        positions = (at.astype(np.float64) + WITHIN) * (3000 / n)
        positions.setflags(write=False)  # as GRID is, or the kernel is compiled twice
        every = features(y, positions)
        rows = every[np.searchsorted(at, grid)]
        rows[:, 0], rows[:, 1] = GRID, np.log(GRID)  # two may be one place in a short series
        return cls(n, rows, at, np.column_stack([every, own]))

    def expected(self, cdf: Values) -> Values:
        """Mean distance of an answer with this distribution on the grid from each of `at`.

        In iterations of a series of 3,000. Between two positions the distribution rises with the
        logarithm; it is 0 at the first iteration and 1 behind the last.
        """
        at = self.at * (3000 / self.n)
        inner = np.interp(np.log(at), np.log(GRID), np.clip(cdf, 0, 1))
        x, share = np.r_[0.0, at, 3000.0], np.r_[0.0, inner, 1.0]
        width, height = np.diff(x), (share[1:] + share[:-1]) / 2
        before = np.cumsum(width * height)[:-1]  # the answer lies before, by so much
        behind = np.cumsum((width * (1 - height))[::-1])[::-1][1:]
        total: Values = before + behind
        return total

    def nearest(self, iteration: int) -> int:
        """The position of the grid next to an iteration."""
        return int(np.abs(places(GRID, self.n) - iteration).argmin())
