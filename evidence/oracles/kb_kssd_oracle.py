"""KB-KSSD as its definition says it: whole-array NumPy, lists, convolutions; nothing clever.

The oracle of `detectors.kernels.kb_kssd`. It sorts, convolves and keeps lists where the kernel
selects, sums and keeps two numbers.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from detectors.contract import Values


def substitute_outliers(x: Values, window: int, low: float, high: float) -> Values:
    body = x[1:].copy()
    for section in np.array_split(body, body.size // window):  # views, the longer ones first
        upper, lower = np.percentile(section, [high, low])
        outlier_indices = [*np.flatnonzero(section > upper), *np.flatnonzero(section < lower)]
        for outlier_index in outlier_indices:
            section[outlier_index] = np.median(section)
    return np.r_[x[0], body]


def large_responses(x: Values) -> Values:
    """c[k], k = 0 … n: the sum from k on minus the sum before k."""
    d = x - x.mean()
    kernel = np.r_[np.ones(x.size), -np.ones(x.size)]
    return np.convolve(kernel, d, mode="valid")


def short_responses(x: Values, half_width: int = 15) -> Values:
    d = x - x.mean()
    return np.convolve(d, np.r_[np.ones(half_width), -np.ones(half_width)], mode="valid")


def kernel_indices(x: Values, half_width: int = 15) -> tuple[int, int]:
    """Lg and Sh, before any rule."""
    short_index = int(np.argmin(short_responses(x, half_width))) + half_width - 1
    return int(np.argmin(large_responses(x))) - 1, short_index


def is_tied(responses: Values) -> bool:
    """True where the two smallest responses are so near that rounding may order them."""
    least_response, second_response = np.partition(responses, 1)[:2]
    return bool(second_response - least_response <= 1e-9 * (np.ptp(responses) or 1.0))


def step_of(x: Values, window: int, half_width: int = 15) -> int:
    n, d, med = x.size, x - x.mean(), np.median
    large_index, short_index = kernel_indices(x, half_width)
    if large_index == n - 1 or abs(large_index - short_index) <= 1:
        large_index = -1
    if large_index > -1:
        short_index, large_index = sorted((short_index, large_index))
        if short_index == 0:
            return large_index
        change = med(d[max(large_index - window, 0) : large_index + 1]) - med(
            d[large_index + 1 :][:window]
        )
        stays_high = med(d[short_index + 1 : large_index]) > 2 * abs(change) + med(
            d[large_index + 1 :]
        )
        step = large_index if stays_high else short_index
    else:
        step = short_index
    if med(d[:step]) - med(d[step:]) < abs(med(d)) / 2:
        return short_index if step > short_index else -1
    return step


def kelly_values(z: Values, window: int, t_crit: float) -> Values:
    """Kelly's probability of every value."""
    if z.size < 3:
        return np.full(z.size, -1.0)
    window = min(window, z.size)
    edges = list(range(0, z.size, window))
    if z.size - edges[-1] < 3:
        edges.pop()
    return np.concatenate([_kelly(piece, t_crit) for piece in np.split(z, edges[1:])])


def _kelly(z: Values, t_crit: float) -> Values:
    k = z.size
    if np.ptp(z) == 0:
        return np.ones(k)
    i = np.arange(1, k + 1)
    slope = np.diff(z).mean()
    mu = (z - slope * i).mean()
    sd = np.sqrt(((z - slope * i - mu) ** 2).sum() / (k - 2))
    return np.full(k, np.mean(np.abs(z - mu) <= t_crit * sd))


def equal_runs_of(p: Values, step: int) -> list[tuple[int, int, float]]:
    """(first, last, P) of equal neighbours, as published: without a single last value."""
    p = p.copy()
    p[: max(step, 0)] = 0
    edges = [0, *(np.flatnonzero(np.diff(p)) + 1), p.size]
    equal_runs = [(int(a), int(b) - 1, float(p[a])) for a, b in pairwise(edges)]
    return (
        equal_runs[:-1]
        if len(equal_runs) > 1 and equal_runs[-1][0] == equal_runs[-1][1]
        else equal_runs
    )


def index_of(p: Values, step: int, threshold: float, shortest_run: int) -> int:
    equal_runs = equal_runs_of(p, step)
    index = -1
    for first, _, probability in reversed(equal_runs):
        if probability < threshold:
            break
        index = first
    return index if index <= equal_runs[-1][1] - shortest_run else -1


def probabilities(s: Values, step: int, window: int, t_crit: float) -> Values:
    if step < 0:
        return kelly_values(s, window, t_crit)
    right_values = s[step + 1 :]
    right_probabilities = (
        np.zeros(1) if right_values.size == 1 else kelly_values(right_values, window, t_crit)
    )
    return np.r_[np.zeros(step + 1), right_probabilities]


def kb_kssd(
    x: Values,
    *,
    outlier_window: int = 100,
    pct_low: float = 2.0,
    pct_high: float = 98.0,
    step_window: int = 70,
    short_half: int = 15,
    prob_window: int = 500,
    t_crit: float = 4.0,
    prob_threshold: float = 0.95,
    min_steady_length: int = 1,
) -> tuple[int, int]:
    """(index, step), without the median filter."""
    s = substitute_outliers(x, outlier_window, pct_low, pct_high)
    step = step_of(s, step_window, short_half)
    p = probabilities(s, step, prob_window, t_crit)
    return index_of(p, step, prob_threshold, min_steady_length), step
