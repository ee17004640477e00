"""Exact Bayesian change points of lines (Wu & Chen), with at most m possible last changes alive.

A piece is a possible present: its line began at `START` and goes on until now. Its sums are kept
about their means, and its weight as a logarithm: nothing cancels, nothing vanishes.
"""

from __future__ import annotations

import math

import numpy as np

from detectors.contract import NEVER, Values
from detectors.kernels.jit import inlined_kernel, kernel
from detectors.kernels.order_statistics import copy_into

# Columns of a piece: first iteration, logarithm of its weight, mean and centred sums of the
# values, and of the last value's time: log det and scale.
START, WEIGHT, MEAN, CROSS, SQUARES, LOG_DET, SCALE = 0, 1, 2, 3, 4, 5, 6
COLUMNS = 7

LARGE = 1e100  # values beyond count as this: their squares are still numbers

# Places of the settings.
NU, GAMMA, PRECISION, CHANGE, LEVEL = 0, 1, 2, 3, 4


@kernel
def extend(piece: Values, i: int, y: float) -> None:
    """Take the value y of iteration i into the sums of a piece."""
    earlier_count = i - piece[START]
    deviation = y - piece[MEAN]
    share = earlier_count / (earlier_count + 1.0)
    piece[MEAN] += deviation / (earlier_count + 1.0)
    piece[CROSS] += (earlier_count + 1.0) / 2 * deviation * share
    piece[SQUARES] += deviation * deviation * share


@kernel
def fit(piece: Values, i: int, settings: Values) -> tuple[float, float]:
    """Fit the piece's line up to iteration i: its slope, and what the slope's spread is made of.

    Also notes ``log det`` of the 2 x 2 matrix to invert, and the scale H. Times are absolute, as
    published; the matrix is inverted in centred sums, which is the same without cancellation.
    """
    r = settings[PRECISION]
    count = i - piece[START] + 1.0
    centre = (piece[START] + i) / 2.0
    times = count * (count * count - 1.0) / 12.0
    total = count * piece[MEAN]
    det = count * times + r * (times + count * centre * centre + count) + r * r

    slope = (count * piece[CROSS] + r * (piece[CROSS] + centre * total)) / det
    intercept = (total * times - count * centre * piece[CROSS] + r * total) / det
    intercept_difference = piece[MEAN] - slope * centre - intercept
    residual_squares = (
        piece[SQUARES]
        - 2 * slope * piece[CROSS]
        + slope * slope * times
        + count * intercept_difference * intercept_difference
    )
    prior_term = r * (slope * slope + intercept * intercept)
    piece[LOG_DET] = math.log(det)
    piece[SCALE] = settings[GAMMA] + max(residual_squares, 0.0) + prior_term
    return slope, (count + r) / det


@kernel
def begin(piece: Values, i: int, y: float, settings: Values) -> None:
    """A line that begins with the value y of iteration i; its weight is its likelihood."""
    piece[START], piece[MEAN] = i, y
    piece[CROSS] = piece[SQUARES] = 0.0
    fit(piece, i, settings)
    nu, gamma, r = settings[NU], settings[GAMMA], settings[PRECISION]
    piece[WEIGHT] = (
        math.log(settings[CHANGE])
        - math.log(math.pi) / 2
        - piece[LOG_DET] / 2
        + math.log(r)
        + nu / 2 * math.log(gamma)
        - (nu + 1) / 2 * math.log(piece[SCALE])
        + math.lgamma((nu + 1) / 2)
        - math.lgamma(nu / 2)
    )


@inlined_kernel
def extend_line(piece: Values, i: int, y: float, settings: Values) -> None:
    """The piece goes on with the value y of iteration i; its weight changes by how likely that was.

    The gamma functions' ratio is approximated as published.
    """
    log_det, scale = piece[LOG_DET], piece[SCALE]
    extend(piece, i, y)
    fit(piece, i, settings)
    z = i - piece[START] + settings[NU]
    piece[WEIGHT] += (
        math.log(1 - settings[CHANGE])
        - math.log(math.pi) / 2
        + (log_det - piece[LOG_DET]) / 2
        + (z - 1) / 2 * (math.log(scale) - math.log(piece[SCALE]))
        - math.log(piece[SCALE]) / 2
        + math.log((z + 1) / 2) / 2
        + math.log(1 - 1 / (4 * (z + 1)))
    )


