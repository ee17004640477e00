"""Number of runs in a cloud that are enough: PT4Cloud's rule (He et al. 2019, ESEC/FSE).

Runs come an interval at a time. They are enough when the distribution of all results is like the
one before the last interval. The publication measures for a week an interval; the numbers here are
those of the program that later work compares itself with (`ICSE2025/SCOPE`: state-of-the-arts.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.arrays.safe_range import scaled_to_range
from detectors.contract import Values, as_series

INTERVAL: Final = 5  # runs between two comparisons
SIMILAR: Final = 0.9  # from here on, two distributions count as the same
FEWEST: Final = 2  # results that have a density
POINTS: Final = 1000  # at which densities are compared


@dataclass(frozen=True, slots=True)
class RunStop:
    """Number of runs made; whether they are enough, or came to an end before.

    similarities: by number of runs, of the comparisons that were made.
    """

    runs: int
    holds: bool
    similarities: tuple[tuple[int, float], ...]


def enough_runs(
    results: Sequence[float], interval: int = INTERVAL, least_similarity: float = SIMILAR
) -> RunStop:
    """Compare after every `interval` of runs, one result each in their order, until alike."""
    values = as_series(results)
    similarities: list[tuple[int, float]] = []
    for runs in range(2 * interval, values.size + 1, interval):
        similarity = distribution_similarity(values[: runs - interval], values[:runs])
        similarities.append((runs, similarity))
        if similarity >= least_similarity:
            return RunStop(runs, holds=True, similarities=tuple(similarities))
    return RunStop(values.size, holds=False, similarities=tuple(similarities))


def distribution_similarity(first: Values, second: Values) -> float:
    """2 to the power of minus Jeffreys' divergence, in bits, of two kernel densities: 0 to 1.

    0 where a density vanishes at a point at which they are compared.
    """
    if min(first.size, second.size) < FEWEST:
        return 0.0
    scaled_values, _ = scaled_to_range(np.concatenate([first, second]))
    low, high = float(scaled_values.min()), float(scaled_values.max())
    if low == high:
        return 1.0
    step = (high - low) / POINTS
    points = np.linspace(low, high, POINTS + 1)[1:]
    p, q = (gaussian_density(part, points) for part in np.split(scaled_values, [first.size]))
    if not (p > 0).all() or not (q > 0).all():
        return 0.0
    return float(2.0 ** -(step * ((p - q) * np.log2(p / q)).sum()))


def gaussian_density(values: Values, points: Values) -> Values:
    """Kernel density of `values` at `points`, by Scott's bandwidth; 0 of values without spread."""
    width = float(values.std(ddof=1)) * values.size**-0.2
    if width == 0:
        return np.zeros(points.size)
    exponents = ((points[:, None] - values) / width) ** 2 / 2
    density: Values = np.exp(-exponents).sum(axis=1) / (values.size * width * np.sqrt(2 * np.pi))
    return density
