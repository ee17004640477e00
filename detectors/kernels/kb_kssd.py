"""KB-KSSD: outlier substitution, two step kernels, Kelly windows read from the end.

Written for one pass of a cache-sized series: nothing is sorted, nothing is convolved, and
the cost is n log(section) and a median or two.
"""

from __future__ import annotations

import math

import numpy as np

from detectors.contract import NEVER, Values
from detectors.kernels.jit import inlined_kernel, kernel
from detectors.kernels.order_statistics import copy_into, middle_pair, percentile

NO_STEP = -1
BLOCK = 512  # outputs of the short kernel that are summed together, in the first-level cache
LARGE, SMALL = 1e100, 1e-100  # beyond these, squares leave the range of a double


@kernel
def copy_in_range(values: Values) -> Values:
    """A copy to work on, times a power of two if squares could overflow or vanish.

    The method does not depend on the scale, and a power of two changes no digit.
    """
    copy = values.copy()
    a = b = 0.0
    for i in range(0, copy.size - 1, 2):
        a = max(a, abs(copy[i]))
        b = max(b, abs(copy[i + 1]))
    peak = max(a, b, abs(copy[-1]))
    if peak > LARGE or 0.0 < peak < SMALL:
        _, exponent = math.frexp(peak)
        for i in range(copy.size):
            copy[i] = math.ldexp(copy[i], -exponent)
    return copy


@inlined_kernel
def substitute_section(x: Values, low: float, high: float, scratch: Values) -> None:
    """Replace what lies beyond the percentiles by the section's median, which moves meanwhile.

    First the values above, then those below, in their order. The moving median needs no list:
    a replaced value becomes one of the two middle ones.
    """
    m = x.size
    copy_into(scratch, x)
    p, q = middle_pair(scratch, 0, m)
    half_size = m // 2
    # Ranks far enough from the middle are looked for in their half only.
    lower_end = half_size if (m - 1) * (low / 100.0) + 1 < half_size else m
    lower = percentile(scratch, 0, lower_end, m, low)
    upper_begin = (
        half_size if (m - 1) * (high / 100.0) - 1 > half_size and lower_end == half_size else 0
    )
    upper = percentile(scratch, upper_begin, m, m, high)

    for i in range(m):
        if x[i] > upper:
            x[i] = q = (p + q) / 2
    for i in range(m):
        if x[i] < lower:
            x[i] = p = (p + q) / 2


@kernel
def substitute(x: Values, window: int, low: float, high: float) -> None:
    """Section 2 of the method, in place: value 0 is left out, sections differ by at most one."""
    body = x.size - 1
    sections = body // window
    size, longer_count = body // sections, body % sections
    scratch = np.empty(size + 1)
    start = 1
    for section in range(sections):
        stop = start + size + (section < longer_count)
        substitute_section(x[start:stop], low, high, scratch)
        start = stop


@kernel
def smooth_values(x: Values, width: int) -> Values:
    """Running median over `width` (odd) values, zeros beyond both ends."""
    n, half_width = x.size, width // 2
    medians, scratch = np.empty(n), np.empty(width)
    for i in range(n):
        for j in range(width):
            position = i - half_width + j
            scratch[j] = x[position] if 0 <= position < n else 0.0
        _, medians[i] = middle_pair(scratch, 0, width)
    return medians


@kernel
def centred_median(x: Values, mean: float, scratch: Values) -> float:
    """Median of ``x - mean``, taken on x: subtracting keeps the order."""
    copy_into(scratch, x)
    p, q = middle_pair(scratch, 0, x.size)
    return ((p - mean) + (q - mean)) / 2


@kernel
def mean_about(x: Values, offset: float) -> float:
    """Mean of x, summed about a value near it: exact for a constant."""
    a = b = c = d = 0.0
    stop = x.size - x.size % 4
    for i in range(0, stop, 4):
        a += x[i] - offset
        b += x[i + 1] - offset
        c += x[i + 2] - offset
        d += x[i + 3] - offset
    for i in range(stop, x.size):
        a += x[i] - offset
    return offset + ((a + b) + (c + d)) / x.size


@kernel
def large_step(x: Values, mean: float) -> int:
    """Last index left of the large kernel's step: where the centred prefix sum is largest."""
    total = largest_total = 0.0
    step_index = NO_STEP
    for i in range(x.size):
        total += x[i] - mean
        if total > largest_total:
            largest_total, step_index = total, i
    return step_index


@kernel
def short_step(x: Values, half_width: int) -> int:
    """Last index of the left half where the short kernel's drop is deepest; the first such.

    Sums are taken directly: differences of prefix sums would move ties.
    """
    outputs = x.size - 2 * half_width + 1
    drops = np.empty(BLOCK)
    largest_drop, step_index = np.inf, 0
    for start in range(0, outputs, BLOCK):
        count = min(BLOCK, outputs - start)
        drops[:count] = 0.0
        for j in range(start, start + half_width):
            earlier_values, later_values = (
                x[j : j + count],
                x[j + half_width : j + half_width + count],
            )
            for i in range(count):
                drops[i] += later_values[i] - earlier_values[i]
        for i in range(count):
            if drops[i] < largest_drop:
                largest_drop, step_index = drops[i], start + i
    return step_index + half_width - 1


