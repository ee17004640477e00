"""Correlation of the values after each start of a series: all starts in one pass from the end.

From one start to the one before, the sum of products of every lag grows by one term.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import inlined_kernel, kernel, numpy_version_of
from detectors.kernels.order_statistics import copy_into

Indices = NDArray[np.int64]
RestArrays = tuple[Values, Values, Indices, Values]
"""y, values about a level near those at the end; sums of ``y[i:]``, (n + 1,); starts, ascending;
squared deviations of ``y[s:]`` from their mean, summed, 0 where all are equal."""
LagArrays = tuple[Indices, Values, Values]
"""Lags; weights of their autocorrelations; by how many values these are tapered off, over all."""
OneRest = tuple[int, int, int, float, float]

EARLIEST = 4  # pairs of lags that always count (fjclark/red: red/variance.py, min_max_lag_time)
SETTLED = 3  # up to this lag a sum may become smaller again; from then on it only grows
SURE = 1e-6  # so much worse than another start is worse, whatever was rounded


@kernel
def lag_sums(  # noqa: PLR0917  # kernels have no keyword arguments
    rests: RestArrays,
    scale: Values,
    stops: Indices,
    lags: LagArrays,
    least_products: int,
    begin: int,
    products: Values,
    kept_products: Values,
) -> Values:
    """1 + 2 (w_1 r_1 + w_2 r_2 + …) of the rest after each start, at least 1.

    A sum ends before the first product of 0 or less at a lag of at least `stops`, or where fewer
    than `least_products` products are. NaN where more than these lags are asked for; infinite where
    `scale` times it is larger than that of a later start. `products` are those from `begin` on,
    where no start is later, and are used up; those from each start on go to `kept_products`, if it
    has rows.
    """
    y, sums, starts, squares = rests
    start_index, inflations = starts.size - 1, np.ones(starts.size)
    least_sum = np.inf
    for s in range(min(begin, y.size - 1), starts[0] - 1, -1):
        if s < begin:
            add_products(products, y, s, lags[0])
        if start_index >= 0 and starts[start_index] == s:
            if squares[start_index] > 0:
                most_inflation = (
                    least_sum * (1 + SURE) / scale[start_index]
                    if scale[start_index] > 0
                    else np.inf
                )
                rest = (s, stops[start_index], least_products, squares[start_index], most_inflation)
                inflations[start_index] = lag_sum(products, sums, lags, rest)
                least_sum = np.minimum(least_sum, scale[start_index] * inflations[start_index])
            if start_index < len(kept_products):
                copy_into(kept_products[start_index], products)
            start_index -= 1
    return inflations


@inlined_kernel
def add_products(products: Values, y: Values, s: int, lags: Indices) -> None:
    """The products of value s with the later ones, at all lags."""
    later_values, value = y[s + 1 :], y[s]
    if lags[-1] == lags.size:  # all lags from 1 on: several at a time
        for k in range(min(lags.size, later_values.size)):
            products[k] += value * later_values[k]
        return
    for k in range(lags.size):
        if lags[k] > later_values.size:
            break
        products[k] += value * later_values[lags[k] - 1]


@numpy_version_of(add_products)
def add_products_at_once(products: Values, y: Values, s: int, lags: Indices) -> None:
    """The products of value s with the later ones, all lags in one step."""
    recorded_lags = lags[: np.searchsorted(lags, y.size - 1 - s, side="right")]
    products[: recorded_lags.size] += y[s] * y[s + recorded_lags]


@inlined_kernel
def lag_sum(products: Values, sums: Values, lags: LagArrays, rest: OneRest) -> float:
    """Sum of `lag_sums` for one start, or infinite once it is above the last of `rest`."""
    s, stop, least_products, squares, most_inflation = rest
    distances, weights, tapers = lags
    count, inflation = sums.size - 1 - s, 1.0
    for k in range(distances.size):
        if count - distances[k] < least_products:
            return max(inflation, 1.0)
        product = centred_products(products[k], sums, s, distances[k])
        if product <= 0 and distances[k] >= stop:
            return max(inflation, 1.0)
        inflation += 2 * weights[k] * (1 - tapers[k] / count) * product / squares
        if distances[k] >= SETTLED and inflation > most_inflation:
            return np.inf
    return np.nan


@kernel
def centred_products(product: float, sums: Values, s: int, lag: int) -> float:
    """Products of deviations from the mean of the rest, from products of the values."""
    count = sums.size - 1 - s
    mean = sums[s] / count
    both_sums = sums[s] - sums[s + count - lag] + sums[s + lag]
    return float(product - mean * (both_sums - (count - lag) * mean))


# --- Geyer's initial convex sequence --------------------------------------------------------------


@kernel
def convex_sums(rests: RestArrays, most_lags: int) -> Values:
    """Sums over pairs of lags as long as they are positive, made convex; starts 0, 1, 2, …

    NaN where more than `most_lags` lags are asked for.
    """
    y, sums, _, squares = rests
    n = y.size
    products, pairs = np.zeros(most_lags + 1), np.empty(most_lags // 2 + 1)
    inflations = np.ones(squares.size)
    for s in range(n - 1, -1, -1):
        value, later_values = y[s], y[s:]
        for lag in range(min(most_lags + 1, later_values.size)):  # several at a time
            products[lag] += value * later_values[lag]
        if s < squares.size and squares[s] > 0:
            number = positive_pairs(products, sums, s, pairs)
            convex_total = convex_sum(pairs, number) if number else np.nan
            inflations[s] = np.maximum(2 * convex_total / squares[s] - 1, 1.0)
    return inflations


@inlined_kernel
def positive_pairs(products: Values, sums: Values, s: int, pairs: Values) -> int:
    """Sums of two neighbouring lags, never rising, as long as they are positive: their number.

    0 where more lags are asked for than there are products.
    """
    count = sums.size - 1 - s
    number = 0
    while number < count // 2:
        even_lag = 2 * number
        if even_lag + 1 >= products.size:
            return 0
        pair = centred_products(products[even_lag], sums, s, even_lag)
        pair += centred_products(products[even_lag + 1], sums, s, even_lag + 1)
        if pair < 0 and number >= EARLIEST:
            break
        pairs[number] = pair if number == 0 else min(pair, pairs[number - 1])
        number += 1
    return number


@inlined_kernel
def convex_sum(falling_pairs: Values, number: int) -> float:
    """Sum of the greatest convex sequence that is nowhere above the first `number` of
    `falling_pairs`.

    Steps that fall more than the one before are averaged with it (pool adjacent violators).
    """
    fall, length = np.empty(number), np.empty(number)
    top = 0
    for j in range(1, number):
        fall[top], length[top] = falling_pairs[j] - falling_pairs[j - 1], 1.0
        top += 1
        while top > 1 and fall[top - 1] / length[top - 1] < fall[top - 2] / length[top - 2]:
            top -= 1
            fall[top - 1] += fall[top]
            length[top - 1] += length[top]
    height = total = float(falling_pairs[0])
    for j in range(top):
        total += length[j] * height + fall[j] * (length[j] + 1) / 2
        height += fall[j]
    return total
