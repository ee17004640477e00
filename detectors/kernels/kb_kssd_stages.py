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
    prepare_values,
    short_step,
    window_starts,
)
from detectors.kernels.order_statistics import middle_pair
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
    """Running median over `width` (odd) values, zeros beyond: `smooth_values`, sliding."""
    n, half_width = x.size, width // 2
    medians, sorted_window = np.empty(n), np.zeros(width)
    for i in range(-half_width, n):
        leaving_value = x[i - half_width - 1] if i - half_width - 1 >= 0 else 0.0
        entering_value = x[i + half_width] if i + half_width < n else 0.0
        if leaving_value != entering_value:
            slide(sorted_window, leaving_value, entering_value)
        if i >= 0:
            medians[i] = sorted_window[half_width]
    return medians


@kernel
def stays_down(x: Values, step: int, mean: float, least_drop: float, scratch: Values) -> bool:
    """The final test of a step: the level right of it lies far enough below that left of it."""
    drop = centred_median(x[:step], mean, scratch) - centred_median(x[step:], mean, scratch)
    return bool(drop >= least_drop)


@kernel
def find_steps(x: Values, half_width: int, windows: Integers, steps: Integers) -> None:
    """`find_step` for each of `windows`, into `steps`: all else is computed once."""
    n = x.size
    scratch = x.copy()
    p, q = middle_pair(scratch, 0, n)
    mean = mean_about(x, p)
    least_size = abs(((p - mean) + (q - mean)) / 2) / 2
    large_index, short_index = large_step(x, mean), short_step(x, half_width)
    if large_index == n - 1 or abs(large_index - short_index) <= 1:
        large_index = NO_STEP
    if large_index == NO_STEP:
        steps[:] = short_index if stays_down(x, short_index, mean, least_size, scratch) else NO_STEP
        return

    early_step, late_step = min(short_index, large_index), max(short_index, large_index)
    if early_step == 0:
        steps[:] = late_step
        return
    level_behind = centred_median(x[late_step + 1 :], mean, scratch)
    median_between = centred_median(x[early_step + 1 : late_step], mean, scratch)
    # A later step that fails the final test gives way to the early one, which is not tested.
    late_choice = late_step if stays_down(x, late_step, mean, least_size, scratch) else early_step
    early_choice = early_step if stays_down(x, early_step, mean, least_size, scratch) else NO_STEP
    for i in range(windows.size):
        level_before = centred_median(
            x[max(late_step - windows[i], 0) : late_step + 1], mean, scratch
        )
        level_after = centred_median(
            x[late_step + 1 : min(late_step + windows[i] + 1, n)], mean, scratch
        )
        steps[i] = (
            late_choice
            if median_between > 2 * abs(level_before - level_after) + level_behind
            else early_choice
        )


@inlined_kernel
def fill_steps(x: Values, ways: Integers, steps: Integers) -> None:
    """The step of each way (medfilt, short_half, step_window), sorted, into `steps`."""
    way_start = 0
    while way_start < len(ways):
        medfilt, half_width = ways[way_start, MEDFILT], ways[way_start, SHORT_HALF]
        way_stop = way_start + 1
        while (
            way_stop < len(ways)
            and ways[way_stop, MEDFILT] == medfilt
            and ways[way_stop, SHORT_HALF] == half_width
        ):
            way_stop += 1
        smoothed_values = running_median(x, medfilt) if medfilt > 1 else x
        find_steps(
            smoothed_values,
            half_width,
            ways[way_start:way_stop, STEP_WINDOW],
            steps[way_start:way_stop],
        )
        way_start = way_stop


@kernel
def drift_line(z: Values) -> tuple[float, float]:
    """Intercept and spread of a window's drift line, which Kelly's test needs whatever its
    t_crit.
    """
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
    """True where all values are equal; mostly two of them tell."""
    position = 1
    while position < z.size and z[position] == z[0]:
        position += 1
    return position >= z.size


@kernel
def share_within(z: Values, intercept: float, reach: float) -> float:
    """Share of values within the band; 1 in a constant window."""
    near_count = 0
    for i in range(z.size):
        near_count += abs(z[i] - intercept) <= reach
    return 1.0 if near_count < z.size and is_constant(z) else near_count / z.size


