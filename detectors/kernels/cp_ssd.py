"""CP-SSD around its segmentation: outliers by sliding windows, means of resamples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import inlined_kernel, kernel, long_kernel
from detectors.kernels.laaber import GOLDEN, LOWER_HALF, S32, Words, word
from detectors.kernels.windows import middle_of, slide


@kernel
def quantile(window: Values, share: float) -> float:
    """Quantile of a sorted window, linear as NumPy's to the last bit."""
    position = (window.size - 1) * share
    rank = int(position)
    fraction = position - rank
    lower, upper = window[rank], window[min(rank + 1, window.size - 1)]
    # NumPy interpolates from the nearer end; the two formulas round differently.
    if fraction >= 0.5:
        return float(upper - (upper - lower) * (1 - fraction))
    return float(lower + (upper - lower) * fraction)


@inlined_kernel
def judge(x: Values, lower: float, upper: float, is_outlier: NDArray[np.bool_]) -> None:
    """Mark in `is_outlier` what lies beyond the bounds."""
    for i in range(x.size):
        is_outlier[i] |= (x[i] > upper) | (x[i] < lower)


def outliers(x: Values, size: int, low: float, high: float, band: float) -> NDArray[np.bool_]:
    """Mask of values outside the band of any of the windows of `size` values that hold them.

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
    is_outlier = np.zeros(x.size, dtype=np.bool_)
    for begin in range(x.size - size + 1):
        if begin > 0:
            slide(window, x[begin - 1], x[begin + size - 1])
        middle = middle_of(window, size)
        reach = band * (quantile(window, high) - quantile(window, low))
        end = begin + size
        judge(x[begin:end], middle - reach, middle + reach, is_outlier[begin:end])
    return is_outlier


@kernel
def segment_spread(x: Values) -> tuple[float, float, float, float]:
    """Mean, least, largest, and variance of a segment."""
    mean, minimum, maximum = 0.0, x[0], x[0]
    for i in range(x.size):
        mean += x[i]
        minimum, maximum = min(minimum, x[i]), max(maximum, x[i])
    mean /= x.size
    squares = 0.0
    for i in range(x.size):
        squares += (x[i] - mean) ** 2
    return mean, minimum, maximum, squares / x.size


@long_kernel
def resample_means(x: Values, key: Words, first: int, count: int) -> Values:
    """Means of the resamples `first` … `first` + `count` - 1 of x, drawn with replacement.

    `key` (one word) names the stream. One random word gives two places.
    """
    word_count, size = (x.size + 1) // 2, np.uint64(x.size)
    means = np.empty(count)
    for i in range(count):
        state = key[0] + np.uint64(first + i) * np.uint64(word_count) * GOLDEN
        total = 0.0
        for pair in range(word_count):
            random_word = word(state)
            state += GOLDEN
            total += x[((random_word >> S32) * size) >> S32]
            if 2 * pair + 1 < x.size:
                total += x[((random_word & LOWER_HALF) * size) >> S32]
        means[i] = total / x.size
    return means
