"""The grid of positions on which a panel's answers are estimated, and curves over it."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values

Places = NDArray[np.int64]
NEARNESS_REACH: Final = 40.0  # iterations, in a series of 3,000, after which nearness is 1/e
MOST: Final = 1e100  # a normalised value beyond this is taken as this: squares stay finite
GRID: Final = np.fromstring(
    "1 2 3 5 7 10 13 16 20 25 30 36 43 50 60 70 80 90 100 115 130 145 160 180 200 220 240 260 280 "
    "300 320 340 360 380 400 425 450 475 500 530 560 590 620 660 700 750 800 860 920 1000 1080 "
    "1160 1260 1360 1480 1600 1750 1900 2050 2200 2350 2500 2650 2800",
    sep=" ",
)
"""Positions in a series of 3,000 values; in another they scale with its length."""
GRID.setflags(write=False)


def normalised(x: Values) -> Values:
    """The values in units of the median of the second half (of the largest, where that is 0)."""
    halves = np.sort(x[x.size // 2 :] / 2)  # the sum of two of the largest numbers is infinite
    median = halves[(halves.size - 1) // 2] + halves[halves.size // 2]
    unit = float(median) or float(np.abs(x).max())
    if not unit:
        return np.ones(x.size)
    with np.errstate(over="ignore"):
        return np.clip(x / unit, -MOST, MOST)


def grid_places(grid: Values, n: int) -> Places:
    """The positions of the grid in a series of n values."""
    return np.clip((grid * (n / 3000)).astype(np.int64), 1, n - 3)


def running_maximum(shares: Values) -> Values:
    """Running maximum: a distribution never falls."""
    raised_shares: Values = np.maximum.accumulate(shares)
    return raised_shares


def quantile_of(cdf: Values, grid: Values, q: float) -> float:
    """Position where `cdf`, which never falls, reaches q: between two positions along their
    logarithms.
    """
    k = int(np.searchsorted(cdf, q))
    if k == 0:
        return float(grid[0] / 2)
    if k == grid.size:
        return float(grid[-1])
    fraction = (q - cdf[k - 1]) / (cdf[k] - cdf[k - 1])
    low, high = np.log(grid[k - 1]), np.log(grid[k])
    return float(np.exp(low + fraction * (high - low)))
