"""Coefficients of variation of windows and of blocks, and the first that is small."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NEVER, Values
from detectors.kernels.jit import kernel

Whole = NDArray[np.int64]


@kernel
def window_covs(values: Values, start: int, k: int, ddof: int, covs: Values) -> int:
    """CoV of the windows of k values that begin at ``start … start + k - 1``; how many there are.

    A window is the end of one stretch of k values and the beginning of the next. Moments of both
    are merged, and nothing is ever subtracted: when a giant leaves, nothing of it stays behind.
    NaN for a window whose mean is not above 0: it has no CoV.
    """
    count = min(k, values.size - k - start + 1)
    means, squares = np.empty(k), np.empty(k)
    mean = square = 0.0
    for i in range(k - 1, -1, -1):
        deviation = values[start + i] - mean
        mean += deviation / (k - i)
        square += deviation * (values[start + i] - mean)
        means[i], squares[i] = mean, square
    mean = square = 0.0
    for i in range(count):
        if i > 0:
            x = values[start + k + i - 1]
            deviation = x - mean
            mean += deviation / i
            square += deviation * (x - mean)
        mean_difference = mean - means[i]
        centre = means[i] + mean_difference * i / k
        total = squares[i] + square + mean_difference * mean_difference * i * (k - i) / k
        covs[i] = math.sqrt(total / (k - ddof)) / centre if centre > 0.0 else math.nan
    return count


@kernel
def first_quiet_window(values: Values, k: int, threshold: float, ddof: int) -> int:
    """Start of the first k values whose CoV is below `threshold`, or `NEVER`."""
    covs = np.empty(k)
    start = 0
    while start + k <= values.size:
        count = window_covs(values, start, k, ddof, covs)
        for i in range(count):
            if covs[i] < threshold:
                return start + i
        start += k
    return NEVER


@kernel
def all_window_covs(values: Values, k: int, ddof: int) -> Values:
    """CoV of every window of k values, of which there is at least one."""
    covs, start = np.empty(values.size - k + 1), 0
    while start < covs.size:
        start += window_covs(values, start, k, ddof, covs[start:])
    return covs


@kernel
def weighted_cov(values: Values, counts: Whole, start: int, stop: int) -> float:
    """CoV, with divisor N, of values that occurred so often; NaN if their mean is not above 0."""
    total = weight = 0.0
    for i in range(start, stop):
        total += counts[i] * values[i]
        weight += counts[i]
    mean = total / weight
    if not mean > 0.0:
        return math.nan
    squares = 0.0
    for i in range(start, stop):
        squares += counts[i] * (values[i] - mean) * (values[i] - mean)
    return math.sqrt(squares / weight) / mean


@kernel
def first_quiet_block(  # noqa: PLR0917  # numba knows no keyword-only arguments
    values: Values, counts: Whole, offsets: Whole, n: int, k: int, threshold: float
) -> tuple[int, int]:
    """(first, last) iteration of the first block whose CoV is below `threshold`, or `NEVER` twice.

    Iteration i owns ``offsets[i]:offsets[i + 1]`` of values and counts. A block is filled with
    whole iterations until it holds k operations; one that the series does not fill is not judged.
    """
    first, operations_in_block = 0, 0.0
    for i in range(n):
        for j in range(offsets[i], offsets[i + 1]):
            operations_in_block += counts[j]
        if operations_in_block < k:
            continue
        if weighted_cov(values, counts, offsets[first], offsets[i + 1]) < threshold:
            return first, i
        first, operations_in_block = i + 1, 0.0
    return NEVER, NEVER
