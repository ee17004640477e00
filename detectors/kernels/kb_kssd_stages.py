"""KB-KSSD under many parameter sets at once: a stage is computed once for each of its inputs.

The arithmetic is that of `kb_kssd`, in the same order, so that each answer is the same to the
last bit; what differs is only how often it is done.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NEVER, Values
from detectors.kernels.jit import inlined_kernel, kernel
from detectors.kernels.kb_kssd import (
    NO_STEP,
    centred_median,
    large_step,
    mean_about,
    prepared,
    short_step,
    window_starts,
)
from detectors.kernels.order import middle
from detectors.kernels.windows import slide

UNKNOWN = -2  # not answered yet

# Columns of a way to find the step, of a set's numbers, and of what is known of a window.
MEDFILT, SHORT_HALF, STEP_WINDOW = 0, 1, 2
PROB_WINDOW, T_CRIT, THRESHOLD, SHORTEST = 0, 1, 2, 3
SHARE, COUNTED_AT, INTERCEPT, SPREAD = 0, 1, 2, 3

Integers = NDArray[np.int64]
Starts = NDArray[np.int32]


@kernel
def running_median(x: Values, width: int) -> Values:
    """Running median over `width` (odd) values, zeros beyond both ends: `smoothed`, sliding."""
    n, half = x.size, width // 2
    out, ranked = np.empty(n), np.zeros(width)
    for i in range(-half, n):
        leaving = x[i - half - 1] if i - half - 1 >= 0 else 0.0
        entering = x[i + half] if i + half < n else 0.0
        if leaving != entering:
            slide(ranked, leaving, entering)
        if i >= 0:
            out[i] = ranked[half]
    return out


@kernel
def stays_down(x: Values, step: int, mean: float, least: float, scratch: Values) -> bool:
    """The final test of a step: the level right of it lies far enough below that left of it."""
    drop = centred_median(x[:step], mean, scratch) - centred_median(x[step:], mean, scratch)
    return bool(drop >= least)


@kernel
def find_steps(x: Values, half: int, windows: Integers, steps: Integers) -> None:
    """`find_step` for each of `windows`, into `steps`: all else is computed once."""
    n = x.size
    scratch = x.copy()
    p, q = middle(scratch, 0, n)
    mean = mean_about(x, p)
    least = abs(((p - mean) + (q - mean)) / 2) / 2
    large, short = large_step(x, mean), short_step(x, half)
    if large == n - 1 or abs(large - short) <= 1:
        large = NO_STEP
    if large == NO_STEP:
        steps[:] = short if stays_down(x, short, mean, least, scratch) else NO_STEP
        return

    early, late = min(short, large), max(short, large)
    if early == 0:
        steps[:] = late
        return
    rest = centred_median(x[late + 1 :], mean, scratch)
    between = centred_median(x[early + 1 : late], mean, scratch)
    # A later step that fails the final test gives way to the early one, which is not tested.
    if_late = late if stays_down(x, late, mean, least, scratch) else early
    if_early = early if stays_down(x, early, mean, least, scratch) else NO_STEP
    for i in range(windows.size):
        left = centred_median(x[max(late - windows[i], 0) : late + 1], mean, scratch)
        right = centred_median(x[late + 1 : min(late + windows[i] + 1, n)], mean, scratch)
        steps[i] = if_late if between > 2 * abs(left - right) + rest else if_early


@inlined_kernel
def fill_steps(x: Values, ways: Integers, steps: Integers) -> None:
    """The step of each way (medfilt, short_half, step_window), sorted, into `steps`."""
    at = 0
    while at < len(ways):
        medfilt, half = ways[at, MEDFILT], ways[at, SHORT_HALF]
        to = at + 1
        while to < len(ways) and ways[to, MEDFILT] == medfilt and ways[to, SHORT_HALF] == half:
            to += 1
        seen = running_median(x, medfilt) if medfilt > 1 else x
        find_steps(seen, half, ways[at:to, STEP_WINDOW], steps[at:to])
        at = to


@kernel
def drift_line(z: Values) -> tuple[float, float]:
    """What Kelly's test needs of a window, whatever its t_crit: intercept and spread."""
    k = z.size
    slope = (z[k - 1] - z[0]) / (k - 1)
    total = mean_about(z, 0.0) * k
    intercept = (total - slope * k * (k + 1) / 2) / k

    a = b = 0.0
    for i in range(0, k - 1, 2):
        a += (z[i] - slope * (i + 1) - intercept) ** 2
        b += (z[i + 1] - slope * (i + 2) - intercept) ** 2
    if k % 2:
        a += (z[k - 1] - slope * k - intercept) ** 2
    return intercept, math.sqrt((a + b) / (k - 2))


