"""jumpavg: consecutive groups of the least description length, in bits.

Operations stand in the order of the package `jumpavg`, on purpose: where two ways of
grouping cost the same, the last digit decides, and it shall decide as there.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import inlined_kernel, kernel

Starts = NDArray[np.int64]
LN_2 = math.log(2)
SIZE, SPHERE, SHARE = 0, 1, 2  # rows of the table of sizes
FINE = 4  # entries of the table of logarithms to one unit of resolution
LONGEST = 16384.0  # units up to which there is a table: twice the default resolution
CHORD_ERROR = 1 / (8 * FINE * FINE * LN_2)  # by which a chord can lie below log2(x + 1)
SLACK = 1e-9  # bits for each value of a group: far above what rounding does to a bound


@lru_cache(maxsize=64)  # series of one data set are equally long
def coding(n: int) -> Values:
    """The parts of a group's bits that depend on its size alone, for sizes 0 to n.

    Row 0: bits of the size. Row 1: natural logarithm of the area of the unit sphere; row 2: of
    the size's share in its radius. What a size has not is 0.
    """
    table = np.zeros((3, n + 1))
    for k in range(1, n + 1):
        table[SIZE, k] = math.log(k * (k + 1)) / LN_2
    for k in range(2, n + 1):
        surface = LN_2 + math.log(math.pi) * ((k - 1) / 2)
        table[SPHERE, k] = surface - math.lgamma((k - 1) / 2)
        table[SHARE, k] = math.log(k) * ((k - 2) / 2)
    return table


@kernel
def bits_of_mean(mean: float, previous_mean: float, peak: float) -> float:
    """Bits of the mean of a group that follows another; all in units of the resolution."""
    norm = previous_mean * previous_mean
    norm -= (previous_mean - 1) * peak
    norm += peak * peak / 2
    return math.log((abs(mean - previous_mean) + 1) / norm) / LN_2


@kernel
def group_bits(  # noqa: PLR0917  # kernels have no keyword arguments
    k: int,
    mean: float,
    deviation: float,
    previous_mean: float,
    first: bool,  # noqa: FBT001
    peak: float,
    unit: float,
    table: Values,
) -> float:
    """Bits of a group of k >= 1 values; `previous_mean` is the mean of the group before it.

    `mean`, `deviation` (population) and `previous_mean` are in units of the series, `peak`
    in units of the resolution `unit`.
    """
    bits = table[SIZE, k]
    if first:
        bits += math.log(peak + 1) / LN_2
    else:
        bits -= bits_of_mean(mean / unit, previous_mean / unit, peak)
    if k < 2:
        return float(bits)
    s = deviation / unit
    # Added one after the other, not as one sum: see the head of this module.
    bits += math.log((s + 1) * (s + 2)) / LN_2
    bits += math.log(1 - 1 / (peak + 2)) / LN_2
    area = table[SPHERE, k] + math.log(s + 1) * (k - 2)
    return float(bits + (area + table[SHARE, k]) / LN_2)


@kernel
def grouped(
    values: Values, unit: float, maximum: float, table: Values
) -> tuple[Starts, Values, float]:
    """Starts and means of the groups of `values` (1 or more), and the bits of all of them."""
    last_starts, last_means, bits = partitions(values, unit, maximum, table)
    count, stop = 0, last_starts.size
    while stop > 0:  # from the last group to the first
        count, stop = count + 1, last_starts[stop - 1]
    starts, means = np.empty(count, dtype=np.int64), np.empty(count)
    stop = last_starts.size
    for group_index in range(count - 1, -1, -1):
        starts[group_index], means[group_index] = last_starts[stop - 1], last_means[stop - 1]
        stop = last_starts[stop - 1]
    return starts, means, bits


@kernel
def partitions(
    values: Values, unit: float, maximum: float, table: Values
) -> tuple[Starts, Values, float]:
    """The last group of the best grouping up to each value: start, mean; and the bits of all.

    The best grouping of every prefix is kept, and the last group of each stays open: value t
    is tried at the end of every group that was opened at some i <= t behind the best grouping
    of the values before i. n² / 2 groups are tried, in memory that grows with n. Few of them
    are weighed to the last digit: a bound from a table of logarithms rules out the others.
    """
    n = values.size
    peak = maximum / unit
    logs, size_bits = table_of_logs(peak), bits_of_size(peak, table)
    mean, deviation = np.empty(n), np.empty(n)  # of the open groups
    base, previous_means = np.empty(n), np.empty(n)  # bits and last mean before an open group
    norm = np.empty(n)  # bits of the first part of an open group's mean
    last_starts = np.empty(n, dtype=np.int64)
    last_means = np.empty(n)  # mean of the last group in the best grouping up to each value
    least_bits = mean_before = 0.0
    best_start = 0
    for t in range(n):
        x = values[t]
        mean[t], deviation[t], base[t], previous_means[t] = x, 0.0, least_bits, mean_before
        norm[t] = norm_bits(mean_before, unit, peak)
        # No group is chosen that takes more bits than the one chosen last, with x.
        bits_limit = np.inf
        if t > 0:
            m, s = joined(mean[best_start], deviation[best_start], t - best_start, x)
            bits_limit = base[best_start] + closed_bits(
                t + 1 - best_start,
                m,
                s,
                previous_means[best_start],
                best_start == 0,
                peak,
                unit,
                table,
            )
        best_bits = least_bits + group_bits(1, x, 0.0, mean_before, t == 0, peak, unit, table)
        best_start = t
        for i in range(t):
            m, s = joined(mean[i], deviation[i], t - i, x)
            mean[i], deviation[i] = m, s
            k = t - i + 1
            if i > 0:
                distance = math.fabs(m - previous_means[i]) / unit
                bound = base[i] + norm[i] + size_bits[k] + scatter_bits(k, s / unit, distance, logs)
                if bound > bits_limit + SLACK * k:
                    continue
            bits = base[i] + closed_bits(k, m, s, previous_means[i], i == 0, peak, unit, table)
            if bits < best_bits:
                best_bits, best_start = bits, i
        least_bits = best_bits
        k = t + 1 - best_start
        mean_before = mean[best_start] * k / k
        last_starts[t], last_means[t] = best_start, mean_before if t < n - 1 else mean[best_start]
    return last_starts, last_means, least_bits


@kernel
def joined(mean: float, deviation: float, k: int, x: float) -> tuple[float, float]:
    """Mean and deviation of a group of k >= 1 values with one more."""
    # np.divide asks for no zero, which keeps the loop around it short.
    m = np.divide(mean * k, k)  # is not always the mean
    squares = deviation * deviation * k
    step = x - m
    m += np.divide(step, k + 1)
    squares += np.divide(step * step * k, k + 1)
    return m, math.sqrt(np.divide(squares, k + 1))


@kernel
def closed_bits(  # noqa: PLR0917
    k: int,
    mean: float,
    deviation: float,
    previous_mean: float,
    first: bool,  # noqa: FBT001
    peak: float,
    unit: float,
    table: Values,
) -> float:
    """`group_bits` of a group that has been summed up once more, as the package does."""
    rounded_mean = mean * k / k
    s = math.sqrt(deviation * deviation * k / k)
    return group_bits(k, rounded_mean, s, previous_mean, first, peak, unit, table)


@inlined_kernel
def norm_bits(previous_mean: float, unit: float, peak: float) -> float:
    """Bits of a group's mean behind a group of that same mean, `previous_mean`: the least there
    are.
    """
    p = previous_mean / unit
    return -bits_of_mean(p, p, peak)


@inlined_kernel
def table_of_logs(peak: float) -> Values:
    """log2(j / FINE + 1) for j = 0, 1, … as far as the values reach, or the table may."""
    size = int(min(peak + 3.0, LONGEST) * FINE) + 2
    return np.log2(np.arange(size) / FINE + 1.0)


@inlined_kernel
def bits_of_size(peak: float, table: Values) -> Values:
    """The part of `group_bits` that depends on the size alone, for groups of two and more."""
    size_bits = np.empty(table.shape[1])
    for k in range(table.shape[1]):
        size_bits[k] = table[SIZE, k] + math.log(1 - 1 / (peak + 2)) / LN_2
        size_bits[k] += (table[SPHERE, k] + table[SHARE, k]) / LN_2
    return size_bits


@inlined_kernel
def scatter_bits(k: int, s: float, distance: float, logs: Values) -> float:
    """Never more than deviation and values of a group of k >= 2 take, and the rest of its mean."""
    return chord(s, logs) * (k - 1) + chord(s + 1, logs) - chord(distance, logs) - CHORD_ERROR


@kernel
def chord(x: float, logs: Values) -> float:
    """log2(x + 1) or a little less: on the chord between two entries, under the curve."""
    position = x * FINE
    if position >= logs.size - 1:
        return math.log(x + 1) / LN_2
    j = int(position)
    return float(logs[j] + (position - j) * (logs[j + 1] - logs[j]))
