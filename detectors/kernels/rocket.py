"""Convolutions of ROCKET: many short random kernels over one window of a series."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.kernels.jit import kernel

Singles = NDArray[np.float32]
Places = NDArray[np.int64]


@kernel
def rocket_features(  # noqa: PLR0917  # the arrays of a model; kernels take no keywords
    x: Singles,
    weights: Singles,
    lengths: Places,
    biases: Singles,
    dilations: Places,
    paddings: Places,
) -> Singles:
    """Share of positive values, then the largest value, of each kernel's output on `x`.

    Output i of a kernel is ``bias + sum_j w_j x[i + j dilation - padding]``, x being 0 outside.
    `weights` holds one kernel after the other. Sums are taken in the order of j, for all i
    side by side, so that no answer depends on how wide the processor's registers are.
    """
    n = x.size
    features = np.empty(2 * lengths.size, dtype=np.float32)
    y = np.empty(3 * n + 32, dtype=np.float32)
    begin = 0
    for k in range(lengths.size):
        length, dilation, padding = lengths[k], dilations[k], paddings[k]
        m = n + 2 * padding - (length - 1) * dilation
        for i in range(m):
            y[i] = biases[k]
        for j in range(length):
            shift = j * dilation - padding
            w = weights[begin + j]
            first, last = max(0, -shift), min(m, n - shift)
            reached_outputs, shifted_values = y[first:last], x[first + shift : last + shift]
            for i in range(reached_outputs.size):  # slices from 0 on: several i at a time
                reached_outputs[i] += w * shifted_values[i]
        positive_count, peak = 0, y[0]
        for i in range(m):
            positive_count += y[i] > 0
            peak = max(peak, y[i])
        features[2 * k] = positive_count / m
        features[2 * k + 1] = peak
        begin += length
    return features


@kernel
def rocket_decision(
    features: Singles, scale: NDArray[np.float64], coef: NDArray[np.float64], intercept: float
) -> float:
    """Value of the linear classifier on the features `features`: above 0 means stable."""
    total = intercept
    for i in range(features.size):
        total += features[i] / scale[i] * coef[i]
    return total