@inlined_kernel
def is_later_chosen(  # noqa: PLR0917  # numba knows no keyword-only arguments
    x: Values, early_step: int, late_step: int, window: int, mean: float, scratch: Values
) -> bool:
    """True where, of two steps, the level between them is still far above the level behind them."""
    n = x.size
    level_before = centred_median(x[max(late_step - window, 0) : late_step + 1], mean, scratch)
    level_after = centred_median(x[late_step + 1 : min(late_step + window + 1, n)], mean, scratch)
    level_behind = centred_median(x[late_step + 1 :], mean, scratch)
    median_between = centred_median(x[early_step + 1 : late_step], mean, scratch)
    return bool(median_between > 2 * abs(level_before - level_after) + level_behind)


@kernel
def find_step(x: Values, window: int, half_width: int) -> int:
    """Section 3 of the method: the last index before the series steps down, or `NO_STEP`."""
    n = x.size
    scratch = x.copy()
    p, q = middle_pair(scratch, 0, n)
    mean = mean_about(x, p)
    large_index, short_index = large_step(x, mean), short_step(x, half_width)
    if large_index == n - 1 or abs(large_index - short_index) <= 1:
        large_index = NO_STEP

    step = short_index
    if large_index > NO_STEP:
        short_index, large_index = min(short_index, large_index), max(short_index, large_index)
        if short_index == 0:
            return large_index
        step = (
            large_index
            if is_later_chosen(x, short_index, large_index, window, mean, scratch)
            else short_index
        )

    drop = centred_median(x[:step], mean, scratch) - centred_median(x[step:], mean, scratch)
    if drop < abs(((p - mean) + (q - mean)) / 2) / 2:
        return short_index if step > short_index else NO_STEP
    return step


@kernel
def kelly(z: Values, t_crit: float) -> float:
    """Share of a window's values near its drift line's intercept: Kelly's probability.

    Fewer than three values have none: -1. A constant window is steady: 1.
    """
    k = z.size
    if k < 3:
        return -1.0
    slope = (z[k - 1] - z[0]) / (k - 1)
    total = mean_about(z, 0.0) * k
    intercept = (total - slope * k * (k + 1) / 2) / k

    a = b = 0.0
    for i in range(0, k - 1, 2):
        a += (z[i] - slope * (i + 1) - intercept) ** 2
        b += (z[i + 1] - slope * (i + 2) - intercept) ** 2
    if k % 2:
        a += (z[k - 1] - slope * k - intercept) ** 2
    reach = t_crit * math.sqrt((a + b) / (k - 2))

    near_count = 0
    for i in range(k):
        near_count += abs(z[i] - intercept) <= reach
    return 1.0 if near_count < k and z.min() == z.max() else near_count / k


@kernel
def window_starts(first: int, n: int, window: int) -> Values:
    """Starts of the tumbling windows over ``first … n - 1``, and n.

    One or two values left over join the last window.
    """
    window = max(min(window, n - first), 1)
    count = (n - first) // window + (1 if (n - first) % window > 2 else 0)
    starts = np.empty(max(count, 1) + 1)
    for i in range(starts.size - 1):
        starts[i] = first + i * window
    starts[-1] = n
    return starts


@kernel
def probabilities(x: Values, step: int, window: int, t_crit: float) -> tuple[Values, Values]:
    """Kelly's probability of every window right of the step: (starts with n at the end, P).

    A right side of a single value has the probability 0.
    """
    starts = window_starts(step + 1, x.size, window)
    kelly_probabilities = np.empty(starts.size - 1)
    for i in range(kelly_probabilities.size):
        z = x[int(starts[i]) : int(starts[i + 1])]
        kelly_probabilities[i] = 0.0 if z.size == 1 else kelly(z, t_crit)
    return starts, kelly_probabilities


@kernel
def steady_from(  # noqa: PLR0917
    x: Values, step: int, window: int, t_crit: float, least_probability: float, shortest_run: int
) -> int:
    """Start of the longest run of windows up to the end with P >= `least_probability`, or `NEVER`.

    Windows are judged from the last backwards: those before one that fails do not matter.
    """
    n = x.size
    starts = window_starts(step + 1, n, window)
    steady_start = n
    for i in range(starts.size - 2, -1, -1):
        start, stop = int(starts[i]), int(starts[i + 1])
        probability = 0.0 if stop - start == 1 else kelly(x[start:stop], t_crit)
        if probability < least_probability:
            break
        steady_start = start
    if steady_start == step + 1 and least_probability <= 0.0:
        steady_start = 0  # left of the step the probability is 0, which then is enough
    return steady_start if steady_start <= n - 1 - shortest_run and steady_start < n else NEVER


@kernel
def prepare_values(values: Values, window: int, low: float, high: float) -> Values:
    """The series with its outliers substituted, in a range where squares are safe."""
    x = copy_in_range(values)
    substitute(x, window, low, high)
    return x


@kernel
def kb_kssd(  # noqa: PLR0917
    values: Values,
    outlier_window: int,
    pct_low: float,
    pct_high: float,
    medfilt: int,
    step_window: int,
    short_half: int,
    prob_window: int,
    t_crit: float,
    prob_threshold: float,
    min_steady_length: int,
) -> tuple[int, int]:
    """The whole method: (steady start or `NEVER`, step or `NO_STEP`).

    Needs at least ``max(2 * short_half, outlier_window + 1)`` values.
    """
    x = prepare_values(values, outlier_window, pct_low, pct_high)
    smoothed_values = smooth_values(x, medfilt) if medfilt > 1 else x
    step = find_step(smoothed_values, step_window, short_half)
    steady_start = steady_from(x, step, prob_window, t_crit, prob_threshold, min_steady_length)
    return steady_start, step
