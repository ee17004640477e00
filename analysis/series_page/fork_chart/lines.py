"""The line of one fork: its values as they are, or medians of equal stretches. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.arrays.robust_range import Limits
from detectors.contract import Values

POINTS: Final = 30_000  # points of all forks together
PAD: Final = 0.95  # share of the least value at which a logarithmic axis begins
FEWEST, MOST = 400, 4_000  # fewest and most points of one fork


@dataclass(frozen=True, slots=True, eq=False)
class ForkLine:
    """`y` at first, first + stretch, …: float64. Of more values than points they are medians."""

    first: float
    stretch: int
    y: Values

    def height_at(self, iteration: float) -> float | None:
        """The height of the line over an iteration; None beside it."""
        point_index = round((iteration - self.first) / self.stretch)
        return float(self.y[point_index]) if 0 <= point_index < self.y.size else None


def log_limits(lines: Sequence[ForkLine], limits: Limits) -> Limits | None:
    """The part of `limits` that a logarithmic axis shows; None where a line is not above zero."""
    smallest_value = min((float(line.y.min()) for line in lines if line.y.size), default=0.0)
    low, high = max(limits[0], PAD * smallest_value), limits[1]
    return (low, high) if smallest_value > 0 and low < high else None


def points_per_fork(fork_count: int) -> int:
    """Points of each fork's line, so that thirty forks are drawn as quickly as ten."""
    return max(FEWEST, min(MOST, POINTS // max(fork_count, 1)))


def fork_line(values: Values, begin: int, end: int, points: int) -> ForkLine:
    """The line of [begin, end) in at most `points` points, each a median of `stretch` values.

    Of the last stretch there may be fewer.
    """
    window = values[begin:end]
    stretch = max(1, -(-window.size // points))
    full_length = window.size // stretch * stretch
    stretches = window[:full_length].reshape(-1, stretch)
    last_median = [float(np.median(window[full_length:]))] if full_length < window.size else []
    y = np.append(np.median(stretches, axis=1) if stretches.size else np.empty(0), last_median)
    return ForkLine(begin + (stretch - 1) / 2, stretch, y)
