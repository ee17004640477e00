"""EDM with percent penalty and Pilot's subsessions, as their definitions say: slices and loops."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values


def changepoints(z: Values, least_length: int, percent: float, degree: int) -> list[int]:
    """Prefix by prefix, every median taken afresh."""
    n = z.size
    gain, previous_changes, count = [0.0] * (n + 1), [0] * (n + 1), [0] * (n + 1)
    for s in range(2 * least_length, n + 1):
        for t in range(least_length, s - least_length + 1):
            p = previous_changes[t]
            d = float(np.median(z[p:t]) - np.median(z[t:s]))
            v = gain[t] + ((t - p) * (s - t) / (s - p) ** 2) * d**2
            if v > gain[s]:
                gain[s], previous_changes[s], count[s] = v, t, count[t] + 1
        q = previous_changes[s]
        factor = {0: 0, 1: 1, 2: 2 * count[q] + 1}[degree]
        if q and gain[s] - gain[q] < percent * factor * gain[q]:
            gain[s], previous_changes[s], count[s] = gain[q], previous_changes[q], count[q]
    backward_changes, last = [], previous_changes[n]
    while last:
        backward_changes.append(last)
        last = previous_changes[last]
    return backward_changes[::-1]


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
