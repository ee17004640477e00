"""Values beyond the range in which squares can be summed, times a power of two."""

from __future__ import annotations

import math

import numpy as np

from detectors.contract import Values

LARGE, SMALL = 1e100, 1e-100  # beyond these, squares leave the range of a double


def scaled_to_range(values: Values) -> tuple[Values, int]:
    """The values divided by 2 to the power of the second result, which is mostly 0.

    A power of two changes no digit. Read-only, as the values: kernels need no second variant.
    """
    peak = float(np.abs(values).max(initial=0.0))
    if SMALL <= peak <= LARGE or peak == 0:
        return values, 0
    exponent = math.frexp(peak)[1]
    scaled_values = np.ldexp(values, -exponent)
    scaled_values.setflags(write=False)
    return scaled_values, exponent


def mean_in_range(values: Values) -> float:
    """The mean, also where the sum would leave the range of a double."""
    scaled_values, exponent = scaled_to_range(values)
    return math.ldexp(float(scaled_values.mean()), exponent)
