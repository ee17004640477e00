"""What is seen of a series that is still running: looks at its beginning, ever longer ones.

A look reads the values so far as if they were the whole series. A forest says how likely the
steady state begins at or before each position of it; at the last position, how likely it has
begun at all; another, how likely a panel that sees the whole calls the series steady. No look
depends on a value that came later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.contract import Values
from detectors.kernels.plateau import (
    features,
    normalised,
    places,
    quantile_of,
    risen,
    strengths,
)
from detectors.panel import GRID, PanelModel, steady_chance

FIRST: Final = 100  # values: as few as the features can be read from
GROWTH: Final = 4  # a look follows when the series is longer by a quarter


@dataclass(frozen=True, slots=True, eq=False)
class PrefixEstimate:
    """One look at the first n values.

    chance: that the steady state has begun. steady: that the panel calls the series steady, once
    it sees all of it. median: where the steady state has begun, if it has. strength: of a step at
    each iteration.
    """

    n: int
    chance: float
    steady: float
    median: float
    strength: Values


def prefix_lengths(upto: int) -> Iterator[int]:
    """After how many values is looked, in a series of `upto`."""
    n = FIRST
    while n <= upto:
        yield n
        n = next_prefix_length(n)


def prefix_lengths_at_end(size: int) -> list[int]:
    """After how many values is looked at a series that ends after `size`: at its end, too."""
    regular = list(prefix_lengths(size))
    return regular if regular[-1:] == [size] else [*regular, size]


def next_prefix_length(n: int) -> int:
    """The look that follows the one after n values."""
    return n + n // GROWTH


def prefix_rows(y: Values) -> Values:
    """(64, 80): features of `y`, `normalised`, and its length and positions in iterations.

    A position is a share of what is there; how soon people call a benchmark steady is a number
    of iterations.
    """
    at = places(GRID, y.size)
    own = np.log(np.full(at.size, float(y.size)))
    return np.column_stack([features(y, GRID), own, np.log(at)])


def prefix_estimate(values: Values, model: PanelModel) -> PrefixEstimate:
    """The look at `values`, at least 100."""
    y = normalised(values)
    rows = prefix_rows(y)
    cdf = np.clip(risen(model.online.sums(rows)), 0.0, 1.0)
    chance = float(cdf[-1])
    median = quantile_of(cdf, GRID, chance / 2) if chance > 0 else 0.0
    steady = steady_chance(model.online_steady, rows)
    return PrefixEstimate(y.size, chance, steady, median * y.size / 3000, strengths(y))
