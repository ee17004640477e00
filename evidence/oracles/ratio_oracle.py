"""The filtered variances with their weights written out."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values
from detectors.kernels.variance_ratio import START


def exponential_filter(inputs: Values, weight: float, first: float) -> Values:
    """An exponential filter by its weights: row i has what each input still counts at i."""
    i = np.arange(inputs.size)
    ages = i[:, None] - i[None, :]
    weights = np.where(ages >= 0, weight * (1 - weight) ** np.maximum(ages, 0), 0.0)
    return weights @ inputs + first * (1 - weight) ** (i + 1)


def ratios_by_definition(x: Values, level: float, spread: float, change: float) -> Values:
    """The oracle: three filters as sums of weighted inputs, with nothing recursive."""
    mean, variance = x[:START].mean(), x[:START].var()
    later_values = x[START:]
    filtered_values = np.r_[mean, exponential_filter(later_values, level, mean)]
    deviations = exponential_filter((later_values - filtered_values[:-1]) ** 2, spread, variance)
    steps = exponential_filter(np.diff(np.r_[mean, later_values]) ** 2, change, 2 * variance)
    with np.errstate(all="ignore"):
        return np.r_[np.full(START, np.nan), (2 - level) * deviations / steps]
