"""Change of a benchmark between two builds, from the steady means of their forks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from analysis.statistics.answers import Floats
from analysis.statistics.effect_sizes import cliffs_delta

CONFIDENCE: Final = 0.95
ROUNDING: Final = 1e-12  # share by which equal means may differ as floating-point numbers


@dataclass(frozen=True, slots=True)
class ForkDifference:
    """Results of the second build against those of the first.

    ratio      mean of the second over mean of the first
    low, high  95 % interval of the ratio; None with fewer than two forks on one side
    delta      Cliff's delta of the second against the first (`effect_sizes.cliffs_delta`)
    p          two-sided, of no change; None as the interval
    """

    ratio: float
    low: float | None
    high: float | None
    delta: float
    p: float | None


def fork_difference(before: Floats, after: Floats) -> ForkDifference:
    """Compare steady means of forks, all above 0, float64 (m,) and (n,), m and n at least 1.

    Interval and p are Welch's on the logarithm of the ratio of both means, whose error is that of
    the means as shares of them (delta method); degrees of freedom by Welch and Satterthwaite.
    """
    log_ratio = math.log(after.mean() / before.mean())
    if abs(log_ratio) < ROUNDING:
        log_ratio = 0.0
    ratio, delta = math.exp(log_ratio), cliffs_delta(after, before)
    if min(before.size, after.size) < 2:
        return ForkDifference(ratio, None, None, delta, None)
    parts = [
        (float((fork_values / fork_values.mean()).var(ddof=1)) / fork_values.size, fork_values.size)
        for fork_values in (before, after)
    ]
    squared_error = sum(share for share, _ in parts)
    if squared_error < ROUNDING**2:  # forks are all alike, as counts of instructions are
        return ForkDifference(ratio, ratio, ratio, delta, float(log_ratio == 0))
    from scipy.special import stdtr, stdtrit  # noqa: PLC0415  # loads long, and few pages ask

    freedom = squared_error**2 / sum(share**2 / (size - 1) for share, size in parts)
    error = math.sqrt(squared_error)
    reach = float(stdtrit(freedom, (1 + CONFIDENCE) / 2)) * error
    return ForkDifference(
        ratio,
        math.exp(log_ratio - reach),
        math.exp(log_ratio + reach),
        delta,
        2 * float(stdtr(freedom, -abs(log_ratio) / error)),
    )
