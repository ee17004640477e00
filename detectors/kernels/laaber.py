"""Stopping rules of Laaber et al.: steps of a second, bootstrap of grouped values, densities.

Random words are hashes of their number (splitmix64: Steele, Lea & Flood 2014), so that a draw is
the same whichever were made before it. Arrays are worked on as wholes where that costs nothing,
because these kernels must also be bearable when they are not compiled.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import kernel
from detectors.kernels.windows import place_of

Words = NDArray[np.uint64]
Places = NDArray[np.int64]

LARGEST = 1.79e308  # less than the largest double
ENOUGH = 1e290  # operations in an iteration; more are not told apart, and their sum stays finite
REACH = 5.0  # bandwidths from a value at which its part of a density is cut off (smile 1.5.3)
NORMAL, IQR_OF_NORMAL, RATE = 1.06, 1.34, 0.2  # Scott's rule, as smile 1.5.3 has it
COARSE = 1e100  # grid steps in bandwidths; beyond, a value reaches one grid point at most

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S11, S27, S30, S31, S32 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOWER_HALF = np.uint64(0xFFFFFFFF)
CERTAIN = 1 << 32  # a coin of 32 bits is always below


@kernel
def word(state: np.uint64) -> np.uint64:
    """The random word of a state."""
    z = (state ^ (state >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return z ^ (z >> S31)


@kernel
def hash_words(key: Words, first: int, count: int) -> Words:
    """`count` random words of the stream `key` (one word), from number `first` on."""
    z = np.arange(first, first + count).astype(np.uint64) * GOLDEN + key
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return z ^ (z >> S31)


@kernel
def halves(key: Words, first: int, count: int) -> Words:
    """`count` random numbers of 32 bits, two of a word."""
    words = hash_words(key, first, (count + 1) // 2)
    random_halves = np.empty(2 * words.size, dtype=np.uint64)
    for i in range(words.size):
        random_halves[2 * i], random_halves[2 * i + 1] = words[i] >> S32, words[i] & LOWER_HALF
    return random_halves[:count]


def uniforms(key: Words, count: int) -> Values:
    """`count` random numbers from 0 to below 1."""
    return (hash_words(key, 0, count) >> S11).astype(np.float64) * 2.0**-53


# --- steps ----------------------------------------------------------------------------------------


def operations(x: Values, iteration_time: float) -> Values:
    """Operations of x seconds that an iteration of that length holds; 1 without a length."""
    if iteration_time > 0:
        return np.ceil(iteration_time / np.maximum(x, iteration_time / ENOUGH))
    return np.ones(x.size)


@kernel
def iteration_seconds(x: float, iteration_time: float) -> float:
    """Seconds that the iteration took: whole operations only."""
    if iteration_time <= 0:
        return x
    count = iteration_time / x
    return iteration_time if count >= ENOUGH else float(np.ceil(count)) * x


@kernel
def end_of_step(  # noqa: PLR0917  # numba knows no keyword-only arguments
    values: Values,
    first_iteration: int,
    elapsed_seconds: float,
    iteration_time: float,
    seconds: float,
    step_time: float,
) -> tuple[int, float]:
    """Last iteration of the step of which `elapsed_seconds` have passed before `first_iteration`.

    An iteration takes `seconds`, or if these are 0, what its operations take. Returns
    (iteration, 0), or (-1, seconds so far) if the values end before, or (-2 - iteration, 0)
    for a value that is not positive. What exceeds a step is dropped.
    """
    for i in range(first_iteration, values.size):
        x = float(values[i])
        if x <= 0:
            return -2 - i, 0.0
        elapsed_seconds += seconds if seconds > 0 else iteration_seconds(x, iteration_time)
        if elapsed_seconds >= step_time:
            return i, 0.0
    return -1, elapsed_seconds


@kernel
def element_of_rank(x: Values, weight_sums: Values, rank: float) -> float:
    """Element of that 1-based rank, of sorted values up to which `weight_sums` weigh."""
    return float(x[min(place_of(weight_sums, weight_sums.size, rank), x.size - 1)])


def inliers(values: Values, weights: Values, factor: float) -> tuple[Values, Values]:
    """Values within a factor of the weighted median, sorted, and the weights up to each.

    The median is that of commons-math 3.6.1, of every value repeated as often as it weighs. With
    a factor below 2 it may lie between two values so that none is near: then all are kept.
    """
    # Sorted here, because compiling a sort takes longer than all the rest.
    order = np.argsort(values, kind="stable")
    return near_median(values[order], weights[order], factor)


@kernel
def near_median(x: Values, w: Values, factor: float) -> tuple[Values, Values]:
    """`inliers`, given the values in order."""
    weight_sums = np.cumsum(w)
    position = (weight_sums[-1] + 1) / 2
    rank = np.floor(position)
    lower = element_of_rank(x, weight_sums, rank)
    middle = lower + (position - rank) * (element_of_rank(x, weight_sums, rank + 1) - lower)
    is_near = (x >= middle / factor) & (x <= min(middle, LARGEST / factor) * factor)
    if not is_near.any():
        return x, weight_sums
    return x[is_near], np.cumsum(w[is_near])


def moments(values: Values, weights: Values, factor: float) -> tuple[float, float]:
    """Weighted mean of a step without its outliers, and variance over squared mean."""
    order = np.argsort(values, kind="stable")
    return moments_in_order(values[order], weights[order], factor)


@kernel
def moments_in_order(x: Values, w: Values, factor: float) -> tuple[float, float]:
    """`moments`, given the values in order."""
    x, weight_sums = near_median(x, w, factor)
    _, exponent = math.frexp(float(x[-1]))
    shares_of_weight = np.empty(x.size)
    for i in range(x.size):
        shares_of_weight[i] = (
            weight_sums[i] - (weight_sums[i - 1] if i > 0 else 0.0)
        ) / weight_sums[-1]
    deviations = np.empty(x.size)
    first = math.ldexp(float(x[0]), -exponent)
    for i in range(x.size):
        deviations[i] = math.ldexp(float(x[i]), -exponent) - first
    mean_offset = (shares_of_weight * deviations).sum()
    mean = first + mean_offset
    variance = (shares_of_weight * (deviations - mean_offset) ** 2).sum()
    return math.ldexp(mean, exponent), (variance / mean / mean if mean > 0 else 0.0)


@kernel
def variation(means: Values, variances: Values, sample_size: int) -> float:
    """Coefficient of variation of `sample_size` values of each step, as is to be expected.

    means and inner: of each step, what `moments` gives.
    """
    peak = means.max()
    if peak == 0:
        return 0.0
    share = means / peak
    level = share.mean()
    variance = (variances * share * share + (share - level) ** 2).mean()
    n = float(sample_size) * means.size
    return float(math.sqrt(variance * (n / (n - 1))) / level)


def values_at_shares(x: Values, weight_sums: Values, shares: Values) -> Values:
    """The value that each random share stands for, by weight."""
    indices = np.searchsorted(weight_sums, shares * weight_sums[-1], side="right")
    values: Values = x[np.minimum(indices, x.size - 1)]
    return values


# --- bootstrap ------------------------------------------------------------------------------------


@kernel
def folded_chances(count: int) -> Values:
    """Chance that the published tool draws each of `count` elements: floor(abs(Z) mod count).

    Z is normal with the mean and the variance that make it look uniform.
    """
    if count == 1:
        return np.ones(1)
    mean = (count - 1) / 2
    scale = math.sqrt(count * (count + 1) / 6)  # standard deviation times the root of 2
    chances = np.zeros(count)
    share_before = 0.0
    for i in range(5 * count):  # beyond, less than 1e-30
        x = i + 1.0
        share = (math.erf((x - mean) / scale) + math.erf((x + mean) / scale)) / 2
        chances[i % count] += share - share_before
        share_before = share
    return chances


@kernel
def alias_table(shares: Values) -> tuple[Places, Words]:
    """Another element for each element, and the coin of 32 bits below which it stays itself."""
    count = shares.size
    remaining_shares = shares * count
    alias, cut = np.arange(count), np.full(count, CERTAIN, dtype=np.uint64)
    poor_indices, rich_indices = (
        np.flatnonzero(remaining_shares < 1),
        np.flatnonzero(remaining_shares >= 1),
    )
    p, r = poor_indices.size - 1, rich_indices.size - 1
    while p >= 0 and r >= 0:
        small_index, large_index = poor_indices[p], rich_indices[r]
        alias[small_index] = large_index
        cut[small_index] = np.uint64(remaining_shares[small_index] * CERTAIN)
        remaining_shares[large_index] -= 1 - remaining_shares[small_index]
        if remaining_shares[large_index] < 1:
            poor_indices[p] = large_index
            r -= 1
        else:
            p -= 1
    return alias, cut


@kernel
def simulated_means(  # noqa: PLR0917
    own_values: Values,
    alias: Values,
    cut: Words,
    sizes: Places,
    group_other: Places,
    group_cut: Words,
    key: Words,
    block: int,
    count: int,
) -> Values:
    """Means of `count` simulations: as many groups as there are, as many values as each has.

    own_values, alias, cut: of each value, group after group of those sizes; a coin at `cut` or
    above takes the other. group_other and group_cut do the same for groups. Simulations of another
    `block` have other random words.
    """
    groups = sizes.size
    starts = np.cumsum(sizes) - sizes
    group_draws = halves(key, block << 40, count * groups) * np.uint64(groups)
    state = key[0] + GOLDEN * np.uint64((block << 40) + count * groups)
    means = np.empty(count)
    total, random_word, is_upper_half = (
        0.0,
        word(state),
        True,
    )  # a word gives two draws: its upper half first
    for i in range(count):
        total_before, length = total, 0
        for group_draw in group_draws[i * groups : (i + 1) * groups]:
            group = np.int64(group_draw >> S32)
            if (group_draw & LOWER_HALF) >= group_cut[group]:
                group = group_other[group]
            start, size = starts[group], sizes[group]
            group_values, aliases, coins = own_values[start:], alias[start:], cut[start:]
            for _ in range(size):
                product = (
                    (random_word >> S32) if is_upper_half else (random_word & LOWER_HALF)
                ) * np.uint64(size)
                if not is_upper_half:
                    state += GOLDEN
                    random_word = word(state)
                is_upper_half = not is_upper_half
                value_index = product >> S32
                keeps_own, a, b = (
                    (product & LOWER_HALF) < coins[value_index],
                    group_values[value_index],
                    aliases[value_index],
                )
                total += a if keeps_own else b
            length += size
        means[i] = (total - total_before) / length
    return means


# --- densities ------------------------------------------------------------------------------------


@kernel
def percentile(x: Values, percent: float) -> float:
    """Percentile of sorted values as commons-math 3.6.1 has it: rank percent · (n + 1)."""
    position = percent / 100 * (x.size + 1)
    if position < 1:
        return float(x[0])
    if position >= x.size:
        return float(x[-1])
    rank = int(position)
    return float(x[rank - 1] + (position - rank) * (x[rank] - x[rank - 1]))


@kernel
def limits(x: Values, range_factor: float) -> tuple[float, float]:
    """Ends of the grid for a density of the sorted values: quartiles, and a share of their
    range.
    """
    low, high = percentile(x, 25.0), percentile(x, 75.0)
    margin = range_factor * (high - low)
    return max(0.0, low - margin), high + margin


@kernel
def bandwidth(x: Values) -> float:
    """Bandwidth of a Gaussian kernel for the sorted values; 0 when half of them are equal."""
    n = x.size
    distances = x - x[0]
    deviation = math.sqrt(((distances - distances.mean()) ** 2).sum() / (n - 1))
    middle = float(x[3 * n // 4] - x[n // 4])
    return float(NORMAL * min(deviation, middle / IQR_OF_NORMAL) / n**RATE)


@kernel
def density(x: Values, low: float, step: float, grid: int) -> Values:
    """Kernel density of the sorted values at `grid` points from `low` on; 0 without bandwidth.

    From one grid point to the next a normal curve changes by a factor, and that factor by
    another one which is the same for all values: one exponential a value, not one a point.
    """
    y = low + np.arange(grid) * step
    heights = np.zeros(grid)
    h = bandwidth(x)
    if h == 0:
        return heights
    is_first = np.ones(x.size, dtype=np.bool_)
    for i in range(1, x.size):
        is_first[i] = x[i] != x[i - 1]
    firsts = np.flatnonzero(is_first)
    counts = np.empty(firsts.size)
    for i in range(firsts.size):
        counts[i] = (firsts[i + 1] if i + 1 < firsts.size else x.size) - firsts[i]
    z = x[firsts]
    starts = np.searchsorted(y + REACH * h, z, side="right")
    stops = np.searchsorted(y - REACH * h, z, side="right")
    s = min(step / h, COARSE)
    t = np.arange(grid).astype(np.float64)
    bend = np.exp(-(s * s / 2) * (t * (t - 1)))
    factors = np.empty(grid)
    for i in range(z.size):
        a, b = starts[i], stops[i]
        if a < b:
            d = (y[a] - z[i]) / h
            factors[: b - a] = math.exp(-(d * s + s * s / 2))
            factors[0] = counts[i] * math.exp(-d * d / 2)
            reached_heights = heights[a:b]
            np.add(reached_heights, np.cumprod(factors[: b - a]) * bend[: b - a], reached_heights)
    return heights / (x.size * h * math.sqrt(2 * math.pi))


@kernel
def likeness(a: Values, b: Values, grid: int, range_factor: float) -> float:
    """Likeness of the densities of two sorted samples: 1 equal, 0 nothing in common.

    Two to the power of minus both Kullback-Leibler divergences, these in natural logarithms.
    """
    _, exponent = math.frexp(max(float(a[-1]), float(b[-1])))
    a, b = scale_by_power(a, exponent), scale_by_power(b, exponent)
    low, high = limits(a, range_factor)
    other_low, other_high = limits(b, range_factor)
    low, high = min(low, other_low), max(high, other_high)
    if low == high:
        return 1.0
    step = (high - low) / (grid - 1)
    f, g = density(a, low, step, grid), density(b, low, step, grid)
    both_positive = (f > 0) & (g > 0)
    if not both_positive.any():
        return 0.0
    f, g = f[both_positive], g[both_positive]
    return float(2.0 ** -(((f - g) * (np.log(f) - np.log(g))).sum() * step))


@kernel
def scale_by_power(x: Values, exponent: int) -> Values:
    """The values over a power of two, which changes no digit."""
    scaled_values = np.empty(x.size)
    for i in range(x.size):
        scaled_values[i] = math.ldexp(float(x[i]), -exponent)
    return scaled_values