@inlined_kernel
def is_constant(z: Values) -> bool:
    """Whether all values are the same; mostly two of them tell."""
    at = 1
    while at < z.size and z[at] == z[0]:
        at += 1
    return at >= z.size


@kernel
def share_within(z: Values, intercept: float, reach: float) -> float:
    """Share of values within the band; 1 in a constant window."""
    near = 0
    for i in range(z.size):
        near += abs(z[i] - intercept) <= reach
    return 1.0 if near < z.size and is_constant(z) else near / z.size


@inlined_kernel
def passes(z: Values, known: Values, t_crit: float, threshold: float) -> bool:
    """Whether Kelly's probability of the window z is at least `threshold`.

    `known` is what earlier sets have found of it. They had no greater t_crit, and a wider band
    holds no fewer values: what was enough then is enough now, and nothing is counted.
    """
    if known[SHARE] >= threshold:
        return True
    if known[COUNTED_AT] >= t_crit:
        return False
    if known[SPREAD] < 0:
        known[INTERCEPT], known[SPREAD] = drift_line(z)
    known[SHARE] = share_within(z, known[INTERCEPT], t_crit * known[SPREAD])
    known[COUNTED_AT] = t_crit
    return bool(known[SHARE] >= threshold)


@inlined_kernel
def nothing_known(starts: Values) -> Values:
    """A row a window; one that is too short for the test has a probability all the same."""
    known = np.full((starts.size - 1, 4), -np.inf)
    for i in range(starts.size - 1):
        length = starts[i + 1] - starts[i]
        if length < 3:
            known[i, SHARE] = 0.0 if length == 1 else -1.0
            known[i, COUNTED_AT] = np.inf
    return known


@inlined_kernel
def steady_start(x: Values, starts: Values, known: Values, numbers: Values) -> int:
    """`steady_from` of one set: windows are judged from the last backwards, until one fails."""
    n, threshold = x.size, numbers[THRESHOLD]
    found = n
    for i in range(starts.size - 2, -1, -1):
        start, stop = int(starts[i]), int(starts[i + 1])
        if not passes(x[start:stop], known[i], numbers[T_CRIT], threshold):
            break
        found = start
    if found == int(starts[0]) and threshold <= 0.0:
        found = 0  # left of the step the probability is 0, which then is enough
    return found if found <= n - 1 - numbers[SHORTEST] and found < n else NEVER


@inlined_kernel
def fill_starts(  # noqa: PLR0917  # numba knows no keyword-only arguments
    x: Values, window: int, steps: Integers, way_of: Integers, numbers: Values, out: Starts
) -> None:
    """Answers of sets that share their substituted series and their windows' length.

    They come by rising t_crit; those with the same step share windows, too.
    """
    for first in range(out.size):
        if out[first] != UNKNOWN:
            continue
        step = steps[way_of[first]]
        starts = window_starts(step + 1, x.size, window)
        known = nothing_known(starts)
        for i in range(first, out.size):
            if steps[way_of[i]] == step:
                out[i] = steady_start(x, starts, known, numbers[i])


@kernel
def fill_answers(  # noqa: PLR0917
    values: Values,
    outliers: Values,
    ways: Integers,
    ways_from: Integers,
    way_of: Integers,
    numbers: Values,
    sets_from: Integers,
    out: Starts,
) -> None:
    """Answers of all sets for one series, into `out` int32 (k,).

    outliers   (o, 3) window and percentiles of each substitution
    ways       (w, 3) medfilt, short_half and step_window, sorted, substitution by substitution:
               those of substitution i are ``ways_from[i] … ways_from[i + 1]``
    way_of     (k,) each set's row in `ways`
    numbers    (k, 4) prob_window, t_crit, threshold, shortest of each set, sorted by substitution
               (``sets_from``, as above), then prob_window, then t_crit
    """
    steps = np.empty(len(ways), np.int64)
    out[:] = UNKNOWN
    for i in range(len(outliers)):
        x = prepared(values, int(outliers[i, 0]), outliers[i, 1], outliers[i, 2])
        a, b = ways_from[i], ways_from[i + 1]
        fill_steps(x, ways[a:b], steps[a:b])
        at = sets_from[i]
        while at < sets_from[i + 1]:
            window = numbers[at, PROB_WINDOW]
            to = at + 1
            while to < sets_from[i + 1] and numbers[to, PROB_WINDOW] == window:
                to += 1
            fill_starts(x, int(window), steps, way_of[at:to], numbers[at:to], out[at:to])
            at = to
