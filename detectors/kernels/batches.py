"""Statistics of consecutive batches: slope of one, difference and ratio of two neighbours."""

from __future__ import annotations

import math

import numpy as np

from detectors.contract import NEVER, Values
from detectors.kernels.jit import inlined_kernel, kernel

SLOPE, MEANS, VARIANCES = 0, 1, 2  # which statistic; the numbers are the kernels' only
LARGE, SMALL = 1e100, 1e-100  # beyond these, squares leave the range of a double
EIGHT, PIECE = 8, 128  # NumPy adds eight sums side by side, in pieces of at most 128 values
DEEP = 128  # more than halving any count twice over


@inlined_kernel
def slope_angle(values: Values, start: int, stop: int) -> float:
    """Size of the arctangent of the least-squares slope, in radians; one value has slope 0."""
    count = stop - start
    first = float(values[start])
    total = 0.0
    for i in range(start, stop):
        total += float(values[i]) - first
    mean = total / count
    centre = (count - 1) / 2
    numerator = denominator = 0.0
    for i in range(count):
        numerator += (i - centre) * (float(values[start + i]) - first - mean)
        denominator += (i - centre) ** 2
    return math.atan(abs(numerator / denominator)) if count > 1 else 0.0


@kernel
def safe_factor(values: Values, start: int, stop: int) -> float:
    """1, or the power of two that brings the values where their squares are numbers."""
    peak = 0.0
    for i in range(start, stop):
        peak = max(peak, abs(float(values[i])))
    if peak == 0.0 or SMALL <= peak <= LARGE:
        return 1.0
    _, exponent = math.frexp(peak)
    return math.ldexp(1.0, min(-exponent, 1000))


@kernel
def piece_sum(x: Values, start: int, count: int) -> float:
    """Sum of a piece in NumPy's order: eight sums side by side, then what is left."""
    total = 0.0
    unrolled_count = 0
    if count >= EIGHT:
        unrolled_count = count - count % EIGHT
        a, b, c, d = x[start], x[start + 1], x[start + 2], x[start + 3]
        e, f, g, h = x[start + 4], x[start + 5], x[start + 6], x[start + 7]
        for i in range(start + EIGHT, start + unrolled_count, EIGHT):
            a, b, c, d = a + x[i], b + x[i + 1], c + x[i + 2], d + x[i + 3]
            e, f, g, h = e + x[i + 4], f + x[i + 5], g + x[i + 6], h + x[i + 7]
        total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for i in range(start + unrolled_count, start + count):
        total += x[i]
    return float(total)


@kernel
def numpy_sum(x: Values, start: int, count: int) -> float:
    """Sum of ``x[start:start + count]``, rounded as NumPy rounds it: halves of halves of pieces.

    The order matters where all values of a batch are equal: whether its variance is 0 or a
    rounding error decides published answers.
    """
    if count <= PIECE:
        return piece_sum(x, start, count)
    # A stack instead of recursion: a compiled function that calls itself cannot be cached.
    starts, counts, sums = np.empty(DEEP, np.int64), np.empty(DEEP, np.int64), np.empty(DEEP)
    starts[0], counts[0] = start, count
    depth, values_done = 1, 0
    while depth:
        depth -= 1
        begin, length = starts[depth], counts[depth]
        if length == 0:  # both halves are summed
            values_done -= 1
            sums[values_done - 1] += sums[values_done]
        elif length <= PIECE:
            sums[values_done] = piece_sum(x, begin, length)
            values_done += 1
        else:
            half_length = length // 2
            half_length -= half_length % EIGHT
            counts[depth] = 0
            starts[depth + 1], counts[depth + 1] = begin + half_length, length - half_length
            starts[depth + 2], counts[depth + 2] = begin, half_length
            depth += 3
    return float(sums[0])


@kernel
def batch_moments(values: Values, start: int, stop: int, factor: float) -> tuple[float, float]:
    """Mean and population variance of ``factor * values[start:stop]``, as NumPy rounds them."""
    count = stop - start
    x = np.empty(count)
    for i in range(count):
        x[i] = factor * values[start + i]
    mean = numpy_sum(x, 0, count) / count
    for i in range(count):
        x[i] = (x[i] - mean) * (x[i] - mean)
    return mean, numpy_sum(x, 0, count) / count


@inlined_kernel
def mean_difference(values: Values, start: int, batch: int, stop: int) -> float:
    """|difference of two means| / its spread, times the root of `batch`.

    Two batches without spread: infinite if their means differ, NaN if they do not.
    """
    factor = safe_factor(values, start, stop)
    left_mean, left_spread = batch_moments(values, start, start + batch, factor)
    right_mean, right_spread = batch_moments(values, start + batch, stop, factor)
    spread = left_spread + right_spread
    if spread == 0.0:
        return math.nan if left_mean == right_mean else math.inf
    return math.sqrt(batch) * abs(right_mean - left_mean) / math.sqrt(spread)


@inlined_kernel
def variance_ratio(values: Values, start: int, batch: int, stop: int) -> float:
    """The larger of two variances over the smaller; infinite if one is 0, NaN if both are."""
    factor = safe_factor(values, start, stop)
    _, left_variance = batch_moments(values, start, start + batch, factor)
    _, right_variance = batch_moments(values, start + batch, stop, factor)
    smaller_variance, larger_variance = (
        min(left_variance, right_variance),
        max(left_variance, right_variance),
    )
    if smaller_variance == 0.0:
        return math.nan if larger_variance == 0.0 else math.inf
    return larger_variance / smaller_variance


@kernel
def statistic(values: Values, start: int, batch: int, test_code: int) -> float:
    """The statistic of the batch at `start`, or of it and the next; the last may be shorter."""
    n = values.size
    if test_code == SLOPE:
        return slope_angle(values, start, min(start + batch, n))
    stop = min(start + 2 * batch, n)
    if test_code == MEANS:
        return mean_difference(values, start, batch, stop)
    return variance_ratio(values, start, batch, stop)


@kernel
def first_below(  # noqa: PLR0917  # numba knows no keyword-only arguments
    values: Values, batch_start: int, least_size: int, batch: int, test_code: int, critical: float
) -> tuple[int, int, float]:
    """Judge batches from the one at `batch_start` on, each while `least_size` values are there from
    its start.

    Returns the start of the first batch whose statistic is below `critical`, or `NEVER`; the
    start of the first batch that is not judged; the last statistic (NaN if there is none).
    """
    latest_statistic = math.nan
    while batch_start + least_size <= values.size:
        latest_statistic = statistic(values, batch_start, batch, test_code)
        if latest_statistic < critical:
            return batch_start, batch_start + batch, latest_statistic
        batch_start += batch
    return NEVER, batch_start, latest_statistic


@kernel
def all_statistics(
    values: Values, least_size: int, batch: int, test_code: int, statistics: Values
) -> int:
    """Every statistic, one after the other, into `statistics`; how many there are."""
    batch_start = count = 0
    while batch_start + least_size <= values.size:
        statistics[count] = statistic(values, batch_start, batch, test_code)
        batch_start, count = batch_start + batch, count + 1
    return count