@kernel
def drop_piece(pieces: Values, alive_count: int, draws: Values) -> None:
    """Drop one of the alive pieces, so that the others are drawn without replacement.

    Exponential waiting times over weights: the piece that would be drawn last goes.
    """
    last, longest_wait = 0, -np.inf
    for k in range(alive_count):
        waiting_time = math.log(max(draws[k], 1e-300)) - pieces[k, WEIGHT]
        if waiting_time > longest_wait:
            last, longest_wait = k, waiting_time
    for k in range(last, alive_count - 1):
        copy_into(pieces[k], pieces[k + 1])


@kernel
def normalise(pieces: Values, alive_count: int) -> None:
    """Make the weights of the alive pieces sum to 1."""
    top_weight = pieces[:alive_count, WEIGHT].max()
    total = 0.0
    for k in range(alive_count):
        total += math.exp(pieces[k, WEIGHT] - top_weight)
    for k in range(alive_count):
        pieces[k, WEIGHT] -= top_weight + math.log(total)


@kernel
def normal_probability(low: float, high: float) -> float:
    """Probability that a standard normal value lies between the two; from the nearer tail."""
    if low > 0.0:
        low, high = -high, -low
    if high < 0.0:
        return (math.erfc(-high / math.sqrt(2.0)) - math.erfc(-low / math.sqrt(2.0))) / 2
    return (math.erf(high / math.sqrt(2.0)) - math.erf(low / math.sqrt(2.0))) / 2


@inlined_kernel
def level_probability(pieces: Values, alive_count: int, i: int, settings: Values) -> float:
    """Weighted probability that the slope of the present line is within the level band."""
    probability = 0.0
    band = settings[LEVEL]
    for k in range(alive_count):
        slope, share = fit(pieces[k], i, settings)
        d = i - pieces[k, START] + 1.0 + settings[NU]
        # The slope's variance is used as if it were its deviation, as published.
        spread = pieces[k, SCALE] * share / d * math.sqrt(d / (d - 2))
        weight = math.exp(pieces[k, WEIGHT])
        if spread > 0.0:
            probability += weight * normal_probability(
                (-band - slope) / spread, (band - slope) / spread
            )
        elif abs(slope) < band:
            probability += weight
    return probability


@kernel
def step(  # noqa: PLR0917  # numba knows no keyword-only arguments
    i: int, y: float, pieces: Values, alive_count: int, draws: Values, settings: Values
) -> tuple[int, float]:
    """Take the value y of iteration i: (pieces alive, probability that the line is level)."""
    if i == 0:
        begin(pieces[0], 0, y, settings)
        pieces[0, WEIGHT] = 0.0
        return 1, 0.0
    if alive_count == pieces.shape[0]:
        drop_piece(pieces, alive_count, draws)
        alive_count -= 1
    normalise(pieces, alive_count)
    for k in range(alive_count):
        extend_line(pieces[k], i, y, settings)
    begin(pieces[alive_count], i, y, settings)
    unnormalised_weights = pieces[: alive_count + 1, WEIGHT].copy()
    normalise(pieces, alive_count + 1)
    probability = level_probability(pieces, alive_count + 1, i, settings)
    for k in range(alive_count + 1):
        pieces[k, WEIGHT] = unnormalised_weights[k]
    return alive_count + 1, probability


@kernel
def first_level_iteration(  # noqa: PLR0917
    values: Values,
    first: int,
    pieces: Values,
    alive_count: int,
    draws: Values,
    settings: Values,
    alpha: float,
    probabilities: Values,
) -> tuple[int, int]:
    """Take ``values[first:]``, write their `probabilities`, and stop at one above `alpha`.

    `pieces` has room for m of them, `draws` a row of m exponential numbers for each value.
    Returns (the iteration that passed or `NEVER`, pieces alive).
    """
    for i in range(first, values.size):
        y = min(max(float(values[i]), -LARGE), LARGE)
        alive_count, probabilities[i - first] = step(
            i, y, pieces, alive_count, draws[i - first], settings
        )
        if probabilities[i - first] > alpha:
            return i, alive_count
    return NEVER, alive_count
