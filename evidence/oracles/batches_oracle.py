"""The statistics of batches by their definitions on slices, and by the kernel in the same form."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from detectors.contract import Values, as_series
from detectors.kernels.batches import (
    MEANS,
    SLOPE,
    VARIANCES,
    all_statistics,
)

WHICH = {"slope": SLOPE, "means": MEANS, "variances": VARIANCES}


def pieces(values: Values, batch: int) -> list[Values]:
    return [values[begin : begin + batch] for begin in range(0, values.size, batch)]


def slope(piece: Values) -> float:
    return abs(math.atan(np.polyfit(np.arange(piece.size), piece, 1)[0])) if piece.size > 1 else 0.0


def means(earlier: Values, later: Values, batch: int) -> float:
    with np.errstate(all="ignore"):
        spread = np.sqrt(np.var(earlier) + np.var(later))
        return float(np.sqrt(batch) * abs(np.mean(later) - np.mean(earlier)) / spread)


def variances(earlier: Values, later: Values) -> float:
    with np.errstate(all="ignore"):
        ratio = np.var(earlier) / np.var(later)
        return float(np.maximum(ratio, 1 / ratio))


def by_definition(test: str, values: Values, batch: int) -> list[float]:
    """The oracle: the definitions on slices, with nothing carried over."""
    cut = pieces(values, batch)
    if test == "slope":
        return [slope(piece) for piece in cut]
    pairs = list(pairwise(cut))
    if test == "means":
        return [means(earlier, later, batch) for earlier, later in pairs]
    return [variances(earlier, later) for earlier, later in pairs]


def by_kernel(test: str, values: Values, batch: int) -> list[float]:
    values = as_series(values)  # as methods are given them: kernels for others are not compiled yet
    out = np.empty(values.size + 1)
    least = 1 if test == "slope" else batch + 1
    return out[: all_statistics(values, least, batch, WHICH[test], out)].tolist()
