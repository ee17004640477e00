"""Deviation of a measurement from the steady state: an interval of the ratio of means.

The interval is a hierarchical bootstrap (Kalibera & Jones 2013, as Traini, Di Menna &
Cortellessa 2024, section 4.3, use it): forks are drawn with replacement, then of each drawn fork
as many values as it has; the mean is that of all drawn values together. Measurement and steady
part are drawn independently of one another, 10,000 times.

Drawn with counts of forks instead of lists of them, which is the same distribution, and compiled;
a preview draws only the rarest values of a fork and replaces the rest by a normal number, which is
not quite the same.
`docs/design/MATH.md` proves the one and bounds the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from analysis.statistics.answers import Bools, Floats
from analysis.statistics.bootstrap import BootstrapSettings
from detectors.kernels.resamples import resampled_means
from detectors.rules.online.stopping import stream

STEADY, MEASURED = range(2)  # streams of random words, apart from one another
CLOSE: Final = 3
"""Standard deviations over seeds, within which of 1 an end may be on the other side next time."""

PREVIEW: Final = BootstrapSettings(repeats=2_000)
"""How a preview draws."""
RARE: Final = 8
"""Values of a fork that a preview draws one by one: so far from the others that they decide."""
LEAST_OF_A_RARE: Final = 4
"""A fork has a rare value for each so many, until it has all."""


@dataclass(frozen=True, slots=True)
class RatioInterval:
    """Interval of the mean of a measurement over the mean of the steady state.

    close  another seed might decide otherwise whether they differ
    exact  drawn as published; else a preview, which is never stored
    """

    low: float
    high: float
    close: bool
    exact: bool = True

    @property
    def differs(self) -> bool:
        """True where 1 lies outside; an end that is 1 does not differ."""
        return not self.low <= 1 <= self.high

    @property
    def deviation(self) -> float:
        """Relative measurement deviation, a share: how far the middle lies from 1."""
        return abs((self.low + self.high) / 2 - 1)


def ratio_interval(
    measured_forks: Sequence[Floats],
    steady_forks: Sequence[Floats],
    bootstrap: BootstrapSettings | None = None,
) -> RatioInterval | None:
    """The interval for the forks of a benchmark; their numbers and lengths may differ.

    Forks without a value are dropped. None where a side has none left, or a value that is not
    positive: a ratio of means says nothing there.
    """
    steady = steady_part(steady_forks, bootstrap or BootstrapSettings())
    return None if steady is None else steady.interval(measured_forks)


@dataclass(frozen=True, slots=True, eq=False)
class SteadyPart:
    """The steady part of a benchmark, drawn once for all methods that are held against it.

    level     a value of it: what is drawn are differences from it, so that equal values are equal
    exponent  all values are divided by two to this power, so that no sum leaves the range
    means     float64 (repeats,), less `level`
    """

    level: float
    exponent: int
    means: Floats
    bootstrap: BootstrapSettings

    def interval(self, measured_forks: Sequence[Floats]) -> RatioInterval | None:
        """Interval of the ratio of a measurement to this steady part."""
        ratios = self.ratios(measured_forks)
        return None if ratios is None else interval_of(ratios, self.bootstrap)

    def ratios(self, measured_forks: Sequence[Floats]) -> Floats | None:
        """Simulated ratios from which the interval is taken: float64 (repeats,), in the order of
        the simulations.
        """
        nonempty_forks = _nonempty_forks(measured_forks)
        if not _are_positive(nonempty_forks):
            return None
        means = _draw_means(nonempty_forks, self.level, self.exponent, self.bootstrap, MEASURED)
        return (self.level + means) / (self.level + self.means)


def steady_part(forks: Sequence[Floats], bootstrap: BootstrapSettings) -> SteadyPart | None:
    """Build the steady part of these forks; None without values or with one that is not
    positive.
    """
    nonempty_forks = _nonempty_forks(forks)
    if not _are_positive(nonempty_forks):
        return None
    exponent = math.frexp(max(float(fork.max()) for fork in nonempty_forks))[1]
    level = math.ldexp(float(nonempty_forks[0][0]), -exponent)
    means = _draw_means(nonempty_forks, level, exponent, bootstrap, STEADY)
    return SteadyPart(level, exponent, means, bootstrap)


def _nonempty_forks(forks: Sequence[Floats]) -> list[Floats]:
    return [fork for fork in forks if fork.size]


def _are_positive(forks: Sequence[Floats]) -> bool:
    return bool(forks) and min(float(fork.min()) for fork in forks) > 0


def _draw_means(
    forks: Sequence[Floats],
    level: float,
    exponent: int,
    bootstrap: BootstrapSettings,
    stream_key: int,
) -> Floats:
    """Means of resamples in units of two to `exponent`, less `level`: float64 (repeats,)."""
    values = np.ldexp(np.concatenate(forks), -exponent) - level
    fork_ends = np.cumsum([fork.size for fork in forks])
    with np.errstate(over="ignore"):  # the hash wraps around, also uncompiled
        return resampled_means(
            values, fork_ends, stream(bootstrap.seed, stream_key), 0, bootstrap.repeats
        )


def interval_of(
    ratios: Floats, bootstrap: BootstrapSettings, *, is_exact: bool = True
) -> RatioInterval | None:
    """Between two quantiles of the ratios, by linear interpolation."""
    tail = (1 - bootstrap.level) / 2
    sorted_ratios = np.sort(ratios)
    if not (math.isfinite(sorted_ratios[0]) and math.isfinite(sorted_ratios[-1])):
        return None
    low, high = _quantile(sorted_ratios, tail), _quantile(sorted_ratios, 1 - tail)
    is_close = _is_one_near(sorted_ratios, tail) or _is_one_near(sorted_ratios, 1 - tail)
    return RatioInterval(low, high, is_close, is_exact)


def _quantile(sorted_ratios: Floats, share: float) -> float:
    quantile_position = share * (sorted_ratios.size - 1)
    lower_index = math.floor(quantile_position)
    upper_index = min(lower_index + 1, sorted_ratios.size - 1)
    lower_ratio, upper_ratio = float(sorted_ratios[lower_index]), float(sorted_ratios[upper_index])
    return lower_ratio + (upper_ratio - lower_ratio) * (quantile_position - lower_index)


def _is_one_near(sorted_ratios: Floats, share: float) -> bool:
    """True where 1 lies among the order statistics that this quantile might have been.

    How many of `repeats` ratios lie below a quantile is binomial, whatever their distribution.
    """
    last_index = sorted_ratios.size - 1
    rank_reach = CLOSE * math.sqrt(sorted_ratios.size * share * (1 - share))
    lower_ratio = float(sorted_ratios[max(math.floor(share * last_index - rank_reach), 0)])
    upper_ratio = float(sorted_ratios[min(math.ceil(share * last_index + rank_reach), last_index)])
    return lower_ratio <= 1 <= upper_ratio and lower_ratio < upper_ratio


# --- previews ---------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, eq=False)
class CondensedForks:
    """Values of k forks condensed for a preview: rare ones one by one, a summary of the rest.

    n, mean, variance   how many values there are; of those that are not rare. float64 (k,)
    rare      how far each of r rare values lies from that mean, 0 where there are fewer: (k, r)
    is_rare   bool (k, r)
    positive  whether every value is
    """

    n: Floats
    mean: Floats
    variance: Floats
    rare: Floats
    is_rare: Bools
    positive: bool

    @classmethod
    def from_forks(cls, forks: Sequence[Floats], r: int = RARE) -> CondensedForks:
        """Condense lists of values; empty ones are dropped."""
        nonempty_forks = _nonempty_forks(forks)
        rare_values, is_rare = (
            np.zeros((len(nonempty_forks), r)),
            np.zeros((len(nonempty_forks), r), np.bool_),
        )
        summaries = np.empty((len(nonempty_forks), 3))
        with np.errstate(over="ignore", invalid="ignore"):
            for fork_index, fork in enumerate(nonempty_forks):
                other_values, farthest_values = _split_rare(fork, r)
                mean = other_values.mean()
                summaries[fork_index] = fork.size, mean, other_values.var()
                rare_values[fork_index, : farthest_values.size] = farthest_values - mean
                is_rare[fork_index, : farthest_values.size] = True
        n, means, variances = summaries.T
        return cls(n, means, variances, rare_values, is_rare, _are_positive(nonempty_forks))

    @property
    def k(self) -> int:
        return self.n.size


def _split_rare(fork: Floats, r: int) -> tuple[Floats, Floats]:
    """The values without those that lie farthest from their mean, and these."""
    count = min(r, fork.size // LEAST_OF_A_RARE)
    if count == 0:
        return fork, fork[:0]
    sort_order = np.argpartition(np.abs(fork - fork.mean()), fork.size - count)
    return fork[sort_order[:-count]], fork[sort_order[-count:]]


def preview(
    measured_forks: CondensedForks, steady: CondensedForks, bootstrap: BootstrapSettings = PREVIEW
) -> RatioInterval | None:
    """Nearly the same interval as that of `ratio_interval`; None where that is None."""
    return previews([measured_forks], steady, bootstrap)[0]


def previews(
    measured_forks: Sequence[CondensedForks],
    steady: CondensedForks,
    bootstrap: BootstrapSettings = PREVIEW,
) -> list[RatioInterval | None]:
    """Preview intervals of several measurements against one steady part, which is drawn once."""
    return [
        None if ratios is None else interval_of(ratios, bootstrap, is_exact=False)
        for ratios in preview_ratios(measured_forks, steady, bootstrap)
    ]


def preview_ratios(
    measured_forks: Sequence[CondensedForks], steady: CondensedForks, bootstrap: BootstrapSettings
) -> list[Floats | None]:
    """Draw the ratios of previews, each float64 (repeats,), as `SteadyPart.ratios` does exactly."""
    if not steady.positive:
        return [None] * len(measured_forks)
    scale: np.float64 = steady.mean[0]  # its square may be infinite, unlike a Python float's
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        steady_means = _nearly_exact_means(steady, scale, bootstrap, STEADY)
        return [
            _nearly_exact_means(measurement, scale, bootstrap, MEASURED) / steady_means
            if measurement.positive
            else None
            for measurement in measured_forks
        ]


def _nearly_exact_means(
    forks: CondensedForks, scale: np.float64, bootstrap: BootstrapSettings, stream_key: int
) -> Floats:
    """Means of resamples: rare values by how often they are drawn, the rest a normal number."""
    draws = common_draws(forks.rare.shape, bootstrap.repeats, bootstrap.seed, stream_key)
    n, mean, variance = forks.n, forks.mean / scale, forks.variance / scale**2
    sums = draws.forks @ np.stack([n, n * mean, n * variance], 1)
    rare_columns = np.stack([forks.rare / scale, -variance[:, None] * forks.is_rare], 2)
    sums[:, 1:] += draws.rare @ rare_columns.reshape(-1, 2)
    spread = np.sqrt(np.maximum(sums[:, 2], 0.0))
    means: Floats = (sums[:, 1] + spread * draws.normal) / sums[:, 0]
    return means


class _Draws(NamedTuple):
    """Draws of each resample: how often it has each fork, and each fork's rare values; a normal
    number.

    float64 (repeats, k), (repeats, k x r), (repeats,)
    """

    forks: Floats
    rare: Floats
    normal: Floats


@lru_cache(maxsize=16)
def common_draws(shape: tuple[int, int], repeats: int, seed: int, stream_key: int) -> _Draws:
    """Draws shared by all benchmarks of k forks with r rare values each; `shape` is (k, r)."""
    from scipy.special import ndtri  # noqa: PLC0415  # no process needs SciPy to start

    k, r = shape
    generator = np.random.default_rng([seed, stream_key, k])
    fork_counts = generator.multinomial(k, np.full(k, 1 / k), size=repeats).astype(np.float64)
    # Of c x n draws from n values, those of one value are next to Poisson with mean c.
    rare_draws = generator.poisson(np.repeat(fork_counts, r, axis=1)).astype(np.float64)
    # Every part of the normal distribution as often as is due: less depends on the seed.
    normal_draws = generator.permutation(ndtri((np.arange(repeats) + 0.5) / repeats))
    return _Draws(fork_counts, rare_draws, normal_draws)
