"""Variants that KB-KSSD's paper leaves for later: other kernels, upward steps, autoregressive
residuals.
"""

from __future__ import annotations

import math

import numpy as np

from detectors.contract import NEVER, Values
from detectors.kernels.jit import inlined_kernel, kernel
from detectors.kernels.kb_kssd import (
    NO_STEP,
    centred_median,
    find_step,
    kelly,
    large_step,
    mean_about,
    short_step,
    window_starts,
)
from detectors.kernels.order_statistics import middle_pair

BOTH, LARGE_ONLY, SHORT_ONLY, NONE = 0, 1, 2, 3  # which kernels look for the step


@kernel
def drop_at(x: Values, step: int) -> float:
    """Fall of the median at `step`, as the final test of a step measures it."""
    scratch = np.empty(x.size)
    return centred_median(x[:step], 0.0, scratch) - centred_median(x[step:], 0.0, scratch)


@kernel
def single_step(x: Values, half_width: int, kernel_code: int) -> int:
    """The step that one kernel sees, if it passes the method's final test, else `NO_STEP`."""
    scratch = x.copy()
    p, q = middle_pair(scratch, 0, x.size)
    mean = mean_about(x, p)
    step = large_step(x, mean) if kernel_code == LARGE_ONLY else short_step(x, half_width)
    if step == x.size - 1 or step == NO_STEP:
        return NO_STEP
    if step == 0:
        return 0  # nothing is left of it that could be tested
    return NO_STEP if drop_at(x, step) < abs((p + q) / 2 - mean) / 2 else step


@kernel
def downward_step(x: Values, window: int, half_width: int, kernel_code: int) -> int:
    """The downward step that the chosen kernels find, or `NO_STEP`."""
    if kernel_code == NONE:
        return NO_STEP
    return (
        find_step(x, window, half_width)
        if kernel_code == BOTH
        else single_step(x, half_width, kernel_code)
    )


@kernel
def either_step(x: Values, window: int, half_width: int, kernel_code: int) -> int:
    """A downward step, or an upward one where the median moves further: a step of -x."""
    mirrored_values = -x
    step_down = downward_step(x, window, half_width, kernel_code)
    step_up = downward_step(mirrored_values, window, half_width, kernel_code)
    if step_down <= 0 or step_up <= 0:
        return max(step_down, step_up)
    return step_up if drop_at(mirrored_values, step_up) > drop_at(x, step_down) else step_down


@inlined_kernel
def autocovariances(z: Values, most_lags: int) -> Values:
    """Autocovariances at the lags 0 … most_lags, each with divisor n."""
    n = z.size
    mean = mean_about(z, z[0])
    covariances = np.zeros(most_lags + 1)
    for lag in range(most_lags + 1):
        for i in range(lag, n):
            covariances[lag] += (z[i] - mean) * (z[i - lag] - mean)
        covariances[lag] /= n
    return covariances


@inlined_kernel
def next_order(a: Values, covariances: Values, order: int, variance: float) -> float:
    """One step of Levinson's recursion: coefficients of `order` into `a`; the reflection."""
    reflection = covariances[order]
    for j in range(order - 1):
        reflection -= a[j] * covariances[order - 1 - j]
    reflection /= variance
    coefficients_before = a.copy()
    for j in range(order - 1):
        a[j] = coefficients_before[j] - reflection * coefficients_before[order - 2 - j]
    a[order - 1] = reflection
    return float(reflection)


@kernel
def autoregression(z: Values, most_orders: int) -> Values:
    """Coefficients of the autoregressive model of z, its order from 0 to `most_orders` by BIC.

    From autocovariances with divisor n, which make the model stable.
    """
    n = z.size
    covariances = autocovariances(z, most_orders)
    best_coefficients, a = np.empty(0), np.zeros(most_orders)
    variance = float(covariances[0])
    if not variance > 0.0:
        return best_coefficients
    least_criterion = n * math.log(variance)
    for order in range(1, most_orders + 1):
        reflection = next_order(a, covariances, order, variance)
        variance *= 1 - reflection * reflection
        if not variance > 0.0:
            return best_coefficients  # predicted exactly: nothing would be left to judge
        criterion = n * math.log(variance) + order * math.log(n)
        if criterion < least_criterion:
            least_criterion, best_coefficients = criterion, a[:order].copy()
    return best_coefficients


@kernel
def residuals(z: Values, most_orders: int) -> Values:
    """Residuals of the autoregressive model of z; as many values fewer as its order.

    Not more than a quarter of the values are spent on coefficients.
    """
    a = autoregression(z, min(most_orders, z.size // 4))
    mean = mean_about(z, z[0])
    errors = np.empty(z.size - a.size)
    for i in range(errors.size):
        residual = z[i + a.size] - mean
        for j in range(a.size):
            residual -= a[j] * (z[i + a.size - 1 - j] - mean)
        errors[i] = mean + residual
    return errors


@kernel
def residual_probabilities(
    x: Values, step: int, window: int, t_crit: float, most_orders: int
) -> tuple[Values, Values]:
    """Kelly's probability of the residuals of every window, as `probabilities` gives it."""
    starts = window_starts(step + 1, x.size, window)
    kelly_probabilities = np.empty(starts.size - 1)
    for i in range(kelly_probabilities.size):
        z = x[int(starts[i]) : int(starts[i + 1])]
        kelly_probabilities[i] = 0.0 if z.size == 1 else kelly(residuals(z, most_orders), t_crit)
    return starts, kelly_probabilities


@kernel
def last_run(
    starts: Values,
    kelly_probabilities: Values,
    step: int,
    least_probability: float,
    shortest_run: int,
) -> int:
    """Start of the windows up to the end with P >= `least_probability`, or `NEVER`; as
    `steady_from`.
    """
    n = int(starts[-1])
    first = n
    for i in range(kelly_probabilities.size - 1, -1, -1):
        if kelly_probabilities[i] < least_probability:
            break
        first = int(starts[i])
    if first == step + 1 and least_probability <= 0.0:
        first = 0
    return first if first <= n - 1 - shortest_run and first < n else NEVER
