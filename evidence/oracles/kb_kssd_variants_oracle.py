"""Residuals of autoregressive models by Yule and Walker."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_toeplitz

from detectors.contract import Values


def best_model(z: Values, most_orders: int) -> tuple[Values, float]:
    """The oracle: Yule and Walker's equations solved for every order; (best, margin of BIC)."""
    d = z - z.mean()
    r = np.array([d[lag:] @ d[: d.size - lag] for lag in range(most_orders + 1)]) / z.size
    models, criteria = [np.empty(0)], [z.size * np.log(r[0])]
    for order in range(1, most_orders + 1):
        a = solve_toeplitz(r[:order], r[1 : order + 1])
        models.append(a)
        variance = r[0] - a @ r[1 : order + 1]
        criteria.append(z.size * np.log(variance) + order * np.log(z.size))
    ranked_orders = np.argsort(criteria)
    margin = criteria[ranked_orders[1]] - criteria[ranked_orders[0]] if most_orders else np.inf
    return models[ranked_orders[0]], float(margin)


def residuals_by_definition(z: Values, most_orders: int) -> Values:
    a, _ = best_model(z, most_orders)
    d, order = z - z.mean(), a.size
    explained_part = sum(a[j] * d[order - 1 - j : d.size - 1 - j] for j in range(order))
    return np.asarray(z.mean() + d[order:] - explained_part)
