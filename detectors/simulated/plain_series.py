"""Plain series: shapes that nobody would dispute, each with the answers that are right.

A series is a level of known shape, in units of its steady level, plus noise whose unit is the
spread. Heights are many spreads, so that the shape shows in every length. Noise that changes by
itself is drawn anew (`plain_noise`), or a planted answer could be disputed. `EVALUATION` judges
methods and trains none; `TRAINING` draws from other ranges. Values are rounded, so that a seed is a
series on every processor (docs/design/values.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from detectors.contract import NEVER, Values, as_series
from detectors.simulated.synthetic import SECONDS, round_shares

PlainShape = Literal[
    "flat",
    "step-down",
    "step-up",
    "two-steps",
    "slow-first",
    "decay-down",
    "decay-up",
    "cycles",
    "noisy-start",
    "drift",
    "random-walk",
    "late-step",
]
LEAST_TOLERANCE: Final = 2  # iterations beside a right answer
TOLERANCE: Final = 0.02  # of the series: nobody sees less in a picture of it
LEFT_AT_MOST: Final = 2.0  # spreads that may be left of a decay at a right answer
LEFT_AT_LEAST: Final = 0.05  # and below so many, an answer is late
NEVER_SHAPES: Final[tuple[PlainShape, ...]] = ("drift", "random-walk", "late-step")
SHORT: Final = 30  # values, below which a series is flat or has a step
SHORT_SHAPES: Final[tuple[PlainShape, ...]] = ("flat", "step-down", "step-up")
LENGTHS: Final = (30, 50, 100, 200, 500, 1_000, 3_000, 10_000, 30_000, 100_000)
SHORT_LENGTHS: Final = (10, 15, 20)
CYCLE: Final = (5, 60)  # values of a period
FEWEST_PERIODS: Final = 12
WALK_MOVES: Final = 6.0  # spreads by which the second half of a random walk still moves at least
MOST_LEVEL_DISTANCE: Final = 1.5
"""Spreads between means of parts of noise: a quarter of the smallest planted change."""
MOST_SCATTER_RATIO: Final = 3.0  # of the noisiest part to the quietest; planted: 4 or more
PARTS, SHORTEST_PART = 10, 10  # of noise; values of a part
CENTRAL_SHARES: Final = (0.05, 0.95)  # shares of the values below which the spread is measured
NORMAL_WIDTH: Final = 3.29  # width between them of normal noise of deviation 1
LEAST_SCATTER: Final = 0.1  # spreads of the noise of each part: clock ticks can be equal
MOST_DRAWS: Final = 2000
Noise = Callable[[np.random.Generator, int], Values]
"""Draws n values of a spread near 1."""


@dataclass(frozen=True, slots=True)
class PlainRanges:
    """Bounds of what is drawn.

    height: spreads of a step or decay. place: share of the series before a step. spread: of the
    noise, as a share of the level. settles: time constant of a decay, a share of the series.
    scatter: times the spread of a noisy start. seed: begins the key of each series.
    """

    height: tuple[float, float]
    place: tuple[float, float]
    spread: tuple[float, float]
    settles: tuple[float, float]
    scatter: tuple[float, float]
    seed: int


TRAINING: Final = PlainRanges((5, 60), (0.05, 0.7), (0.0004, 0.06), (0.012, 0.09), (4, 15), 1)
EVALUATION: Final = PlainRanges((6, 80), (0.04, 0.75), (0.0002, 0.1), (0.01, 0.1), (5, 20), 2)


@dataclass(frozen=True, slots=True, eq=False)
class PlainLevel:
    """A level in spreads above the steady one, what the noise is multiplied by, and the truth.

    low, high: first and last right answer; NEVER both where there is none.
    """

    spreads: Values
    low: int
    high: int
    scatter: Values | float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class PlainSeries:
    """A series of seconds with its right answers: from `low` to `high`, or NEVER."""

    shape: PlainShape
    noise: str
    values: Values
    low: int
    high: int

    @property
    def is_steady(self) -> bool:
        return self.low != NEVER

    def is_right(self, answer: int) -> bool:
        """True where an answer, or NEVER, is right."""
        return self.low <= answer <= self.high


def tolerance(n: int) -> int:
    """Iterations by which an answer may lie beside a step."""
    return max(LEAST_TOLERANCE, int(TOLERANCE * n))


def plain_series(  # noqa: PLR0917  # all of them name the series
    shape: PlainShape, noise: str, n: int, number: int, ranges: PlainRanges, source: Noise
) -> PlainSeries:
    """One series; the same arguments give the same values. `noise` names the source."""
    random = np.random.default_rng([ranges.seed, n, number, *f"{shape} {noise}".encode()])
    level = LEVELS[shape](random, n, ranges)
    spread = math.exp(random.uniform(*np.log(ranges.spread)))
    depth = -float(level.spreads.min())
    if depth > 0:  # a duration stays positive
        spread = min(spread, 0.8 / depth)
    relative_values = 1 + spread * (level.spreads + level.scatter * plain_noise(random, n, source))
    values = as_series(SECONDS * round_shares(np.maximum(relative_values, 0.01)))
    return PlainSeries(shape, noise, values, level.low, level.high)


def plain_noise(random: np.random.Generator, n: int, source: Noise) -> Values:
    """Noise of spread 1 without a change of its own, by the same rule for every source.

    The spread is the width of the central 90 % of the values, in that of normal noise.
    """
    for _ in range(MOST_DRAWS):
        noise = source(random, n)
        low, high = np.quantile(noise, CENTRAL_SHARES)
        spread = float(high - low) / NORMAL_WIDTH
        if spread and is_even(np.clip(noise, low, high) / spread):
            scaled_noise: Values = noise / spread
            return scaled_noise
    raise ValueError(f"found no even noise in {MOST_DRAWS} draws of {n} values; expected one")


def is_even(noise: Values) -> bool:
    """True where neither level nor spread of noise differs much between its tenths.

    noise: in spreads, rare values cut. Below 100 values a part has 10, below 20 there is one.
    """
    parts = np.array_split(noise, max(1, min(PARTS, noise.size // SHORTEST_PART)))
    levels = [float(part.mean()) for part in parts]
    scatters = [float(np.abs(part - np.median(part)).mean()) + LEAST_SCATTER for part in parts]
    level_distance, scatter_ratio = max(levels) - min(levels), max(scatters) / min(scatters)
    return level_distance <= MOST_LEVEL_DISTANCE and scatter_ratio <= MOST_SCATTER_RATIO


def shapes_of(n: int) -> tuple[PlainShape, ...]:
    """Shapes that a series of n values can show."""
    return tuple(LEVELS) if n >= SHORT else SHORT_SHAPES


# --- levels ---------------------------------------------------------------------------------------


def _height(random: np.random.Generator, n: int, ranges: PlainRanges) -> float:
    """Spreads of a change: more where there are few values to see it by."""
    low, high = ranges.height
    least_height = low * (1 + 10 / n)
    return least_height * math.exp(
        random.random() * math.log(max(high, 2 * least_height) / least_height)
    )


def _place(random: np.random.Generator, n: int, ranges: PlainRanges) -> int:
    low, high = ranges.place
    return int(np.clip(random.uniform(low, high) * n, min(4, n // 4), n - max(4, n // 5)))


def _level_after(spreads: Values, start: int, scatter: Values | float = 1.0) -> PlainLevel:
    """A level that stays from `start` on."""
    margin = tolerance(spreads.size)
    return PlainLevel(spreads, max(0, start - margin), start + margin, scatter)


def _flat_level(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:  # noqa: ARG001  # as the others
    return PlainLevel(np.zeros(n), 0, 0)


def _step_down(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:
    start, height = _place(random, n, ranges), _height(random, n, ranges)
    return _level_after(np.where(np.arange(n) < start, height, 0.0), start)


def _step_up(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:
    level = _step_down(random, n, ranges)
    return PlainLevel(-level.spreads, level.low, level.high)


def _two_steps(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:
    """The first a quarter to three quarters of the way to the last; each up or down."""
    last = max(_place(random, n, ranges), 8, n // 10)
    first = max(4, int(last * random.uniform(0.25, 0.75)))
    first_height, last_height = (
        _height(random, n, ranges) * (1.0 if random.random() < 0.75 else -1.0) for _ in range(2)
    )
    i = np.arange(n)
    return _level_after(
        np.where(i < last, last_height, 0.0) + np.where(i < first, first_height, 0.0), last
    )


def _slow_start(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:
    """One to thirty values above the level, each a little nearer to it than the one before."""
    count = int(random.integers(1, max(3, min(31, n // 20))))
    height = 2 * _height(random, n, ranges)
    spreads = np.zeros(n)
    spreads[:count] = height * np.linspace(1.5, 1.0, count)
    return PlainLevel(spreads, count - count // 4, count + max(1, count // 2))


def _decay_down(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:
    """Exponential, or as 1 / (1 + t)² in units of twice the time constant."""
    height = 1.5 * _height(random, n, ranges)
    time = np.arange(n) / max(2.0, random.uniform(*ranges.settles) * n)
    remaining_share = np.exp(-time) if random.random() < 0.7 else 1 / (1 + time / 2) ** 4
    spreads = height * remaining_share
    margin = tolerance(n) // 2
    low, high = (
        int((spreads > spread_limit).sum()) for spread_limit in (LEFT_AT_MOST, LEFT_AT_LEAST)
    )
    return PlainLevel(spreads, max(0, low - margin), min(n - 1, high + margin))


def _decay_up(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:
    level = _decay_down(random, n, ranges)
    return PlainLevel(-level.spreads, level.low, level.high)


def _cycles(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:
    """Cycles all along that never fade; before half of them a step."""
    low, high = CYCLE
    longest_period = min(high, n // FEWEST_PERIODS)
    period = int(random.integers(min(low, longest_period), longest_period + 1))
    swing, phase = random.uniform(2, 6), (np.arange(n) + random.integers(period)) % period / period
    waves = (
        np.sin(2 * np.pi * phase),
        4 * np.abs(phase - 0.5) - 1,
        np.where(phase < 0.5, 1.0, -1.0),
        2 * phase - 1,
    )
    wave = swing * waves[int(random.integers(len(waves)))]
    if random.random() < 0.5 or n < 4 * SHORT:
        return PlainLevel(wave, 0, max(0, min(period, tolerance(n))))
    start, height = _place(random, n, ranges), _height(random, n, ranges) + 2 * swing
    level = _level_after(wave + np.where(np.arange(n) < start, height, 0.0), start)
    return PlainLevel(level.spreads, level.low - period // 2, level.high + period // 2)


def _noisy_start(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:
    """A level that stays, and noise that is many times as wide at first."""
    start = int(np.clip(random.uniform(0.15, ranges.place[1]) * n, min(10, n // 3), n - n // 4))
    scatter = np.where(np.arange(n) < start, random.uniform(*ranges.scatter), 1.0)
    margin = 2 * tolerance(n)  # the last wide values may be small by chance
    return PlainLevel(np.zeros(n), max(0, start - margin), start + margin, scatter)


def _drift(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:
    height = 1.5 * _height(random, n, ranges)
    remaining_share = np.linspace(1, 0, n) ** random.uniform(0.8, 1.3)
    is_upward = random.random() < 0.5
    return PlainLevel(
        -height * remaining_share if is_upward else height * remaining_share, NEVER, NEVER
    )


def _random_walk(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:
    """Drawn anew until it moves far, in its last half and in its last quarter, too."""
    while True:
        reach = 1.5 * _height(random, n, ranges)
        walk = np.cumsum(reach / math.sqrt(n) * random.standard_normal(n))
        half_range, quarter_range = np.ptp(walk[n // 2 :]), np.ptp(walk[3 * n // 4 :])
        if half_range >= max(WALK_MOVES, 0.3 * np.ptp(walk)) and quarter_range >= 0.4 * half_range:
            return PlainLevel(walk - walk[-1], NEVER, NEVER)


def _late_step(random: np.random.Generator, n: int, ranges: PlainRanges) -> PlainLevel:
    """A step so near the end that what follows is no state."""
    tail_length = max(2, int(random.uniform(0.01, 0.04) * n))
    height = 1.5 * _height(random, n, ranges) * (1.0 if random.random() < 0.5 else -1.0)
    return PlainLevel(np.where(np.arange(n) < n - tail_length, height, 0.0), NEVER, NEVER)


LEVELS: Final[
    Mapping[PlainShape, Callable[[np.random.Generator, int, PlainRanges], PlainLevel]]
] = MappingProxyType(
    {
        "flat": _flat_level,
        "step-down": _step_down,
        "step-up": _step_up,
        "two-steps": _two_steps,
        "slow-first": _slow_start,
        "decay-down": _decay_down,
        "decay-up": _decay_up,
        "cycles": _cycles,
        "noisy-start": _noisy_start,
        "drift": _drift,
        "random-walk": _random_walk,
        "late-step": _late_step,
    }
)

# --- noise, of spread 1 ---------------------------------------------------------------------------


def _normal_noise(random: np.random.Generator, n: int) -> Values:
    return random.standard_normal(n)


def _skewed_noise(random: np.random.Generator, n: int) -> Values:
    """Logarithms are normal: a lower bound, and a long tail above."""
    return (np.exp(0.6 * random.standard_normal(n)) - 1) / 0.6


def _heavy_noise(random: np.random.Generator, n: int) -> Values:
    return random.standard_t(3, n) / 1.13


def _spikes(random: np.random.Generator, n: int) -> Values:
    """Normal, with single values far above: none among the first or the last ones."""
    noise = random.standard_normal(n)
    edge = max(2, n // 20)
    inner_indices = np.arange(edge, n - edge)
    spike_indices = random.choice(
        inner_indices, size=max(1, inner_indices.size // 80), replace=False
    )
    noise[spike_indices] += random.uniform(6, 40, spike_indices.size)
    return noise


def _ticks(random: np.random.Generator, n: int) -> Values:
    """Whole multiples of a coarse clock: many values are equal."""
    return np.rint(random.standard_normal(n) / 0.7) * 0.7


def _two_modes(random: np.random.Generator, n: int) -> Values:
    """Each value near one of two levels, by chance."""
    return np.where(random.random(n) < 0.5, 0.9, -0.9) + 0.4 * random.standard_normal(n)


def autoregressive(random: np.random.Generator, n: int, memory: float) -> Values:
    """Stationary noise of variance 1 in which each value keeps the share `memory` of the last."""
    burn_in = max(50, int(6 / (1 - memory)))
    innovations = math.sqrt(1 - memory**2) * random.standard_normal(n + burn_in)
    values, last = innovations.tolist(), 0.0
    for value_index, innovation in enumerate(values):
        last = values[value_index] = memory * last + innovation
    return np.array(values[burn_in:])


def _correlated_noise(random: np.random.Generator, n: int) -> Values:
    return autoregressive(random, n, 0.6 if n >= 4 * SHORT else 0.3)


def _slow_noise(random: np.random.Generator, n: int) -> Values:
    """Half of the variance changes over up to a hundredth of the series."""
    memory = 1 - 1 / min(100.0, max(1.5, n / 100))
    slow_part = autoregressive(random, n, memory)
    return math.sqrt(0.5) * (slow_part + random.standard_normal(n))


NOISES: Final[Mapping[str, Noise]] = MappingProxyType(
    {
        "normal": _normal_noise,
        "skewed": _skewed_noise,
        "heavy-tailed": _heavy_noise,
        "spikes": _spikes,
        "clock-ticks": _ticks,
        "two-modes": _two_modes,
        "correlated": _correlated_noise,
        "slow": _slow_noise,
    }
)
"""Noises by formula. Recorded noise is a source of `evidence.corpus.plain_noise`."""
