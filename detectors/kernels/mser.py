"""MSER: where to truncate so that the mean of the rest is known best (White 1997)."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values
from detectors.kernels.jit import kernel


@kernel
def batch_means(values: Values, batch: int) -> Values:
    """Means of consecutive batches; values that fill none at the end are left out."""
    means = np.empty(values.size // batch)
    for j in range(means.size):
        total = 0.0
        for i in range(j * batch, (j + 1) * batch):
            total += values[i]
        means[j] = total / batch
    return means


@kernel
def standard_errors(means: Values, least_batches: int) -> Values:
    """MSER at d = 0, 1, …: squared deviations of ``means[d:]`` over their squared number.

    From the end backwards, so that one pass is enough; at least `least_batches` means are kept.
    """
    b = means.size
    errors = np.empty(b - least_batches + 1)
    mean = squares = 0.0
    for count in range(1, b + 1):
        d = b - count
        deviation = means[d] - mean
        mean += deviation / count
        squares += deviation * (means[d] - mean)
        if d < errors.size:
            errors[d] = squares / count / count
    return errors


@kernel
def truncation(means: Values, least_batches: int) -> int:
    """The d with the smallest MSER, the first of equal ones."""
    errors = standard_errors(means, least_batches)
    best_batch = 0
    for d in range(errors.size):
        if errors[d] < errors[best_batch]:
            best_batch = d
    return best_batch
