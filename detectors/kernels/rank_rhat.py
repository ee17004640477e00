"""R-hat of chains whose values are ranked: what is left after a start, and its distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import inlined_kernel, kernel
from detectors.kernels.order_statistics import sort_small

Chains = NDArray[np.int64]  # which chain each value is of: 0, 1, 2, …

ROUNDED = 1e-12  # a variance of normal scores that is nothing but rounding
SAMPLE = 64  # values that tell the range of the others
PATIENCE = 16  # places that a value moves at most, on average, before sorting is given up


@kernel
def sort_with_places(values: Values) -> tuple[Values, Chains]:
    """The values in ascending order, and where each stands; empty where it would take long.

    By shares of the range that a few of them have, and then by insertion: a third of the time of a
    sort that knows nothing. Values of few levels, far apart, are left to such a one.
    """
    sample = np.empty(SAMPLE)
    for i in range(SAMPLE):
        sample[i] = values[i * values.size // SAMPLE]
    sort_small(sample, 0, SAMPLE)
    low, width = sample[1], sample[SAMPLE - 2] - sample[1]
    if width > 0:
        ascending_values, order = sort_by_shares(values, low, width)
        if finish_sorting(ascending_values, order):
            return ascending_values, order
    return np.empty(0), np.empty(0, dtype=np.int64)


@inlined_kernel
def sort_by_shares(values: Values, low: float, width: float) -> tuple[Values, Chains]:
    """Sort into as many shares of the width as there are values, and one for all below and one
    for all above.
    """
    n = values.size
    shares, begins = np.empty(n, dtype=np.int64), np.zeros(n + 3, dtype=np.int64)
    for i in range(n):
        shares[i] = 1 + int(min(max((values[i] - low) / width * n, -1.0), float(n)))
        begins[shares[i] + 1] += 1
    for share in range(1, begins.size):
        begins[share] += begins[share - 1]
    ascending_values, order = np.empty(n), np.empty(n, dtype=np.int64)
    for i in range(n):
        slot = begins[shares[i]]
        begins[shares[i]] += 1
        ascending_values[slot], order[slot] = values[i], i
    return ascending_values, order


@inlined_kernel
def finish_sorting(values: Values, order: Chains) -> bool:
    """Sort by insertion; give up once the values move too far."""
    move_count = 0
    for i in range(1, values.size):
        value, place, j = values[i], order[i], i
        while j > 0 and values[j - 1] > value:
            values[j], order[j] = values[j - 1], order[j - 1]
            j -= 1
        values[j], order[j] = value, place
        move_count += i - j
        if move_count > PATIENCE * values.size:
            return False
    return True


@kernel
def halves_after(
    ascending_values: Values, order: Chains, start: int, half_length: int, n: int
) -> tuple[Values, Chains]:
    """Values of forks after `start` in two halves, in ascending order, with their chains.

    ascending_values: of all forks. order: where each stands, when forks of n values follow one
    another. The chains of a fork are its two halves.
    """
    size = ascending_values.size // n * 2 * half_length
    values, chains = np.empty(size), np.empty(size, dtype=np.int64)
    count = 0
    for i in range(ascending_values.size):
        fork, iteration = order[i] // n, order[i] % n
        is_late = iteration >= n - half_length
        if is_late or start <= iteration < start + half_length:
            values[count], chains[count] = ascending_values[i], 2 * fork + is_late
            count += 1
    return values, chains


@kernel
def distances(ascending_values: Values, chains: Chains) -> tuple[Values, Chains]:
    """Distances from the median in ascending order, with the chains; the number of values is even.

    Those on either side of the median are in order already, and are merged.
    """
    n = ascending_values.size
    low, high = n // 2 - 1, n // 2
    median = (ascending_values[low] + ascending_values[high]) / 2
    distances_apart, chain_numbers = np.empty(n), np.empty(n, dtype=np.int64)
    for position in range(n):
        is_below = high == n
        if low >= 0 and high < n:
            is_below = median - ascending_values[low] <= ascending_values[high] - median
        if is_below:
            distances_apart[position], chain_numbers[position] = (
                median - ascending_values[low],
                chains[low],
            )
            low -= 1
        else:
            distances_apart[position], chain_numbers[position] = (
                ascending_values[high] - median,
                chains[high],
            )
            high += 1
    return distances_apart, chain_numbers


@kernel
def rhat(ascending_values: Values, chains: Chains, number: int, upper: Values) -> float:
    """R-hat of so many chains of equal lengths, from the normal scores of their values' ranks.

    upper: scores of ranks, by how many halves they are above the middle one; equal values share
    the mean of their ranks. Infinite where the chains are constants that differ, 1 where all
    values are equal.
    """
    n, chain_length = ascending_values.size, ascending_values.size // number
    sums, squares, last, score = np.zeros(number), 0.0, -1, 0.0
    for first in range(n):
        if first > last:  # of the next values that are equal
            last = first
            while last + 1 < n and ascending_values[last + 1] == ascending_values[first]:
                last += 1
            rank_above_middle = first + last - (n - 1)
            score = (
                upper[rank_above_middle] if rank_above_middle >= 0 else -upper[-rank_above_middle]
            )
        sums[chains[first]] += score
        squares += score * score
    mean = total = between_variance = 0.0
    for chain in range(number):
        sums[chain] /= chain_length
        mean += sums[chain] / number
        total += sums[chain] * sums[chain]
    for chain in range(number):
        between_variance += (sums[chain] - mean) ** 2
    between_variance /= number - 1
    within_variance = (squares - chain_length * total) / (number * (chain_length - 1))
    if within_variance <= ROUNDED:
        return np.inf if between_variance > ROUNDED else 1.0
    return float(np.sqrt(between_variance / within_variance + (chain_length - 1) / chain_length))
