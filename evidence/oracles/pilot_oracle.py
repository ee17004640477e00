"""EDM with percent penalty and Pilot's subsessions, as their definitions say: slices and loops."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values


def changepoints(z: Values, least: int, percent: float, degree: int) -> list[int]:
    """Prefix by prefix, every median taken afresh."""
    n = z.size
    gain, previous, count = [0.0] * (n + 1), [0] * (n + 1), [0] * (n + 1)
    for s in range(2 * least, n + 1):
        for t in range(least, s - least + 1):
            p = previous[t]
            d = float(np.median(z[p:t]) - np.median(z[t:s]))
            v = gain[t] + ((t - p) * (s - t) / (s - p) ** 2) * d**2
            if v > gain[s]:
                gain[s], previous[s], count[s] = v, t, count[t] + 1
        q = previous[s]
        factor = {0: 0, 1: 1, 2: 2 * count[q] + 1}[degree]
        if q and gain[s] - gain[q] < percent * factor * gain[q]:
            gain[s], previous[s], count[s] = gain[q], previous[q], count[q]
    backwards, last = [], previous[n]
    while last:
        backwards.append(last)
        last = previous[last]
    return backwards[::-1]


def subsessions(x: Values, q: int, *, harmonic: bool = False) -> tuple[float, float]:
    """Variance and lag-1 autocorrelation of the means of subsessions of q values."""
    h = x.size // q
    parts = x[: h * q].reshape(h, q)
    if h < 2:
        return 0.0, 1.0
    if harmonic:
        mean, means = 1 / np.mean(1 / x), 1 / np.mean(1 / parts, axis=1)
    else:
        mean, means = np.mean(x), parts.mean(axis=1)
    u = means - mean
    variance, covariance = np.sum(u**2) / (h - 1), np.mean(u[1:] * u[:-1])
    return float(variance), float(covariance / variance) if variance > 0 else 1.0
