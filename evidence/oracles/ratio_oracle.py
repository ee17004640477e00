"""The filtered variances with their weights written out."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values
from detectors.kernels.ratio import START


def smoothed(inputs: Values, weight: float, first: float) -> Values:
    """An exponential filter by its weights: row i has what each input still counts at i."""
    i = np.arange(inputs.size)
    ages = i[:, None] - i[None, :]
    weights = np.where(ages >= 0, weight * (1 - weight) ** np.maximum(ages, 0), 0.0)
    return weights @ inputs + first * (1 - weight) ** (i + 1)


def ratios_by_definition(x: Values, level: float, spread: float, change: float) -> Values:
    """The oracle: three filters as sums of weighted inputs, with nothing recursive."""
    mean, variance = x[:START].mean(), x[:START].var()
    later = x[START:]
    filtered = np.r_[mean, smoothed(later, level, mean)]
    off = smoothed((later - filtered[:-1]) ** 2, spread, variance)
    steps = smoothed(np.diff(np.r_[mean, later]) ** 2, change, 2 * variance)
    with np.errstate(all="ignore"):
        return np.r_[np.full(START, np.nan), (2 - level) * off / steps]
