"""An exponential moving average whose weight may change from value to value."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values
from detectors.kernels.jit import kernel


@kernel
def smoothed(values: Values, weights: Values) -> Values:
    """m[i] = (1 - w[i]) m[i - 1] + w[i] x[i], float64 (n,); m[0] is 0, whatever x[0] is."""
    out = np.zeros(values.size)
    for i in range(1, values.size):
        out[i] = (1.0 - weights[i]) * out[i - 1] + weights[i] * values[i]
    return out
