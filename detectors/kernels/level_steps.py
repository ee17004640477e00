"""Steps of a level, looked for again with each new value; what is certain stays."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import kernel

Indices = NDArray[np.int64]
CLEARER: Final = 1.3  # times the squared t of a step that was seen before


@kernel
def level_steps(  # noqa: PLR0917  # kernels take no keywords
    x: Values,
    limits: Values,
    share: float,
    compared_count: int,
    least_before: int,
    confirmed_count: int,
) -> tuple[Indices, Indices, Values, Values]:
    """Begin of the present level and the step in it, for the first value, the first two, …, all.

    A step is where the squared two-sample t of values before and after it is above its limit, the
    most so. One that was seen before with two values after it stays as long as its t is above a
    lower limit, and most values after it have not returned. With `confirmed_count` values after it
    and t above a higher limit it begins a level, with which alone later values are compared; how
    values scatter is judged by those of the level before as well. It begins one, too, where so many
    values follow a further step.

    limits: rows for steps with one value after them, with more, seen before, certain, and further;
    by degrees of freedom, the last for all higher ones. share: least change of the mean.
    compared_count: newest values of the level. least_before: values before a step, at least.

    Returns:
        For each number of values less one: first value of the level, first value after a step in it
        (-1 for none), means of the level's values before the step (of all without one) and after.
    """
    n = x.size
    starts, steps = np.zeros(n, np.int64), np.full(n, -1, np.int64)
    means_before, means_after = np.zeros(n), np.zeros(n)
    start, values_seen = 0, -1
    scatter = (0.0, 0)  # squared deviations of the level before, and their degrees of freedom
    for stop in range(1, n + 1):
        first = max(start, stop - compared_count)
        step = present_step(
            x[first:stop],
            values_seen - first,
            scatter,
            limits,
            share,
            least_before,
            confirmed_count,
        )
        if has_step_after(
            x[first:stop], step, scatter, limits, share, least_before, confirmed_count
        ):
            scatter = scatter_of(x[first : first + step])
            start, values_seen = first + step, -1
            first = max(start, stop - compared_count)
            step = present_step(
                x[first:stop], -1, scatter, limits, share, least_before, confirmed_count
            )
        starts[stop - 1] = start
        values_seen = first + step if 0 <= step <= stop - first - 2 else -1
        if step < 0:
            means_before[stop - 1] = mean_of(x[start:stop])
            continue
        values = x[first:stop]
        steps[stop - 1] = first + step
        means_before[stop - 1] = mean_of(x[start : first + step])
        means_after[stop - 1] = mean_of(values[step:])
        if values.size - step >= confirmed_count and is_clear_step(
            values, step, scatter, limits[3], 0.0
        ):
            scatter = scatter_of(values[:step])
            start, values_seen = first + step, -1
    return starts, steps, means_before, means_after


@kernel
def present_step(  # noqa: PLR0917  # kernels take no keywords
    x: Values,
    values_seen: int,
    scatter: tuple[float, int],
    limits: Values,
    share: float,
    least_before: int,
    confirmed_count: int,
) -> int:
    """Number of values before the step of a level; -1 without one.

    A step `values_seen` before with more than `confirmed_count` values after it gives way to a
    clearer one only.
    """
    step = clearest_step(x, scatter, limits, share, least_before)
    if not is_clear_step(x, values_seen, scatter, limits[2], share / 2):
        return step
    if step >= 0 and x.size - values_seen <= confirmed_count:
        return step
    is_newest = step == x.size - 1
    if (
        step < 0
        or is_newest
        or squared_t(x, step, scatter) < CLEARER * squared_t(x, values_seen, scatter)
    ):
        return values_seen
    return step


@kernel
def has_step_after(  # noqa: PLR0917  # kernels take no keywords
    x: Values,
    step: int,
    scatter: tuple[float, int],
    limits: Values,
    share: float,
    least_before: int,
    confirmed_count: int,
) -> bool:
    """True where `confirmed_count` values follow a further clear step, and `step` is clear without
    them.

    Else a way back would make a step of a few values ever less clear, and be none itself.
    """
    if step < 0:
        return False
    own_scatter = scatter_of(x[:step])
    further_step = clearest_step(x[step:], own_scatter, limits[3:], share, least_before)
    if further_step < 0 or x.size - step - further_step < confirmed_count:
        return False
    return is_clear_step(x[: step + further_step], step, scatter, limits[1], share)


@kernel
def scatter_of(x: Values) -> tuple[float, int]:
    """Squared deviations of a level's values, and their degrees of freedom."""
    return ((x - mean_of(x)) ** 2).sum(), x.size - 1


@kernel
def clearest_step(
    x: Values, scatter: tuple[float, int], limits: Values, share: float, least_before: int
) -> int:
    """Number of values before the step that is most above its limit; -1 without one."""
    n = x.size
    largest_excess, clearest_count = 1.0, -1
    freedom = min(n - 2 + scatter[1], limits.shape[1] - 1)
    if n < 2 or freedom < 1:
        return clearest_count
    shifted_values = x - x[0]  # sums of small numbers are exact enough
    sums, head = (shifted_values.sum(), (shifted_values**2).sum()), 0.0
    for count in range(1, n):
        head += shifted_values[count - 1]
        if count < least_before:
            continue
        shift, t = shift_and_t(n, count, head, sums, scatter)
        excess = t / limits[0 if n - count == 1 else 1, freedom]
        if excess > largest_excess and abs(shift) >= share * abs(x[0] + head / count):
            largest_excess, clearest_count = excess, count
    return clearest_count


@kernel
def is_clear_step(
    x: Values, count: int, scatter: tuple[float, int], limits: Values, share: float
) -> bool:
    """True where the squared t of a step after `count` values is above its limit, and the median of
    what follows differs by `share` of the level, too: a few values that went astray keep no step.
    """
    freedom = min(x.size - 2 + scatter[1], limits.size - 1)
    if not 0 < count < x.size or freedom < 1:
        return False
    mean = mean_of(x[:count])
    median_shift = (np.median(x[count:]) - mean) * np.sign(mean_of(x[count:]) - mean)
    return bool(
        squared_t(x, count, scatter) > limits[freedom] and median_shift >= share * abs(mean)
    )


@kernel
def squared_t(x: Values, count: int, scatter: tuple[float, int]) -> float:
    """Squared two-sample t of a step after `count` values."""
    shifted_values = x - x[0]
    sums = shifted_values.sum(), (shifted_values**2).sum()
    return shift_and_t(x.size, count, shifted_values[:count].sum(), sums, scatter)[1]


@kernel
def shift_and_t(
    n: int, count: int, head: float, sums: tuple[float, float], scatter: tuple[float, int]
) -> tuple[float, float]:
    """Difference of the means after and before a step, and its squared two-sample t.

    sums: of all values and of their squares; `head` is that of the `count` values before.
    """
    left_mean, right_mean = head / count, (sums[0] - head) / (n - count)
    error = max(sums[1] - count * left_mean**2 - (n - count) * right_mean**2, 0.0) + scatter[0]
    shift = right_mean - left_mean
    if error > 0:
        variance = error / (n - 2 + scatter[1])
        return shift, shift**2 / (variance * (1 / count + 1 / (n - count)))
    return shift, np.inf if shift != 0 else 0.0


@kernel
def mean_of(x: Values) -> float:
    """Mean of at least one value; of equal ones exactly that value."""
    mean: float = x[0] + (x - x[0]).sum() / x.size
    return mean
