"""Two filtered estimates of one variance (Cao & Rhinehart), and their ratio, value by value."""

from __future__ import annotations

import math

import numpy as np

from detectors.contract import NEVER, Values
from detectors.kernels.jit import inlined_kernel, kernel

START = 10  # values whose mean and variance start the filters
EARLIEST = 51  # the first iteration that may be an answer
LARGE, SMALL = 1e100, 1e-100  # beyond these, squares leave the range of a double

# Places in the state of the filters; all but the last are in units of the last.
MEAN, VARIANCE, DIFFERENCES, BEFORE, FACTOR = 0, 1, 2, 3, 4
STATE = 5


@inlined_kernel
def start_filters(values: Values, state: Values) -> None:
    """Start the filters from the first ten values, which count as ten times their mean."""
    peak = 0.0
    for i in range(START):
        peak = max(peak, abs(float(values[i])))
    factor = 1.0
    if peak != 0.0 and not SMALL <= peak <= LARGE:
        _, exponent = math.frexp(peak)
        factor = math.ldexp(1.0, min(-exponent, 1000))
    first = factor * float(values[0])
    total = squares = 0.0
    for i in range(START):
        total += factor * float(values[i]) - first
    for i in range(START):
        deviation = factor * float(values[i]) - first - total / START
        squares += deviation * deviation
    state[MEAN] = state[BEFORE] = first + total / START
    state[VARIANCE] = squares / START
    state[DIFFERENCES] = 2 * state[VARIANCE]
    state[FACTOR] = factor


@inlined_kernel
def rescale(value: float, state: Values) -> None:
    """Make the unit larger, so that `value` can be squared; the ratio does not notice."""
    _, exponent = math.frexp(value)
    factor = math.ldexp(1.0, -exponent)
    rescaling = factor / state[FACTOR]
    state[MEAN] *= rescaling
    state[BEFORE] *= rescaling
    state[VARIANCE] *= rescaling * rescaling
    state[DIFFERENCES] *= rescaling * rescaling
    state[FACTOR] = factor


@kernel
def next_ratio(value: float, state: Values, level: float, spread: float, change: float) -> float:
    """Take a value into the filters; the ratio then, NaN if neither has seen a change."""
    if abs(value) > LARGE / float(state[FACTOR]):
        rescale(value, state)
    x = value * state[FACTOR]
    mean, value_before = float(state[MEAN]), float(state[BEFORE])
    variance = spread * ((x - mean) * (x - mean)) + (1 - spread) * float(state[VARIANCE])
    differences = change * ((x - value_before) * (x - value_before)) + (1 - change) * float(
        state[DIFFERENCES]
    )
    state[MEAN] = level * x + (1 - level) * mean
    state[BEFORE], state[VARIANCE], state[DIFFERENCES] = x, variance, differences
    if differences == 0.0:
        return math.nan if variance == 0.0 else math.inf
    return float((2 - level) * variance / differences)


@kernel
def first_small_ratio(  # noqa: PLR0917  # numba knows no keyword-only arguments
    values: Values,
    start: int,
    state: Values,
    level: float,
    spread: float,
    change: float,
    critical: float,
) -> tuple[int, float]:
    """The first iteration from `start` on whose ratio is below `critical`, or `NEVER`; its ratio.

    `start` is 0 or at least ten; `values` are all so far, at least ten of them.
    """
    if start < START:
        start_filters(values, state)
        start = START
    ratio = math.nan
    for i in range(start, values.size):
        ratio = next_ratio(float(values[i]), state, level, spread, change)
        if i >= EARLIEST and ratio < critical:
            return i, ratio
    return NEVER, ratio


@kernel
def ratios_from(
    values: Values, state: Values, level: float, spread: float, change: float
) -> Values:
    """The ratio at every one of `values`, taken into the filters; `state` is changed."""
    ratios = np.empty(values.size)
    for i in range(values.size):
        ratios[i] = next_ratio(float(values[i]), state, level, spread, change)
    return ratios


def all_ratios(values: Values, level: float, spread: float, change: float) -> Values:
    """The ratio at every iteration; NaN for the first ten, which have none."""
    no_ratios = np.full(min(values.size, START), math.nan)
    if values.size < START:
        return no_ratios
    state = np.empty(STATE)
    start_filters(values, state)
    return np.append(no_ratios, ratios_from(values[START:], state, level, spread, change))
