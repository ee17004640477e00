"""Noises by formula that are as uneven as recorded ones: bursts, sticky levels, far values.

Each draw has properties of its own. Training uses them beside `NOISES`; no plain series that judges
a method has one of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from detectors.contract import Values
from detectors.simulated.plain_series import Noise, autoregressive


def _log_uniform(random: np.random.Generator, low: float, high: float) -> float:
    return math.exp(random.uniform(math.log(low), math.log(high)))


def _bursts(random: np.random.Generator, n: int) -> Values:
    """Normal, with runs of 2 to 12 values far above."""
    length, height = int(random.integers(2, 13)), _log_uniform(random, 3, 60)
    begins = random.random(n) < random.uniform(0.01, 0.08) / length
    in_burst = np.convolve(begins, np.ones(length))[:n] > 0
    heights = height * random.uniform(0.5, 1.5, n)
    return random.standard_normal(n) + np.where(in_burst, heights, 0.0)


def _sticky_levels(random: np.random.Generator, n: int) -> Values:
    """Two or three levels, each kept for 2 to 25 values on average."""
    levels = random.uniform(0, random.uniform(2, 8), int(random.integers(2, 4)))
    visits = np.cumsum(random.random(n) < 1 / random.uniform(2, 25))
    visited_levels = random.integers(0, levels.size, int(visits[-1]) + 1)
    scatter = random.uniform(0.3, 1) * random.standard_normal(n)
    values: Values = levels[visited_levels[visits]] + scatter
    return values


def _outlying_values(random: np.random.Generator, n: int) -> Values:
    """Normal, with 3 to 30 % of the values far above: every so many, or by chance."""
    share, height = random.uniform(0.03, 0.3), _log_uniform(random, 3, 40)
    period = max(2, round(1 / share))
    is_regular = random.random() < 0.5
    regular = (np.arange(n) + random.integers(period)) % period == 0
    is_far = regular if is_regular else random.random(n) < share
    heights = height * (1 + 0.2 * random.standard_normal(n))
    return random.uniform(0.2, 1) * random.standard_normal(n) + np.where(is_far, heights, 0.0)


def _volatile(random: np.random.Generator, n: int) -> Values:
    """Skewed, with a spread that rises and falls over 3 to 60 values."""
    memory = 1 - 1 / random.uniform(3, max(4, min(60, n / 30)))
    spreads = np.exp(random.uniform(0.3, 0.9) * autoregressive(random, n, memory))
    sizes = np.abs(random.standard_t(4, n)) ** random.uniform(0.8, 1.5)
    is_below = random.random(n) < random.uniform(0.05, 0.5)
    return spreads * np.where(is_below, -sizes, sizes)


UNEVEN_NOISES: Final[Mapping[str, Noise]] = MappingProxyType(
    {
        "bursts": _bursts,
        "sticky-levels": _sticky_levels,
        "far-values": _outlying_values,
        "volatile": _volatile,
    }
)
