"""The spectral density at frequency zero: the variance of a mean of correlated values, times their
number, by an autoregressive model; as R's coda estimates it (spectrum0.ar).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from detectors.contract import Values
from detectors.intervals.autocorrelation import correlations
from detectors.kernels.spectrum import density_of_least_aic

STRAIGHT: Final = 1e-12  # share of its squares that a line leaves unexplained
NEAR: Final = 1e-5  # so near to an iteration, as a share of it, a place is that iteration


def first_index_at(place: float) -> int:
    """0-based index of the first value of a chain's window that begins at `place`, counted from 1.

    cran/coda: R/window.R, where a place between two iterations means the later one.
    """
    nearest_integer = round(place)
    return (
        nearest_integer if abs(place - nearest_integer) <= NEAR * place else math.ceil(place)
    ) - 1


def spectra_at_zero(parts: Sequence[Values]) -> Values:
    """Spectral density at zero of each part, in its own unit squared; float64 (parts,). 0 for a
    line or equal values.

    The order of the model is the one of the least AIC, at most 10 log10(n) (R: stats::ar.yw; at
    most n - 2, beyond which R divides by zero). Each part has 3 values or more.
    """
    return np.array([0.0 if _is_straight(values) else _density_at_zero(values) for values in parts])


def _is_straight(values: Values) -> bool:
    if values.min() == values.max():
        return True
    deviations, time = values - values.mean(), np.arange(values.size) - (values.size - 1) / 2
    squares, time_product = deviations @ deviations, deviations @ time
    return bool(squares * (1 - STRAIGHT) <= time_product * (time_product / (time @ time)))


def _density_at_zero(values: Values) -> float:
    most_orders = min(values.size - 2, math.floor(10 * math.log10(values.size)))
    return float(values.var()) * density_of_least_aic(
        correlations(values, most_orders), values.size
    )
