"""jumpavg: consecutive groups of the least description length, in bits.

Operations stand in the order of the package `jumpavg`, on purpose: where two ways of
grouping cost the same, the last digit decides, and it shall decide as there.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import kernel

Starts = NDArray[np.int64]
LN_2 = math.log(2)
SIZE, SPHERE, SHARE = 0, 1, 2  # rows of the table of sizes


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
def bits_of_mean(mean: float, previous: float, largest: float) -> float:
    """Bits of the mean of a group that follows another; all in units of the resolution."""
    norm = previous * previous
    norm -= (previous - 1) * largest
    norm += largest * largest / 2
    return math.log((abs(mean - previous) + 1) / norm) / LN_2


@kernel
def group_bits(  # noqa: PLR0917  # kernels have no keyword arguments
    k: int,
    mean: float,
    deviation: float,
    previous: float,
    first: bool,  # noqa: FBT001
    largest: float,
    unit: float,
    table: Values,
) -> float:
    """Bits of a group of k >= 1 values; `previous` is the mean of the group before it.

    `mean`, `deviation` (population) and `previous` are in units of the series, `largest`
    in units of the resolution `unit`.
    """
    bits = table[SIZE, k]
    if first:
        bits += math.log(largest + 1) / LN_2
    else:
        bits -= bits_of_mean(mean / unit, previous / unit, largest)
    if k < 2:
        return float(bits)
    s = deviation / unit
    # Added one after the other, not as one sum: see the head of this module.
    bits += math.log((s + 1) * (s + 2)) / LN_2
    bits += math.log(1 - 1 / (largest + 2)) / LN_2
    area = table[SPHERE, k] + math.log(s + 1) * (k - 2)
    return float(bits + (area + table[SHARE, k]) / LN_2)


@kernel
def grouped(
    values: Values, unit: float, maximum: float, table: Values
) -> tuple[Starts, Values, float]:
    """Starts and means of the groups of `values` (1 or more), and the bits of all of them.

    The best grouping of every prefix is kept, and the last group of each stays open: value t
    is tried at the end of every group that was opened at some i <= t behind the best grouping
    of the values before i. n² / 2 groups are weighed, in memory that grows with n.
    """
    n = values.size
    largest = maximum / unit
    mean, deviation = np.empty(n), np.empty(n)  # of the open groups
    base, previous = np.empty(n), np.empty(n)  # bits and last mean before an open group
    winner = np.empty(n, dtype=np.int64)
    last = np.empty(n)  # mean of the last group in the best grouping up to each value
    best = 0.0
    before = 0.0
    for t in range(n):
        x = values[t]
        mean[t], deviation[t], base[t], previous[t] = x, 0.0, best, before
        least = best + group_bits(1, x, 0.0, before, t == 0, largest, unit, table)
        chosen = t
        for i in range(t):
            k = t - i
            m = mean[i] * k / k  # is not always mean[i]
            squares = deviation[i] * deviation[i] * k
            step = x - m
            m += step / (k + 1)
            squares += step * step * k / (k + 1)
            s = math.sqrt(squares / (k + 1))
            mean[i], deviation[i] = m, s
            # The bits are those of a group that has been summed up once more.
            k += 1
            again = m * k / k
            s = math.sqrt(s * s * k / k)
            bits = base[i] + group_bits(k, again, s, previous[i], i == 0, largest, unit, table)
            if bits < least:
                least, chosen = bits, i
        best = least
        k = t + 1 - chosen
        before = mean[chosen] * k / k
        winner[t], last[t] = chosen, before if t < n - 1 else mean[chosen]
    return (*traced(winner, last), best)


@kernel
def traced(winner: Starts, last: Values) -> tuple[Starts, Values]:
    """Starts and means of the groups, first to last, by going from winner to winner."""
    count, stop = 0, winner.size
    while stop > 0:
        count, stop = count + 1, winner[stop - 1]
    starts, means = np.empty(count, dtype=np.int64), np.empty(count)
    stop = winner.size
    for place in range(count - 1, -1, -1):
        starts[place], means[place] = winner[stop - 1], last[stop - 1]
        stop = winner[stop - 1]
    return starts, means
