"""Exact Bayes as its definition says it: matrices built afresh, likelihoods of whole pieces.

The oracle of `detectors.kernels.exact_bayes`, without the random draw: every place where the
present line may begin stays. It inverts matrices where the kernel keeps centred sums.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.stats import norm

from detectors.contract import Values


def posterior(y: Values, s: int, nu: float, gamma: float, sigma: float) -> tuple[Any, ...]:
    """(M, mu, H, K, D) of the line over ``y[s:]``, in absolute times."""
    times = np.column_stack([np.arange(s, y.size), np.ones(y.size - s)])
    piece = y[s:]
    m = np.linalg.inv(times.T @ times + np.eye(2) / sigma)
    n = times.T @ piece
    h = piece @ piece + gamma - n @ m @ n
    d = piece.size + nu
    return m, m @ n, h, h * m[0, 0] / d, d


def growth(y: Values, s: int, nu: float, gamma: float, sigma: float) -> float:
    """Factor of a piece's weight when the last value of y joins it."""
    t = y.size - 1
    m0, _, h0, _, _ = posterior(y[:-1], s, nu, gamma, sigma)
    m1, _, h1, _, _ = posterior(y, s, nu, gamma, sigma)
    z = t - s + nu
    return float(
        math.pi**-0.5
        * math.sqrt(np.linalg.det(m1) / np.linalg.det(m0))
        * (h0 / h1) ** ((z - 1) / 2)
        * h1**-0.5
        * math.sqrt((z + 1) / 2)
        * (1 - 1 / (4 * (z + 1)))
    )


def likelihood(y: Values, nu: float, gamma: float, sigma: float) -> float:
    """Marginal likelihood of the last value alone."""
    m, _, h, _, _ = posterior(y, y.size - 1, nu, gamma, sigma)
    logs = math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2)
    logs += nu / 2 * math.log(gamma) - (nu + 1) / 2 * math.log(h)
    return math.exp(logs) * math.sqrt(np.linalg.det(m) / sigma**2 / math.pi)


def level_probabilities(
    y: Values, s_0: float, p: float, nu: float, gamma: float, sigma: float
) -> tuple[list[float], list[float]]:
    """(P at every iteration, weights at the end, not normalised)."""
    weights, probabilities = [1.0], [0.0]
    for t in range(1, y.size):
        values_so_far, total = y[: t + 1], sum(weights)
        weights = [
            growth(values_so_far, s, nu, gamma, sigma) * (1 - p) * w / total
            for s, w in enumerate(weights)
        ]
        weights.append(likelihood(values_so_far, nu, gamma, sigma) * p)
        probabilities.append(
            sum(w * level(values_so_far, s, s_0, nu, gamma, sigma) for s, w in enumerate(weights))
            / sum(weights)
        )
    return probabilities, weights


def level(y: Values, s: int, s_0: float, nu: float, gamma: float, sigma: float) -> float:
    _, mu, _, k, d = posterior(y, s, nu, gamma, sigma)
    spread = k * np.sqrt(d / (d - 2))
    return float(norm.cdf((s_0 - mu[0]) / spread) - norm.cdf((-s_0 - mu[0]) / spread))
