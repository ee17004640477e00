"""Autoregressive models of all orders from autocorrelations, and the one of the least AIC."""

from __future__ import annotations

import math

import numpy as np

from detectors.contract import Values
from detectors.kernels.jit import kernel

FORETOLD = 1e-13  # variance left, as a share, from which on nothing is left but rounding


@kernel
def density_of_least_aic(r: Values, n: int) -> float:
    """Spectral density at frequency zero of n values of variance 1 with autocorrelations `r`.

    Levinson's recursion over the orders; n is at least ``r.size + 1``. Infinite for a unit root.
    """
    phi, coefficients_before = np.zeros(r.size), np.zeros(r.size)
    variance, total, least_criterion, density = 1.0, 0.0, 0.0, n / (n - 1.0)
    for order in range(1, r.size):
        unexplained_part, reflection = r[order], 0.0
        for k in range(order - 1):
            coefficients_before[k] = phi[k]
            unexplained_part -= coefficients_before[k] * r[order - 1 - k]
        if variance > FORETOLD:
            reflection = min(max(unexplained_part / variance, -1.0), 1.0)
        for k in range(order - 1):
            phi[k] = coefficients_before[k] - reflection * coefficients_before[order - 2 - k]
        phi[order - 1] = reflection
        total += reflection - reflection * total
        variance = max(variance * (1 - reflection * reflection), FORETOLD)
        criterion = n * math.log(variance) + 2 * order
        if criterion < least_criterion:
            least_criterion, squared_gain = criterion, (1 - total) ** 2
            density = (
                variance * n / (n - order - 1) / squared_gain if squared_gain > 0 else math.inf
            )
    return float(density)
