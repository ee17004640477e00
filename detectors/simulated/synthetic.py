"""Simulated series with known answers: for tests, for the demo, for trying a detector.

Every kind is a level over time plus noise, in seconds, all from one seed. What is known is the
iteration from which level and noise stay what they are; nobody has to believe a detector.
A seed is a series, to the bit, on every processor: docs/design/values.md says how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from detectors.contract import NEVER, Values, as_series

SHORTEST = 100  # values; below, the pieces of a kind have no room
NOISE = 0.01  # standard deviation, as a share of the steady level
SECONDS = 1e-3  # steady level
DECIMALS = 7  # that are kept of a value, as a share of the steady level


@dataclass(frozen=True, slots=True)
class SyntheticSeries:
    """A series, its true answer (`NEVER` if there is none), and one sentence that says why."""

    kind: str
    values: Values
    steady_start: int
    why: str

    @property
    def name(self) -> str:
        return self.kind


@dataclass(frozen=True, slots=True)
class SyntheticShape:
    """Drawn level and noise of a kind, in units of the steady ones, and the truth."""

    level: Values
    noise: Values | float
    steady_start: int
    why: str


Draw = Callable[[np.random.Generator, int], SyntheticShape]


def simulate(kind: str, *, n: int = 3000, seed: int = 0, noise: float = NOISE) -> SyntheticSeries:
    """One series of `kind`, of n values; the same seed gives the same values everywhere.

    `noise` is the standard deviation as a share of the steady level. What is known does not
    move with it, so more of it hides the answer. Raises ValueError for a kind that there is
    not, too small an n, or a noise outside of 0 to 1.
    """
    if kind not in KINDS:
        raise ValueError(f"no kind {kind!r}; there are: {', '.join(KINDS)}")
    if n < SHORTEST:
        raise ValueError(f"n must be {SHORTEST} or more; got {n}")
    if not 0 <= noise <= 1:
        raise ValueError(f"noise must be from 0 to 1; got {noise}")
    random = np.random.default_rng([seed, *kind.encode()])
    shape = KINDS[kind](random, n)
    noisy_level = shape.level + noise * shape.noise * random.standard_normal(n)
    values = as_series(
        SECONDS * round_shares(np.maximum(noisy_level, NOISE))
    )  # a duration is positive
    return SyntheticSeries(kind, values, shape.steady_start, shape.why)


def round_shares(shares: Values) -> Values:
    """Shares of a level, to `DECIMALS` decimals.

    exp, log and normal draws may differ in their last bit from one processor to the next; after
    rounding they do not. Scaling and rounding are exact in IEEE arithmetic, and so is what
    follows: one product with the level.
    """
    scale = float(10**DECIMALS)
    return np.rint(shares * scale) / scale


def simulate_all(*, n: int = 3000, seed: int = 0) -> Iterator[SyntheticSeries]:
    """One series of every kind."""
    return (simulate(kind, n=n, seed=seed) for kind in KINDS)


def _place(random: np.random.Generator, n: int, low: float, high: float) -> int:
    return int(random.integers(int(low * n), int(high * n)))


def _step(random: np.random.Generator, n: int) -> SyntheticShape:
    start = _place(random, n, 0.1, 0.5)
    height = random.uniform(0.3, 1.5)
    level = np.where(np.arange(n) < start, 1 + height, 1.0)
    return SyntheticShape(
        level, 1.0, start, f"The level falls once, at iteration {start}, and stays."
    )


def _two_steps(random: np.random.Generator, n: int) -> SyntheticShape:
    first, last = _place(random, n, 0.05, 0.2), _place(random, n, 0.3, 0.6)
    i = np.arange(n)
    level = np.where(i < first, 3.0, np.where(i < last, random.uniform(1.2, 1.6), 1.0))
    return SyntheticShape(
        level, 1.0, last, f"The level falls at {first} and again at {last}, then stays."
    )


def _decay(random: np.random.Generator, n: int) -> SyntheticShape:
    height, length = random.uniform(1.0, 3.0), n * random.uniform(0.02, 0.08)
    # Steady once what is left of the decay is a tenth of the noise, which nobody can see.
    start = int(np.ceil(length * np.log(height / (0.1 * NOISE))))
    level = 1 + height * np.exp(-np.arange(n) / length)
    return SyntheticShape(
        level,
        1.0,
        start,
        f"An exponential decay falls below a tenth of the noise at iteration {start}.",
    )


def _flat_shape(random: np.random.Generator, n: int) -> SyntheticShape:  # noqa: ARG001  # every kind has one shape
    return SyntheticShape(
        np.ones(n), 1.0, 0, "Level and noise are the same from the first iteration on."
    )


def _spikes(random: np.random.Generator, n: int) -> SyntheticShape:
    shape = _step(random, n)
    spike_indices = random.choice(n, size=max(n // 100, 1), replace=False)
    level = shape.level.copy()
    level[spike_indices] += random.uniform(1.0, 20.0, size=spike_indices.size)
    explanation = (
        f"One level after iteration {shape.steady_start}; single spikes, all along, are no change."
    )
    return SyntheticShape(level, 1.0, shape.steady_start, explanation)


def _noise_change(random: np.random.Generator, n: int) -> SyntheticShape:
    start = _place(random, n, 0.2, 0.5)
    noise = np.where(np.arange(n) < start, random.uniform(5.0, 12.0), 1.0)
    return SyntheticShape(
        np.ones(n),
        noise,
        start,
        f"The level never moves; the noise falls at iteration {start}, and stays.",
    )


def _slow_down(random: np.random.Generator, n: int) -> SyntheticShape:
    start = _place(random, n, 0.2, 0.6)
    level = np.where(np.arange(n) < start, random.uniform(0.5, 0.8), 1.0)
    return SyntheticShape(
        level, 1.0, start, f"The level rises once, at iteration {start}, and stays: a slowdown."
    )


def _drift(random: np.random.Generator, n: int) -> SyntheticShape:
    level = np.linspace(1 + random.uniform(0.5, 2.0), 1.0, n)
    return SyntheticShape(level, 1.0, NEVER, "The level falls all along, to the last iteration.")


def _late_step(random: np.random.Generator, n: int) -> SyntheticShape:
    start = _place(random, n, 0.97, 0.99)
    level = np.where(np.arange(n) < start, random.uniform(1.3, 2.0), 1.0)
    explanation = (
        f"The level falls at {start}, so near the end that what follows is too short to be a state."
    )
    return SyntheticShape(level, 1.0, NEVER, explanation)


def _cyclic(random: np.random.Generator, n: int) -> SyntheticShape:
    period = max(int(n * random.uniform(0.1, 0.2)), 2)
    level = np.where(np.arange(n) // period % 2 == 0, 1.0, random.uniform(1.3, 1.8))
    return SyntheticShape(
        level, 1.0, NEVER, f"Two levels take turns every {period} iterations, to the end."
    )


def _walk_shape(random: np.random.Generator, n: int) -> SyntheticShape:
    level = 1 + np.abs(np.cumsum(random.normal(0.0, 0.5 / np.sqrt(n), n)))
    return SyntheticShape(level, 1.0, NEVER, "The level is a random walk, which never settles.")


KINDS: Mapping[str, Draw] = MappingProxyType(
    {
        "step": _step,
        "two-steps": _two_steps,
        "decay": _decay,
        "flat": _flat_shape,
        "spikes": _spikes,
        "noise-change": _noise_change,
        "slowdown": _slow_down,
        "drift": _drift,
        "late-step": _late_step,
        "cyclic": _cyclic,
        "random-walk": _walk_shape,
    }
)
