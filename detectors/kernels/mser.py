"""MSER: where to truncate so that the mean of the rest is known best (White 1997)."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values
from detectors.kernels.jit import kernel


@kernel
def batch_means(values: Values, batch: int) -> Values:
    """Means of consecutive batches; values that fill none at the end are left out."""
    out = np.empty(values.size // batch)
    for j in range(out.size):
        total = 0.0
        for i in range(j * batch, (j + 1) * batch):
            total += values[i]
        out[j] = total / batch
    return out


@kernel
def standard_errors(means: Values, least: int) -> Values:
    """MSER at d = 0, 1, …: squared deviations of ``means[d:]`` over their squared number.

    From the end backwards, so that one pass is enough; at least `least` means are kept.
    """
    b = means.size
    out = np.empty(b - least + 1)
    mean = squares = 0.0
    for count in range(1, b + 1):
        d = b - count
        deviation = means[d] - mean
        mean += deviation / count
        squares += deviation * (means[d] - mean)
        if d < out.size:
            out[d] = squares / count / count
    return out


@kernel
def truncation(means: Values, least: int) -> int:
    """The d with the smallest MSER, the first of equal ones."""
    errors = standard_errors(means, least)
    best_batch = 0
    for d in range(errors.size):
        if errors[d] < errors[best_batch]:
            best_batch = d
    return best_batch
