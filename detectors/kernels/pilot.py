"""Pilot: E-divisive with medians (EDM), percent penalty; autocorrelation of subsessions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import inlined_kernel, kernel
from detectors.kernels.order_statistics import median

Places = NDArray[np.int64]
Links = NDArray[np.int32]
NO_Q = -1
ALL_ALIKE = 1.0  # the autocorrelation of values without any variance
ROUGHLY = 1e-6  # far above the error of an autocorrelation from sums of up to a million values


@kernel
def penalty_factor(degree: int, count: int) -> float:
    """Factor of `percent`, where the shorter prefix has `count` changepoints."""
    if degree == 0:
        return 0.0
    return 1.0 if degree == 1 else 2.0 * count + 1.0


def edm(z: Values, least_size: int, percent: float, degree: int) -> Places:
    """Changepoints of `z` (1 value or more), ascending, each the first value of its segment."""
    # Sorted here, because compiling a sort takes longer than all the rest.
    return edm_in_order(z, np.argsort(z, kind="stable"), least_size, percent, degree)


@kernel
def edm_in_order(z: Values, order: Places, least_size: int, percent: float, degree: int) -> Places:
    """Changepoints of `edm`, given the places of the values from the lowest to the highest.

    For every prefix the best statistic is kept (`gain`), with its last changepoint, their
    number, and the median of the last segment (`last_median`). A changepoint t is tried for all
    prefixes behind it at once, as soon as the prefix up to t is settled: n² / 2 steps, in
    memory that grows with n.
    """
    n = z.size
    gain, last_median = np.zeros(n + 1), np.zeros(n + 1)
    previous_changes, count = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    sorted_values = np.empty(n + 2)
    ranks = np.empty(n, np.int32)
    # Neighbours in sorted order, shifted by one: 0 and n + 1 stand for none.
    link_after, link_before = np.empty(n + 2, np.int32), np.empty(n + 2, np.int32)
    for i in range(n + 2):
        link_after[i], link_before[i] = i + 1, i - 1
    for i in range(n):
        ranks[order[i]] = i + 1
        sorted_values[i + 1] = z[order[i]]
    low = (n + 1) // 2  # place of the lower middle one of all values from t on
    scratch = np.empty(n)
    for t in range(n + 1):
        if t >= 2 * least_size:
            settle(t, z, percent, degree, gain, previous_changes, count, last_median, scratch)
        if t + least_size > n:
            continue
        if t == 0 or t >= least_size:
            try_changepoint(
                t,
                least_size,
                sorted_values,
                ranks,
                low,
                link_after.copy(),
                link_before.copy(),
                gain,
                previous_changes,
                count,
                last_median,
            )
        low = unlink_value(ranks[t], low, n - t, link_after, link_before)
    return follow_changes(previous_changes, count[n])


@inlined_kernel
def settle(  # noqa: PLR0917  # kernels have no keyword arguments
    s: int,
    z: Values,
    percent: float,
    degree: int,
    gain: Values,
    previous_changes: Places,
    count: Places,
    last_median: Values,
    scratch: Values,
) -> None:
    """Drop the last changepoint of the prefix up to s, if it gains less than its penalty."""
    q = previous_changes[s]
    if q != 0 and gain[s] - gain[q] < percent * penalty_factor(degree, count[q]) * gain[q]:
        count[s], gain[s], previous_changes[s] = count[q], gain[q], previous_changes[q]
        last_median[s] = median(z[previous_changes[s] : s], scratch)


@inlined_kernel
def try_changepoint(  # noqa: PLR0917
    t: int,
    least_size: int,
    sorted_values: Values,
    ranks: Links,
    low: int,
    link_after: Links,
    link_before: Links,
    gain: Values,
    previous_changes: Places,
    count: Places,
    last_median: Values,
) -> None:
    """Offer t as last changepoint to every prefix that leaves `least_size` values behind it.

    The medians of z[t:s], for s from n downwards, come from the list of the values from t on
    in sorted order, from which z[s - 1] is taken each time; the list is used up. The median
    left of t was a right median when its prefix was settled. From t = 0 there are only those.
    """
    p = previous_changes[t]
    for s in range(ranks.size, t + least_size - 1, -1):
        right_median = sorted_values[low]
        if (s - t) % 2 == 0:
            right_median = (right_median + sorted_values[link_after[low]]) / 2
        d = last_median[t] - right_median
        v = gain[t] + (t - p) * (s - t) / float((s - p) * (s - p)) * (d * d)
        if t == 0:
            last_median[s] = right_median
        # Every prefix is offered its changepoints in ascending order: of equals the first stays.
        elif v > gain[s]:
            gain[s], previous_changes[s], count[s], last_median[s] = (
                v,
                t,
                count[t] + 1,
                right_median,
            )
        low = unlink_value(ranks[s - 1], low, s - t, link_after, link_before)


@kernel
def unlink_value(
    removed_index: int, low: int, size: int, link_after: Links, link_before: Links
) -> int:
    """Take a place out of a list of `size`; the lower middle place, which was `low`, after that."""
    if size % 2 == 1:
        new_middle = link_before[low] if removed_index >= low else low
    else:
        new_middle = link_after[low] if removed_index <= low else low
    next_index, previous_index = link_after[removed_index], link_before[removed_index]
    link_after[previous_index], link_before[next_index] = next_index, previous_index
    return int(new_middle)


@inlined_kernel
def follow_changes(previous_changes: Places, count: int) -> Places:
    """The `count` changepoints of the whole series, ascending."""
    changepoints = np.empty(count, np.int64)
    changepoint = previous_changes[-1]
    for changepoint_index in range(count - 1, -1, -1):
        changepoints[changepoint_index] = changepoint
        changepoint = previous_changes[changepoint]
    return changepoints


@kernel
def slice_mean(x: Values, lo: int, hi: int, harmonic: bool) -> float:  # noqa: FBT001
    """The arithmetic or harmonic mean of ``x[lo:hi]``; harmonic needs positive values."""
    total = 0.0
    for i in range(lo, hi):
        total += 1 / x[i] if harmonic else x[i]
    return (hi - lo) / total if harmonic else total / (hi - lo)


@kernel
def spread_of_subsessions(x: Values, q: int, harmonic: bool) -> tuple[float, float]:  # noqa: FBT001
    """Variance of the means of subsessions of q values, and their lag-1 autocorrelation.

    Both are around the mean of all values; those after the last whole subsession have no mean.
    Fewer than two subsessions, or no variance at all, count as fully correlated.
    """
    h = x.size // q
    if h < 2:
        return 0.0, ALL_ALIKE
    mean = slice_mean(x, 0, x.size, harmonic)
    squares = products = last = 0.0
    for i in range(h):
        u = slice_mean(x, i * q, (i + 1) * q, harmonic) - mean
        squares += u * u
        if i > 0:
            products += u * last
        last = u
    variance, covariance = squares / (h - 1), products / (h - 1)
    return variance, covariance / variance if variance > 0 else ALL_ALIKE


@kernel
def subsession_size(x: Values, most_correlation: float, harmonic: bool) -> int:  # noqa: FBT001
    """The smallest q with an autocorrelation from -most to most, or `NO_Q`.

    Sums up to each value tell for almost every q, in n / q steps, that it is too small; only
    one that may be large enough is asked with `spread_of_subsessions`, whose digits decide.
    """
    sums = sums_around_mean(x)
    for q in range(1, x.size // 3 + 1):
        if not harmonic and math.fabs(rough_autocorrelation(sums, q)) > most_correlation + ROUGHLY:
            continue
        _, r = spread_of_subsessions(x, q, harmonic)
        if math.fabs(r) <= most_correlation:
            return q
    return NO_Q


@inlined_kernel
def sums_around_mean(x: Values) -> Values:
    """Sums of the first 0, 1, … n differences from the mean."""
    sums = np.zeros(x.size + 1)
    mean = slice_mean(x, 0, x.size, False)  # noqa: FBT003
    for i in range(x.size):
        sums[i + 1] = sums[i] + (x[i] - mean)
    return sums


@inlined_kernel
def rough_autocorrelation(sums: Values, q: int) -> float:
    """Lag-1 autocorrelation of subsessions of q values, from their sums; to about nine digits."""
    squares = products = last = 0.0
    for i in range(q, sums.size, q):
        u = sums[i] - sums[i - q]
        squares += u * u
        products += u * last
        last = u
    return products / squares if squares > 0 else ALL_ALIKE