@inlined_kernel
def passes(z: Values, window_row: Values, t_crit: float, threshold: float) -> bool:
    """True where Kelly's probability of the window z is at least `threshold`.

    `window_row` is what earlier sets have found of it. They had no greater t_crit, and a wider band
    holds no fewer values: what was enough then is enough now, and nothing is counted.
    """
    if window_row[SHARE] >= threshold:
        return True
    if window_row[COUNTED_AT] >= t_crit:
        return False
    if window_row[SPREAD] < 0:
        window_row[INTERCEPT], window_row[SPREAD] = drift_line(z)
    window_row[SHARE] = share_within(z, window_row[INTERCEPT], t_crit * window_row[SPREAD])
    window_row[COUNTED_AT] = t_crit
    return bool(window_row[SHARE] >= threshold)


@inlined_kernel
def empty_window_rows(starts: Values) -> Values:
    """A row a window; one that is too short for the test has a probability all the same."""
    window_rows = np.full((starts.size - 1, 4), -np.inf)
    for i in range(starts.size - 1):
        length = starts[i + 1] - starts[i]
        if length < 3:
            window_rows[i, SHARE] = 0.0 if length == 1 else -1.0
            window_rows[i, COUNTED_AT] = np.inf
    return window_rows


@inlined_kernel
def steady_start(x: Values, starts: Values, window_rows: Values, numbers: Values) -> int:
    """`steady_from` of one set: windows are judged from the last backwards, until one fails."""
    n, threshold = x.size, numbers[THRESHOLD]
    first_start = n
    for i in range(starts.size - 2, -1, -1):
        start, stop = int(starts[i]), int(starts[i + 1])
        if not passes(x[start:stop], window_rows[i], numbers[T_CRIT], threshold):
            break
        first_start = start
    if first_start == int(starts[0]) and threshold <= 0.0:
        first_start = 0  # left of the step the probability is 0, which then is enough
    return first_start if first_start <= n - 1 - numbers[SHORTEST] and first_start < n else NEVER


@inlined_kernel
def fill_starts(  # noqa: PLR0917  # numba knows no keyword-only arguments
    x: Values, window: int, steps: Integers, way_indices: Integers, numbers: Values, out: Starts
) -> None:
    """Answers of sets that share their substituted series and their windows' length.

    They come by rising t_crit; those with the same step share windows, too.
    """
    for set_index in range(out.size):
        if out[set_index] != UNKNOWN:
            continue
        step = steps[way_indices[set_index]]
        starts = window_starts(step + 1, x.size, window)
        window_rows = empty_window_rows(starts)
        for i in range(set_index, out.size):
            if steps[way_indices[i]] == step:
                out[i] = steady_start(x, starts, window_rows, numbers[i])


@kernel
def fill_answers(  # noqa: PLR0917
    values: Values,
    outliers: Values,
    ways: Integers,
    way_bounds: Integers,
    way_indices: Integers,
    numbers: Values,
    set_bounds: Integers,
    starts: Starts,
) -> None:
    """Answers of all sets for one series, into `starts` int32 (k,).

    outliers   (o, 3) window and percentiles of each substitution
    ways       (w, 3) medfilt, short_half and step_window, sorted, substitution by substitution:
               those of substitution i are ``way_bounds[i] … way_bounds[i + 1]``
    way_indices  (k,) each set's row in `ways`
    numbers    (k, 4) prob_window, t_crit, threshold, shortest of each set, sorted by substitution
               (``set_bounds``, as above), then prob_window, then t_crit
    """
    steps = np.empty(len(ways), np.int64)
    starts[:] = UNKNOWN
    for i in range(len(outliers)):
        x = prepare_values(values, int(outliers[i, 0]), outliers[i, 1], outliers[i, 2])
        a, b = way_bounds[i], way_bounds[i + 1]
        fill_steps(x, ways[a:b], steps[a:b])
        set_start = set_bounds[i]
        while set_start < set_bounds[i + 1]:
            window = numbers[set_start, PROB_WINDOW]
            set_stop = set_start + 1
            while set_stop < set_bounds[i + 1] and numbers[set_stop, PROB_WINDOW] == window:
                set_stop += 1
            fill_starts(
                x,
                int(window),
                steps,
                way_indices[set_start:set_stop],
                numbers[set_start:set_stop],
                starts[set_start:set_stop],
            )
            set_start = set_stop
