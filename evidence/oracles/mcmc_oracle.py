"""geweke.diag and heidel.diag of R's coda, as they are written there, every order solved by itself.

cran/coda: R/geweke.R, R/heidel.R; stats::ar.yw of R. Places count from 1, windows hold both ends.
"""

from __future__ import annotations

import math

import numpy as np

from detectors.contract import Values
from evidence.oracles.rests_oracle import autocovariances


def window_between(x: Values, start: float, end: float) -> Values:
    """Values whose place lies between both."""
    return np.array([x[i - 1] for i in range(1, x.size + 1) if start - 1e-9 <= i <= end + 1e-9])


def spectrum0_ar(x: Values) -> float:
    """Spectral density at zero by the Yule-Walker model of the least AIC."""
    n = x.size
    time = np.arange(n)
    line = np.polyval(np.polyfit(time, x, 1), time)
    if np.abs(x - line).max() <= 1e-9 * (np.abs(x).max() or 1.0):
        return 0.0
    r = autocovariances(x)
    best_criterion, density = math.inf, math.nan
    for order in range(min(n - 2, math.floor(10 * math.log10(n))) + 1):
        lags = np.abs(np.subtract.outer(np.arange(order), np.arange(order)))
        phi = np.linalg.solve(r[lags], r[1 : order + 1]) if order else np.empty(0)
        variance = r[0] - phi @ r[1 : order + 1]
        aic = n * math.log(variance) + 2 * order
        if aic < best_criterion:
            best_criterion = aic
            density = variance * n / (n - order - 1) / (1 - phi.sum()) ** 2
    return float(density)


def geweke_z(x: Values, first: float = 0.1, last: float = 0.5) -> float:
    """Geweke's z of the whole series."""
    n = x.size
    begin = window_between(x, 1, math.ceil(1 + first * (n - 1)))
    end = window_between(x, math.floor(n - last * (n - 1)), n)
    squares = [spectrum0_ar(end_values) / end_values.size for end_values in (begin, end)]
    return float((begin.mean() - end.mean()) / math.sqrt(sum(squares)))


def geweke_figures(x: Values, starts: int = 20) -> list[tuple[int, float]]:
    """0-based starts of `geweke.plot`, and the size of z."""
    rests = [
        window_between(x, window_start, x.size)
        for window_start in np.linspace(1, (1 + x.size) / 2, starts)
    ]
    return [(x.size - rest.size, abs(geweke_z(rest))) for rest in rests]


def heidel_statistics(x: Values, steps: int = 10) -> list[tuple[int, float]]:
    """0-based starts, and the statistic of Cramér and von Mises of what follows."""
    n = x.size
    density = spectrum0_ar(window_between(x, n / 2, n))
    statistics = []
    window_start = 1.0
    while window_start <= n / 2:
        rest = window_between(x, window_start, n)
        bridge = np.cumsum(rest) - rest.mean() * np.arange(1, rest.size + 1)
        statistics.append(
            (n - rest.size, float((bridge**2 / (rest.size * density)).sum() / rest.size))
        )
        window_start = 1 + len(statistics) * n / steps
    return statistics
