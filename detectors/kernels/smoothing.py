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
    least, most = extremes(strength, window)
    out = np.zeros(x.size)
    for i in range(1, x.size):
        w = weight * shared(strength[i] - least[i], most[i] - least[i])
        out[i] = (1.0 - w) * out[i - 1] + w * x[i]
    return out


@kernel
def shared(amount: float, total: float) -> float:
    """The part of its whole; 0 of nothing."""
    return amount / total if total != 0 else 0.0


@kernel
def one_way_strength(x: Values, weight: float) -> Values:
    """1 where all goes one way, 0 where ups and downs are in balance; all is smoothed from 0 on."""
    out = np.zeros(x.size)
    ups = downs = up = down = 0.0
    kept_share = 1.0 - weight
    for i in range(1, x.size):
        step = x[i] - x[i - 1]
        ups = kept_share * ups + weight * max(step, 0.0)
        downs = kept_share * downs + weight * max(-step, 0.0)
        up = kept_share * up + weight * shared(ups, ups + downs)
        down = kept_share * down + weight * shared(downs, ups + downs)
        out[i] = kept_share * out[i - 1] + weight * shared(abs(up - down), up + down)
    return out


@kernel
def extremes(values: Values, window: int) -> tuple[Values, Values]:
    """The least and the greatest of the last `window` values at each, of fewer at the start.

    A window is the end of one block of `window` values and the beginning of the next (van Herk
    1992): three looks at each value, whatever the window.
    """
    n = values.size
    least, most = values.copy(), values.copy()  # of the block, up to each value
    for i in range(n):
        if i % window:
            least[i], most[i] = min(least[i], least[i - 1]), max(most[i], most[i - 1])
    lowest = highest = 0.0  # from each value to the end of its block
    for i in range(n - 1, window - 1, -1):
        first = i - window + 1
        if (first + 1) % window == 0 or i == n - 1:
            lowest = highest = values[first]
            for j in range(first, min(i, (first // window + 1) * window - 1) + 1):
                lowest, highest = min(lowest, values[j]), max(highest, values[j])
        else:
            lowest, highest = min(lowest, values[first]), max(highest, values[first])
        least[i], most[i] = min(least[i], lowest), max(most[i], highest)
    return least, most
