"""The variable moving average: how strongly a series goes one way, and what follows it so fast."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values
from detectors.kernels.jit import kernel


@kernel
def average_from_zero(x: Values, window: int) -> Values:
    """m[i] = (1 - w) m[i - 1] + w x[i], float64 (n,); m[0] is 0, whatever x[0] is.

    w is at most 1 / window: where in the range that it has within `window` values the strength is.
    Where it is the same in all of them w is 0.
    """
    weight = 1.0 / window
    strength = one_way_strength(x, weight)
    least_strength, most_strength = extremes(strength, window)
    averages = np.zeros(x.size)
    for i in range(1, x.size):
        w = weight * fraction(strength[i] - least_strength[i], most_strength[i] - least_strength[i])
        averages[i] = (1.0 - w) * averages[i - 1] + w * x[i]
    return averages


@kernel
def fraction(amount: float, total: float) -> float:
    """The part of its whole; 0 of nothing."""
    return amount / total if total != 0 else 0.0


@kernel
def one_way_strength(x: Values, weight: float) -> Values:
    """1 where all goes one way, 0 where ups and downs are in balance; all is smoothed from 0 on."""
    strengths = np.zeros(x.size)
    rise = fall = up_strength = down_strength = 0.0
    kept_share = 1.0 - weight
    for i in range(1, x.size):
        step = x[i] - x[i - 1]
        rise = kept_share * rise + weight * max(step, 0.0)
        fall = kept_share * fall + weight * max(-step, 0.0)
        up_strength = kept_share * up_strength + weight * fraction(rise, rise + fall)
        down_strength = kept_share * down_strength + weight * fraction(fall, rise + fall)
        strengths[i] = kept_share * strengths[i - 1] + weight * fraction(
            abs(up_strength - down_strength), up_strength + down_strength
        )
    return strengths


@kernel
def extremes(values: Values, window: int) -> tuple[Values, Values]:
    """The least and the greatest of the last `window` values at each, of fewer at the start.

    A window is the end of one block of `window` values and the beginning of the next (van Herk
    1992): three looks at each value, whatever the window.
    """
    n = values.size
    least_values, greatest_values = values.copy(), values.copy()  # of the block, up to each value
    for i in range(n):
        if i % window:
            least_values[i], greatest_values[i] = (
                min(least_values[i], least_values[i - 1]),
                max(greatest_values[i], greatest_values[i - 1]),
            )
    lowest_value = highest_value = 0.0  # from each value to the end of its block
    for i in range(n - 1, window - 1, -1):
        first = i - window + 1
        if (first + 1) % window == 0 or i == n - 1:
            lowest_value = highest_value = values[first]
            for j in range(first, min(i, (first // window + 1) * window - 1) + 1):
                lowest_value, highest_value = (
                    min(lowest_value, values[j]),
                    max(highest_value, values[j]),
                )
        else:
            lowest_value, highest_value = (
                min(lowest_value, values[first]),
                max(highest_value, values[first]),
            )
        least_values[i], greatest_values[i] = (
            min(least_values[i], lowest_value),
            max(greatest_values[i], highest_value),
        )
    return least_values, greatest_values
