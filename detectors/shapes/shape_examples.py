"""Simulated series whose shape is known, and how often the rules of `detectors.shapes.series_shape`
find it.

Levels and noise are drawn as in `detectors.simulated.synthetic`: a seed is a series, to the bit, on
every processor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from detectors.contract import Values, as_series
from detectors.shapes.series_shape import Shape, shape_of
from detectors.simulated.synthetic import NOISE, SECONDS, round_shares

FIRST_SEED: Final = 1000
DrawLevel = Callable[[np.random.Generator, int], Values]


def example(shape: Shape, *, n: int = 3000, seed: int = 0, noise: float = NOISE) -> Values:
    """A series of n values that is made as `shape` says, in seconds.

    noise: standard deviation as a share of the last level. Raises KeyError for a shape that has
    no example.
    """
    random = np.random.default_rng([seed, n, *shape.encode()])
    noisy_level = LEVELS[shape](random, n) + noise * random.standard_normal(n)
    return as_series(SECONDS * round_shares(np.maximum(noisy_level, NOISE)))


def confusion(
    shapes: Iterable[Shape], *, count: int, n: int = 3000, noise: float = NOISE, rates: bool = False
) -> dict[Shape, Counter[Shape]]:
    """Counts of the shapes told of `count` examples of each shape; with `rates` those of 1/x.

    Their seeds begin at `FIRST_SEED`: the thresholds were chosen while looking at lower ones.
    """
    counts_by_shape: dict[Shape, Counter[Shape]] = {}
    for shape in shapes:
        series = (
            example(shape, n=n, seed=seed, noise=noise)
            for seed in range(FIRST_SEED, FIRST_SEED + count)
        )
        fitted_shapes = (shape_of(1 / values if rates else values).shape for values in series)
        counts_by_shape[shape] = Counter(fitted_shapes)
    return counts_by_shape


# --- levels -----------------------------------------------------------------------------------
def _flat_level(random: np.random.Generator, n: int) -> Values:  # noqa: ARG001  # as the others
    return np.ones(n)


def _cut(random: np.random.Generator, n: int, low: float = 0.05, high: float = 0.9) -> int:
    return int(random.integers(int(low * n), int(high * n)))


def _step_down(random: np.random.Generator, n: int) -> Values:
    return np.where(np.arange(n) < _cut(random, n), 1 + random.uniform(0.1, 1.5), 1.0)


def _step_up(random: np.random.Generator, n: int) -> Values:
    return np.where(np.arange(n) < _cut(random, n), random.uniform(0.4, 0.9), 1.0)


def _steps(random: np.random.Generator, n: int) -> Values:
    """Up, and later down again, though not as far."""
    first, last = _cut(random, n, 0.1, 0.4), _cut(random, n, 0.5, 0.9)
    step_height, i = random.uniform(0.2, 0.8), np.arange(n)
    return np.where(i < first, 1 - step_height / 4, np.where(i < last, 1 + step_height, 1.0))


def _decay(random: np.random.Generator, n: int) -> Values:
    curve: Values = np.exp(-np.arange(n) / (n * random.uniform(0.02, 0.2)))
    return curve


def _decay_down(random: np.random.Generator, n: int) -> Values:
    return 1 + random.uniform(0.2, 2.0) * _decay(random, n)


def _decay_up(random: np.random.Generator, n: int) -> Values:
    return 1 - random.uniform(0.2, 0.6) * _decay(random, n)


def _drift_down(random: np.random.Generator, n: int) -> Values:
    return np.linspace(1 + random.uniform(0.1, 1.5), 1.0, n)


def _drift_up(random: np.random.Generator, n: int) -> Values:
    return np.linspace(random.uniform(0.4, 0.9), 1.0, n)


def _cycles(random: np.random.Generator, n: int) -> Values:
    """Waves, teeth or two levels in turn, from 3 values a period up to a fourth of the series."""
    period = np.exp(random.uniform(np.log(3), np.log(n / 4)))
    phase = np.arange(n) / period % 1
    forms = (np.sin(2 * np.pi * phase), 2 * phase - 1, np.sign(phase - 0.5))
    form: Values = forms[int(random.integers(3))]
    return 1 + random.uniform(0.05, 0.3) * form


def _random_walk(random: np.random.Generator, n: int) -> Values:
    walk: Values = np.cumsum(random.standard_normal(n)) * random.uniform(0.2, 0.6) / np.sqrt(n)
    return np.exp(np.clip(walk, -2, 2))


def _spikes(random: np.random.Generator, n: int) -> Values:
    level = np.ones(n)
    spike_indices = random.choice(
        n, size=max(int(n * random.uniform(0.003, 0.03)), 3), replace=False
    )
    level[spike_indices] += random.uniform(0.5, 10.0, size=spike_indices.size)
    return level


LEVELS: Final[Mapping[Shape, DrawLevel]] = MappingProxyType(
    {
        "flat": _flat_level,
        "step-down": _step_down,
        "step-up": _step_up,
        "steps": _steps,
        "decay-down": _decay_down,
        "decay-up": _decay_up,
        "drift-down": _drift_down,
        "drift-up": _drift_up,
        "cycles": _cycles,
        "random-walk": _random_walk,
        "spikes": _spikes,
    }
)
