"""The stopping rules' statistics once more, as a textbook would compute them: lists and sums."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.stats import norm

from detectors.contract import Values

MASK = (1 << 64) - 1


def repeat_values(values: Values, weights: Values) -> Values:
    """Every value as often as it weighs."""
    return np.repeat(values, weights.astype(np.int64))


def inliers(values: Values, weights: Values, factor: float) -> Values:
    """The expanded values without outliers, sorted."""
    all_values = np.sort(repeat_values(values, weights))
    middle = np.percentile(all_values, 50, method="weibull")
    near_values = all_values[(all_values >= middle / factor) & (all_values <= middle * factor)]
    return near_values if near_values.size else all_values


def moments(values: Values, weights: Values, factor: float) -> tuple[float, float]:
    """Mean without outliers, and variance over squared mean."""
    near_values = inliers(values, weights, factor)
    return float(near_values.mean()), float(near_values.var() / near_values.mean() ** 2)


def variation(steps: list[Values], sample_size: int) -> float:
    """Variation of a population in which each step has an equal share, whatever its number of
    values.
    """
    weights = np.concatenate([np.full(step.size, 1 / step.size) for step in steps])
    values = np.concatenate(steps)
    mean = np.average(values, weights=weights)
    variance = np.average((values - mean) ** 2, weights=weights)
    n = sample_size * len(steps)
    return float(np.sqrt(variance * n / (n - 1)) / mean)


def folded_chances(count: int) -> Values:
    """P(floor(abs(Z) mod count) = j), from the distribution function of the normal number."""
    if count == 1:
        return np.ones(1)
    z = norm((count - 1) / 2, math.sqrt(count * (count + 1) / 12))
    edges = np.arange(12 * count + 1)
    cdf = z.cdf(edges) - z.cdf(-edges)
    return np.diff(cdf).reshape(12, count).sum(axis=0)


def random_words(key: int, first: int) -> Iterator[int]:
    """Random words of 64 bits from number `first` on (splitmix64)."""
    while True:
        z = (first * 0x9E3779B97F4A7C15 + key) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)
        first += 1


def halves_of_words(key: int, first: int) -> Iterator[int]:
    for word in random_words(key, first):
        yield word >> 32
        yield word & 0xFFFFFFFF


def simulated_means(groups: list[Values], key: int, block: int, count: int) -> Values:
    """Uniform choice of groups, then of values, one at a time."""
    first = block << 40
    group_draws = halves_of_words(key, first)
    value_draws = halves_of_words(key, first + count * len(groups))
    group_choices = [[next(group_draws) * len(groups) >> 32 for _ in groups] for _ in range(count)]
    means = []
    for simulation in group_choices:
        drawn_values = [
            group[next(value_draws) * group.size >> 32]
            for group in (groups[group_number] for group_number in simulation)
            for _ in group
        ]
        means.append(np.mean(drawn_values))
    return np.array(means)


def bandwidth(x: Values) -> float:
    z = np.sort(x)
    middle = z[3 * x.size // 4] - z[x.size // 4]
    return float(1.06 * min(np.std(x, ddof=1), middle / 1.34) * x.size**-0.2)


def density(x: Values, y: Values) -> Values:
    """Kernel density of the sample x at y."""
    h = bandwidth(x)
    if h == 0:
        return np.zeros(y.size)
    is_near = (x >= y[:, None] - 5 * h) & (x < y[:, None] + 5 * h)
    bells = np.exp(-(((y[:, None] - x) / h) ** 2) / 2) / math.sqrt(2 * math.pi)
    return np.where(is_near, bells, 0.0).sum(axis=1) / (x.size * h)


def likeness(a: Values, b: Values, grid: int, range_factor: float) -> float:
    bounds = []
    for x in (a, b):
        q1, q3 = np.percentile(x, [25, 75], method="weibull")
        margin = range_factor * (q3 - q1)
        bounds.append((max(0.0, q1 - margin), q3 + margin))
    low, high = min(bounds)[0], max(high for _, high in bounds)
    if low == high:
        return 1.0
    y, step = np.linspace(low, high, grid, retstep=True)
    f, g = density(a, y), density(b, y)
    both_positive = (f > 0) & (g > 0)
    if not both_positive.any():
        return 0.0
    f, g = f[both_positive], g[both_positive]
    forth_divergence, back_divergence = (
        np.sum(p * np.log(p / q)) * step for p, q in ((f, g), (g, f))
    )
    return float(2.0**-forth_divergence * 2.0**-back_divergence)
