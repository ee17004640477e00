"""Outliers of Barrett et al.: each value judged by a window centred on it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import kernel
from detectors.kernels.order_statistics import copy_into
from detectors.kernels.windows import insert, middle_of, remove_from_window, slide


@kernel
def percentile_of(window: Values, size: int, percent: float) -> float:
    """Percentile of the sorted ``window[:size]``, rounded as in the published program."""
    position = (size - 1) * (percent / 100.0)
    lower, upper = math.floor(position), math.ceil(position)
    if lower == upper:
        return float(window[lower])
    return float(window[lower] * (upper - position) + window[upper] * (position - lower))


def outliers(x: Values, size: int, low: float, high: float, band: float) -> NDArray[np.bool_]:
    """Mask of values outside the band of their own window of `size` values.

    The band is the median plus and minus `band` times the distance of the percentiles `low`
    and `high`. The first half window is not judged; windows shrink at the end of the series.
    """
    # Sorted here, because compiling a sort takes longer than all the rest.
    return outliers_after(np.sort(x[: size // 2]), x, size, low, high, band)


@kernel
def outliers_after(  # noqa: PLR0917  # kernels have no keyword arguments
    first: Values, x: Values, size: int, low: float, high: float, band: float
) -> NDArray[np.bool_]:
    """`outliers`, given the first half window in order."""
    n, half_width, window_count = x.size, size // 2, first.size
    is_outlier = np.zeros(n, dtype=np.bool_)
    window = np.empty(2 * half_width + 1)
    copy_into(window, first)
    for i in range(n):
        begin, window_stop = i - half_width, min(n, i + half_width)
        if begin > 0 and i + half_width <= n:
            slide(window[:window_count], x[begin - 1], x[window_stop - 1])
        elif begin > 0:
            remove_from_window(window, window_count, x[begin - 1])
            window_count -= 1
        elif 0 < i <= n - half_width:
            insert(window, window_count, x[window_stop - 1])
            window_count += 1
        if begin < 0 or (begin == 0 and window_stop < size):
            continue
        middle = middle_of(window, window_count)
        upper, lower = (
            percentile_of(window, window_count, high),
            percentile_of(window, window_count, low),
        )
        reach = band * (upper - lower)
        is_outlier[i] = x[i] > middle + reach or x[i] < middle - reach
    return is_outlier
