"""Levels of known shape, in units of the steady level, each with the answer that follows from it.

Every height is several spreads of the noise, so that an answer can be found in what is drawn.
Sums, products, quotients and square roots only, which every processor rounds alike: a decay is a
product that is multiplied on, a wave is a triangle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from detectors.contract import NEVER, Values
from detectors.shapes.series_shape import Shape

Exactness = Literal["exact", "threshold"]

HEIGHTS: Final = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)  # of a step, each up to twice as much
STEP: Final = 4  # spreads of the noise that a step has at least
MOVE: Final = 8  # and what never stays moves by so many
NOTHING_LEFT: Final = 0.1
"""Spreads of the noise that may be left of a decay at its answer: what is left then moves the mean
of what follows by less than the noise itself does (docs/guide/corpus.md)."""
CYCLES_LEFT: Final = 25  # periods that a series has at least
FEWEST_BEFORE: Final = 3  # values before a step: one or two are single slow ones


@dataclass(frozen=True, slots=True, eq=False)
class KnownLevel:
    """A level with its answer.

    values: (n,) in units of the steady level. steady_start: 0-based, NEVER for none.
    within_spread: the first iteration from which the level differs from the steady one by no more
    than one spread of the noise; earlier only for a decay. exactness: "threshold" where the answer
    depends on what counts as nothing: every iteration from `within_spread` to `steady_start` is
    right.
    """

    values: Values
    steady_start: int
    within_spread: int
    why: str
    exactness: Exactness = "exact"

    @property
    def middle(self) -> int:
        """Middle of the right answers, NEVER for none."""
        return (self.within_spread + self.steady_start) // 2

    def height(self, spread: float) -> float:
        """Spreads of the last change, or by which the second half of what never settles moves.

        Infinity of a level without a change.
        """
        start = self.steady_start
        if start == 0:
            return float("inf")
        if start == NEVER:
            return float(np.ptp(self.values[self.values.size // 2 :])) / spread
        first = 0 if self.exactness == "threshold" else start - 1
        return abs(float(self.values[first]) - 1) / spread

    @classmethod
    def from_change(cls, values: Values, start: int, reason: str) -> KnownLevel:
        """Level that stays from `start` on, and did not before."""
        return cls(values, start, start, reason)


NEVER_SHAPES: Final[tuple[Shape, ...]] = ("drift-down", "drift-up", "random-walk")

DrawKnown = Callable[[np.random.Generator, int, float], KnownLevel]


def height(random: np.random.Generator, least_height: float) -> float:
    """Share of the level by which it changes."""
    drawn_height = HEIGHTS[int(random.integers(len(HEIGHTS)))] * (1 + random.random())
    return max(drawn_height, least_height * (1 + random.random()))


def _place(random: np.random.Generator, n: int) -> int:
    return int(random.integers(max(3 * n // 100, FEWEST_BEFORE), 6 * n // 10))


def _flat_level(random: np.random.Generator, n: int, spread: float) -> KnownLevel:  # noqa: ARG001  # as the others
    return KnownLevel.from_change(np.ones(n), 0, "The level is the same from the first one on.")


def _step_down(random: np.random.Generator, n: int, spread: float) -> KnownLevel:
    start, factor = _place(random, n), 1 + height(random, STEP * spread)
    values = np.where(np.arange(n) < start, factor, 1.0)
    return KnownLevel.from_change(values, start, f"The level falls once, at iteration {start}.")


def _step_up(random: np.random.Generator, n: int, spread: float) -> KnownLevel:
    start, factor = _place(random, n), 1 + height(random, STEP * spread)
    values = np.where(np.arange(n) < start, 1 / factor, 1.0)
    return KnownLevel.from_change(values, start, f"The level rises once, at iteration {start}.")


def _steps(random: np.random.Generator, n: int, spread: float) -> KnownLevel:
    """Two to four, three of four of them down, in as many parts before the last."""
    count = int(random.integers(2, 5))
    mean_length = int(random.integers(2 * n // 10, 6 * n // 10)) // count
    cuts = [
        mean_length * step_index + max(int(random.integers(mean_length // 3, mean_length)), 1)
        for step_index in range(count)
    ]
    values, level = np.ones(n), 1.0
    for cut in reversed(cuts):
        factor = 1 + height(random, STEP * spread)
        level = level * factor if random.integers(4) else level / factor
        values[:cut] = level
    reason = f"The level changes at {', '.join(map(str, cuts))}, and stays."
    return KnownLevel.from_change(values, cuts[-1], reason)


def _decay(random: np.random.Generator, n: int, spread: float, *, is_upward: bool) -> KnownLevel:
    """Exponential, with a time constant of 1 to 6 % of the series."""
    first = height(random, STEP * spread)
    length = n * (1 + 5 * random.random()) / 100
    factors = np.full(n, length / (length + 1))
    factors[0] = first
    remaining_height = np.multiply.accumulate(factors)
    values = 1 / (1 + remaining_height) if is_upward else 1 + remaining_height
    distances = np.abs(values - 1)
    start, visible_end = (int((distances > share * spread).sum()) for share in (NOTHING_LEFT, 1.0))
    words = "rises" if is_upward else "falls"
    reason = f"The level {words} to the steady one; from {start} a tenth of the noise is left."
    return KnownLevel(values, start, visible_end, reason, "threshold")


def _decay_down(random: np.random.Generator, n: int, spread: float) -> KnownLevel:
    return _decay(random, n, spread, is_upward=False)


def _decay_up(random: np.random.Generator, n: int, spread: float) -> KnownLevel:
    return _decay(random, n, spread, is_upward=True)


def _cycles(random: np.random.Generator, n: int, spread: float) -> KnownLevel:
    """A step down to a level around which short cycles go on to the end, as before the step."""
    start, period = _place(random, n), int(random.integers(4, max(n // CYCLES_LEFT, 5)))
    swing = max(0.02 + 0.1 * random.random(), 3 * spread)
    factor = 1 + height(random, STEP * spread + 2 * swing)
    phase = (np.arange(n) + int(random.integers(period))) % period / period
    triangle = 4 * np.abs(phase - 0.5) - 1
    wave = triangle if random.integers(2) else np.where(triangle > 0, 1.0, -1.0)
    values = np.where(np.arange(n) < start, factor, 1.0) * np.maximum(1 + swing * wave, 0.1)
    reason = f"The level falls at {start}; cycles of {period} iterations go on all along."
    return KnownLevel.from_change(values, start, reason)


def _spikes(random: np.random.Generator, n: int, spread: float) -> KnownLevel:
    level = _step_down(random, n, spread)
    count = max(int(n * (1 + 2 * random.random()) / 200), 3)
    spike_indices = random.choice(n, size=count, replace=False)
    level.values[spike_indices] *= 2 + 8 * random.random(count)
    reason = f"The level falls at {level.steady_start}; {count} single spikes, all along, are none."
    return KnownLevel.from_change(level.values, level.steady_start, reason)


def _never_level(values: Values, reason: str) -> KnownLevel:
    return KnownLevel(values, NEVER, NEVER, reason)


def _drift_down(random: np.random.Generator, n: int, spread: float) -> KnownLevel:
    high = height(random, MOVE * spread)
    ramp = np.arange(n - 1, -1, -1) / (n - 1)
    return _never_level(1 + high * ramp, "The level falls all along, to the last iteration.")


def _drift_up(random: np.random.Generator, n: int, spread: float) -> KnownLevel:
    falling_level = _drift_down(random, n, spread)
    return _never_level(
        1 / falling_level.values, "The level rises all along, to the last iteration."
    )


def _random_walk(random: np.random.Generator, n: int, spread: float) -> KnownLevel:
    """Steps of both signs; its standard deviation at the end is the height that is drawn."""
    reach = height(random, MOVE * spread) * np.sqrt(3 / n)
    walk = np.add.accumulate(reach * (2 * random.random(n) - 1))
    return _never_level(1 + np.abs(walk), "The level is a random walk, which never settles.")


LEVELS: Final[Mapping[Shape, DrawKnown]] = MappingProxyType(
    {
        "flat": _flat_level,
        "step-down": _step_down,
        "step-up": _step_up,
        "steps": _steps,
        "decay-down": _decay_down,
        "decay-up": _decay_up,
        "cycles": _cycles,
        "spikes": _spikes,
        "drift-down": _drift_down,
        "drift-up": _drift_up,
        "random-walk": _random_walk,
    }
)
