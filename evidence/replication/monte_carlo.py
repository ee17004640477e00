"""Monte Carlo deviations: how far a figure lies from itself under other random numbers.

An interval ends at two order statistics of N simulated ratios. Simulated again, the k-th of N
lies where a share U of all ratios is below it, U ~ Beta(k, N + 1 - k); and how ratios are
distributed is known from those that were simulated. So the ends of another simulation cost two
draws instead of N. A published figure is one simulation, and so is ours: what is between them has
twice the variance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.statistics.answers import Bools, Floats

REPETITIONS: Final = 1000
MOST_Z: Final = 4.0
"""Of forty figures that differ by chance alone, one lies farther once in 400 comparisons."""


@dataclass(frozen=True, slots=True)
class MonteCarloSpread:
    """Standard deviation of a figure over `n` repetitions with other random numbers."""

    n: int
    sd: float

    def reach(self, z: float) -> float:
        """Distance of two runs from one another at `z` of their standard deviations."""
        return z * math.sqrt(2) * self.sd

    def z(self, own_figure: float, published_figure: float, rounding: float) -> float:
        """Standard deviations between two runs, beyond what rounding hides."""
        excess = max(abs(own_figure - published_figure) - rounding, 0.0)
        if not excess:
            return 0.0
        return excess / (math.sqrt(2) * self.sd) if self.sd else math.inf


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedInterval:
    """One interval, simulated again and again: whether 1 lies outside, and how far its middle is.

    bool (n,) and float64 (n,), a share
    """

    differs: Bools
    deviation: Floats


def monte_carlo_spread(figures: Floats) -> MonteCarloSpread | None:
    """Spread of the values of one figure, a repetition each; None where a repetition has none."""
    if figures.size < 2 or np.isnan(figures).any():
        return None
    return MonteCarloSpread(figures.size, float(figures.std(ddof=1)))


def repeat_interval(
    ratios: Floats, level: float, generator: np.random.Generator
) -> RepeatedInterval:
    """The interval of `ratios`, float64 (N,), in `REPETITIONS` other simulations."""
    sorted_ratios = np.sort(ratios)
    n, tail = sorted_ratios.size, (1 - level) / 2
    lower, upper = (1 + round(share * (n - 1)) for share in (tail, 1 - tail))
    upper_draws = generator.beta(upper, n + 1 - upper, REPETITIONS)
    lower_draws = upper_draws * generator.beta(lower, upper - lower, REPETITIONS)
    low, high = (
        sorted_ratios[np.minimum((order_share * n).astype(np.int64), n - 1)]
        for order_share in (lower_draws, upper_draws)
    )
    return RepeatedInterval((low > 1) | (high < 1), np.abs((low + high) / 2 - 1))
