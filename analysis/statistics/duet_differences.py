"""Change between two versions that ran side by side, in pairs of forks and iterations. Pure.

Whatever disturbs both sides of a pair at once leaves their ratio alone (Bulej et al. 2020, Duet
benchmarking: improving measurement accuracy in the cloud).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.build_differences import CONFIDENCE, ROUNDING
from analysis.statistics.variance_components import SteadyMoments, fork_moments
from detectors.intervals.quantiles import student_quantile
from detectors.intervals.steady_interval import steady_interval

SidePair = tuple[Floats, Floats]
"""Values of both sides of a pair of forks, iteration by iteration: (n,) each, above 0."""


@dataclass(frozen=True, slots=True)
class DuetDifference:
    """The second side against the first.

    forks, pairs   pairs of forks, and pairs of iterations in all of them
    ratio          geometric mean of the ratios of paired iterations, over forks
    low, high, p   95 % interval of the ratio, and two-sided p of no change: Student's t of the
                   forks' mean logarithms; of one fork by its iterations; None where unknown
    between_forks  variance of these means that iterations do not explain; None of one fork
    long_run       variance of a mean of many logarithms of ratios, times their number; None of
                   single pairs
    saving         variance of the difference of two versions that ran apart, with as many forks
                   and iterations, over its variance as pairs; None where unknown
    """

    forks: int
    pairs: int
    ratio: float
    low: float | None
    high: float | None
    p: float | None
    between_forks: float | None
    long_run: float | None
    saving: float | None

    @property
    def iterations(self) -> float:
        """Pairs of iterations of a fork, on average."""
        return self.pairs / self.forks


def duet_difference(fork_pairs: Iterable[SidePair]) -> DuetDifference:
    """Compare both sides of one pair of forks or more, each of one pair of iterations or more.

    The values of one pair are in memory at a time.
    """
    moments, side_means, only_pair = list[SteadyMoments](), list[tuple[float, float]](), None
    for side_before, side_after in fork_pairs:
        sides = np.log(side_before), np.log(side_after)
        only_pair = sides if not moments else None
        moments.append(fork_moments(sides[1] - sides[0]))
        side_means.append((sides[0].mean(), sides[1].mean()))
    means = np.array([moment.mean for moment in moments])
    mean = 0.0 if abs(means.mean()) < ROUNDING else float(means.mean())
    reach, p = _reach(means) if only_pair is None else _side_half_and_p(only_pair[1] - only_pair[0])
    variances = (
        _single_fork_variances(only_pair, moments[0])
        if only_pair is not None
        else np.var(np.column_stack((side_means, means)), axis=0, ddof=1)
    )
    errors = np.nan_to_num([moment.long_run / moment.n for moment in moments])
    return DuetDifference(
        forks=means.size,
        pairs=sum(moment.n for moment in moments),
        ratio=math.exp(mean),
        low=None if reach is None else math.exp(mean - reach),
        high=None if reach is None else math.exp(mean + reach),
        p=p,
        between_forks=None if means.size == 1 else float(means.var(ddof=1) - errors.mean()),
        long_run=_long_run(moments),
        saving=_saving(*map(float, variances)),
    )


def _reach(means: Floats) -> tuple[float | None, float | None]:
    error = math.sqrt(float(means.var(ddof=1)) / means.size)
    return _half_and_p(float(means.mean()), error, means.size - 1)


def _side_half_and_p(logarithms: Floats) -> tuple[float | None, float | None]:
    interval = steady_interval(logarithms)
    if interval.half is None or interval.freedom is None:
        return None, None
    quantile = student_quantile((1 + CONFIDENCE) / 2, interval.freedom)
    return _half_and_p(interval.mean, interval.half / quantile, interval.freedom)


def _half_and_p(mean: float, error: float, freedom: float) -> tuple[float, float]:
    """Half of the interval of a mean, and the p of no change."""
    if error < ROUNDING:
        return 0.0, float(abs(mean) < ROUNDING)
    from scipy.special import stdtr  # noqa: PLC0415  # loads long, and few pages ask

    p = 2 * float(stdtr(freedom, -abs(mean) / error))
    return student_quantile((1 + CONFIDENCE) / 2, freedom) * error, p


def _long_run(moments: Sequence[SteadyMoments]) -> float | None:
    variances = [moment.long_run for moment in moments if moment.n > 1]
    return float(np.mean(variances)) if variances else None


def _single_fork_variances(sides: SidePair, ratio: SteadyMoments) -> tuple[float, float, float]:
    """Variances of both sides and of their ratio, as iterations leave them to a mean."""
    before, after = (fork_moments(logarithms).long_run for logarithms in sides)
    return before, after, ratio.long_run


def _saving(before: float, after: float, paired: float) -> float | None:
    """Variances of both sides together over that of the pairs: between forks, of one within it."""
    return (before + after) / paired if paired > ROUNDING**2 else None
