"""Values of a rest that are worth one independent value: every rest anew, lag by lag."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values


def autocovariances(values: Values) -> Values:
    """Autocovariances of every lag, with the number of values as divisor."""
    deviations = values - values.mean()
    full_correlation = np.correlate(deviations, deviations, "full")
    return np.asarray(full_correlation[values.size - 1 :] / values.size)


def lag_sum(
    values: Values,
    *,
    stop: int,
    least_products: int = 1,
    spread: bool = False,
    is_tapered: bool = False,
) -> float:
    """Sum up to the first autocorrelation of 0 or less at a lag of `stop` or more."""
    r = autocovariances(values)
    r = r / r[0]
    total, lag, step = 1.0, 1, 1
    while values.size - lag >= least_products and not (r[lag] <= 0 and lag >= stop):
        total += 2 * step * r[lag] * (1 - lag / values.size if is_tapered else 1)
        step = step + 1 if spread else 1
        lag += step - 1 if spread else 1
    return max(total, 1.0)


def convex_inefficiency(values: Values, least_pairs: int = 4) -> float:
    """Geyer 1992: the greatest convex sequence below the falling, positive pairs of lags."""
    gamma = autocovariances(values)
    pairs = gamma[: gamma.size // 2 * 2].reshape(-1, 2).sum(axis=1)
    negative_pairs = [m for m in range(least_pairs, pairs.size) if pairs[m] < 0]
    falling_pairs = np.minimum.accumulate(
        pairs[: negative_pairs[0] if negative_pairs else pairs.size]
    )
    pair_indices = np.arange(falling_pairs.size)
    convex_pairs = [
        min(
            falling_pairs[i] + (falling_pairs[j] - falling_pairs[i]) * (m - i) / max(j - i, 1)
            for i in pair_indices[: m + 1]
            for j in pair_indices[m:]
        )
        for m in pair_indices
    ]
    return max(float(2 * np.sum(convex_pairs) / gamma[0] - 1), 1.0)


def root_n(values: Values) -> float:
    """Bartlett's window of the rounded root of the number of values."""
    gamma, width = autocovariances(values), round(values.size**0.5)
    weights = 1 - np.arange(1, width) / width
    return max(float(1 + 2 * (weights * gamma[1:width]).sum() / gamma[0]), 1.0)
