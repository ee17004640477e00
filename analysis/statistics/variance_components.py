"""Variance components of nested levels: machine, fork, iteration. Pure.

Random effects by analysis of variance: from the innermost level outwards, the sum of squares of
each level is set equal to its expectation, whatever the sizes of groups (Searle, Casella and
McCulloch 1992, Variance Components, chapter 5). For equal sizes the components are T of Kalibera
and Jones 2013, Rigorous benchmarking in reasonable time. They are unbiased, so a component that is
near 0 is below 0 at times.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.statistics.answers import Floats
from detectors.intervals.steady_interval import BATCHES, long_run_variance

GroupIndices = NDArray[np.int64]
LEAST_FREEDOM = 1e-9


class SteadyMoments(NamedTuple):
    """Moments of the steady values of one fork.

    variance  unbiased; NaN of a single value
    long_run  variance that neighbours leave to a mean of many values, times their number
    """

    n: int
    mean: float
    variance: float
    long_run: float


def fork_moments(values: Floats) -> SteadyMoments:
    """Moments of `values`, float64 (n,), n >= 1; fewer than 20 count as independent."""
    n, mean = values.size, float(values.mean())
    if n < 2:
        return SteadyMoments(n, mean, np.nan, np.nan)
    with np.errstate(over="ignore"):  # inf where values have no square
        variance = float(values.var(ddof=1))
        long_run = long_run_variance(values) if n >= 2 * BATCHES else variance
    return SteadyMoments(n, mean, variance, long_run)


def variance_components(
    groups: Sequence[GroupIndices], means: Floats, errors: Floats
) -> list[float]:
    """Variance of each level of `groups`, the outermost first, and last that between the means.

    groups  of each level, the group of each mean, int64 (m,) from 0; groups lie within those of
            the level before
    means   float64 (m,), m >= 1
    errors  variance of each mean, float64 (m,), which no level is charged for

    NaN for a level whose groups are no more than those around them; its variation counts in the
    next level outwards.
    """
    levels = [np.zeros(means.size, np.int64), *groups, np.arange(means.size)]
    sizes = [np.bincount(level)[level] for level in levels]
    shifts = means - means.mean()
    squares = [
        float(((np.bincount(level, shifts) / np.bincount(level))[level] ** 2).sum())
        for level in levels
    ]
    error_sums = [float((errors / size).sum()) for size in sizes]
    components: list[float] = []
    for outer in reversed(range(len(levels) - 1)):
        inner = outer + 1
        # How often the variance of each level stands in the expectation of this sum of squares.
        weights = [
            float((np.minimum(size / sizes[inner], 1) - np.minimum(size / sizes[outer], 1)).sum())
            for size in sizes[inner:]
        ]
        excess = squares[inner] - squares[outer] - error_sums[inner] + error_sums[outer]
        excess -= float(np.dot(weights[1:], np.nan_to_num(components)))
        has_freedom = weights[0] > LEAST_FREEDOM
        components.insert(0, excess / weights[0] if has_freedom else np.nan)
    return components
