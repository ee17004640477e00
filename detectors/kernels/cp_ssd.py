"""CP-SSD around its segmentation: outliers by sliding windows, means of resamples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import inlined_kernel, kernel
from detectors.kernels.windows import middle_of, slide

Words = NDArray[np.uint64]

# The generator splitmix64 (Steele, Lea & Flood 2014): the k-th word is a hash of k alone, so a
# resample is the same whichever were drawn before it.
STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOWER_HALF = np.uint64(0xFFFFFFFF)


@kernel
def quantile(window: Values, share: float) -> float:
    """Quantile of a sorted window, linear as NumPy's to the last bit."""
    place = (window.size - 1) * share
    rank = int(place)
    part = place - rank
    lower, upper = window[rank], window[min(rank + 1, window.size - 1)]
    # NumPy interpolates from the nearer end; the two formulas round differently.
    if part >= 0.5:
        return float(upper - (upper - lower) * (1 - part))
    return float(lower + (upper - lower) * part)


@inlined_kernel
def judge(x: Values, lower: float, upper: float, found: NDArray[np.bool_]) -> None:
    """Mark in `found` what lies beyond the bounds."""
    for i in range(x.size):
        found[i] |= (x[i] > upper) | (x[i] < lower)


def outliers(x: Values, size: int, low: float, high: float, band: float) -> NDArray[np.bool_]:
    """Which values lie outside the band of any of the windows of `size` values that hold them.

    The band is the median plus and minus `band` times the distance of the quantiles `low` and
    `high` (shares). At least `size` values.
    """
    # Sorted here, because compiling a sort takes longer than all the rest.
    return outliers_from(np.sort(x[:size]), x, low, high, band)


@kernel
def outliers_from(
    window: Values, x: Values, low: float, high: float, band: float
) -> NDArray[np.bool_]:
    """`outliers`, given the first window in order; it is used up."""
    size = window.size
    found = np.zeros(x.size, dtype=np.bool_)
    for begin in range(x.size - size + 1):
        if begin > 0:
            slide(window, x[begin - 1], x[begin + size - 1])
        middle = middle_of(window, size)
        reach = band * (quantile(window, high) - quantile(window, low))
        end = begin + size
        judge(x[begin:end], middle - reach, middle + reach, found[begin:end])
    return found


@kernel
def spread(x: Values) -> tuple[float, float, float, float]:
    """Mean, least, largest, and variance of a segment."""
    mean, least, largest = 0.0, x[0], x[0]
    for i in range(x.size):
        mean += x[i]
        least, largest = min(least, x[i]), max(largest, x[i])
    mean /= x.size
    squares = 0.0
    for i in range(x.size):
        squares += (x[i] - mean) ** 2
    return mean, least, largest, squares / x.size


@inlined_kernel
def hashed(words: Words) -> Words:
    words = (words ^ (words >> S30)) * FIRST
    words = (words ^ (words >> S27)) * SECOND
    return words ^ (words >> S31)


@kernel
def resample_means(x: Values, key: Words, first: int, count: int) -> Values:
    """Means of the resamples `first` … `first` + `count` - 1 of x, drawn with replacement.

    `key` (one word) names the stream. One word gives two places; all resamples take their next
    value together.
    """
    half = (x.size + 1) // 2
    numbers = np.arange(first, first + count).astype(np.uint64)
    counters = key + numbers * np.uint64(half) * STEP
    total = np.zeros(count)
    for pair in range(half):
        words = hashed(counters)
        counters = counters + STEP
        total += x[((words >> S32).astype(np.int64) * x.size) >> 32]
        if 2 * pair + 1 < x.size:
            total += x[((words & LOWER_HALF).astype(np.int64) * x.size) >> 32]
    return total / x.size
