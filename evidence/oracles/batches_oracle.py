"""The statistics of batches by their definitions on slices, and by the kernel in the same form."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from detectors.contract import Values, as_series
from detectors.kernels.batches import MEANS, SLOPE, VARIANCES, all_statistics

WHICH = {"slope": SLOPE, "means": MEANS, "variances": VARIANCES}


def pieces(values: Values, batch: int) -> list[Values]:
    return [values[begin : begin + batch] for begin in range(0, values.size, batch)]


def slope(piece: Values) -> float:
    return abs(math.atan(np.polyfit(np.arange(piece.size), piece, 1)[0])) if piece.size > 1 else 0.0


def means(early_batch: Values, late_batch: Values, batch: int) -> float:
    with np.errstate(all="ignore"):
        spread = np.sqrt(np.var(early_batch) + np.var(late_batch))
        return float(np.sqrt(batch) * abs(np.mean(late_batch) - np.mean(early_batch)) / spread)


def variances(early_batch: Values, late_batch: Values) -> float:
    with np.errstate(all="ignore"):
        ratio = np.var(early_batch) / np.var(late_batch)
        return float(np.maximum(ratio, 1 / ratio))


def defined_statistics(test: str, values: Values, batch: int) -> list[float]:
    """The oracle: the definitions on slices, with nothing carried over."""
    batches = pieces(values, batch)
    if test == "slope":
        return [slope(piece) for piece in batches]
    pairs = list(pairwise(batches))
    if test == "means":
        return [means(earlier_batch, later_batch, batch) for earlier_batch, later_batch in pairs]
    return [variances(earlier_batch, later_batch) for earlier_batch, later_batch in pairs]


def kernel_statistics(test: str, values: Values, batch: int) -> list[float]:
    values = as_series(values)  # as methods are given them: kernels for others are not compiled yet
    statistics = np.empty(values.size + 1)
    least_length = 1 if test == "slope" else batch + 1
    return statistics[
        : all_statistics(values, least_length, batch, WHICH[test], statistics)
    ].tolist()
