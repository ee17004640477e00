"""The series of the corpus: which there are, and each with what is known of it, from one seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NEVER, Values, as_series
from detectors.shapes.series_shape import Shape
from evidence.corpus.levels import LEVELS, KnownLevel
from evidence.corpus.noise import RecordedNoise, recorded_noise
from evidence.corpus.versions import CURRENT, CorpusVersion
from formats.units import storage_unit

UNIT: Final = "ns/op"
MOST: Final = 2**32 - 1  # nanoseconds: four seconds
LEAST_SEEN: Final = 3.0  # spreads of a change, below which it is too small to see
BESIDE: Final = 50  # values on each side of a change whose medians show it
PLANTINGS: Final = 50  # of one series, at most
Nanoseconds = NDArray[np.uint32]
Noises = Mapping[str, Sequence[RecordedNoise]]


@dataclass(frozen=True, slots=True)
class SeriesPlan:
    """One series to be made; its name says where its noise is from, and not its shape."""

    name: str
    workload: str
    shape: Shape
    n: int
    version: CorpusVersion = CURRENT


@dataclass(frozen=True, slots=True, eq=False)
class CorpusSeries:
    """A series of n calls, in whole nanoseconds as a clock has them, and what is known of it."""

    plan: SeriesPlan
    noise: RecordedNoise
    known: KnownLevel
    nanoseconds: Nanoseconds

    @property
    def values(self) -> Values:
        """Seconds, as the import of Plateau makes them."""
        return as_series(storage_unit(UNIT).convert_all(self.nanoseconds.astype(np.float64)))

    @property
    def digest(self) -> str:
        """SHA-256 of the values (float64, little-endian), as every export has it."""
        return sha256(self.values.astype("<f8").tobytes()).hexdigest()

    @property
    def is_steady(self) -> bool:
        return self.known.steady_start != NEVER

    @property
    def height(self) -> float:
        """Spreads of the change: the planted one, or what can be seen if that is less."""
        planted_height = self.known.height(self.noise.spread)
        start = self.known.steady_start
        if start <= 0 or self.known.exactness == "threshold":
            return planted_height
        relative = self.nanoseconds / self.noise.level
        head, tail = relative[max(0, start - BESIDE) : start], relative[start : start + BESIDE]
        visible_height = abs(float(np.median(head)) - float(np.median(tail))) / self.noise.spread
        return min(planted_height, visible_height)

    @property
    def is_seen(self) -> bool:
        """True where the change is large enough to be seen: else no answer is wrong."""
        return self.height >= LEAST_SEEN

    @property
    def noise_ratios(self) -> Values:
        """The noise alone: what is left of the values without level and shape."""
        ratios: Values = self.nanoseconds / (self.noise.level * self.known.values)
        return ratios


def planned_series(
    workloads: Iterable[str], seed: int = 0, version: CorpusVersion = CURRENT
) -> Iterator[SeriesPlan]:
    """Every shape in every length with the noise of every workload, numbered in drawn order."""
    for workload in workloads:
        random = np.random.default_rng([seed, *workload.encode()])
        shapes_and_lengths = [(shape, n) for shape in LEVELS for n in version.lengths]
        for number, kind_index in enumerate(random.permutation(len(shapes_and_lengths)).tolist()):
            shape, n = shapes_and_lengths[kind_index]
            yield SeriesPlan(f"{workload}-{number:03d}", workload, shape, n, version)


def planted_series(plan: SeriesPlan, noises: Noises, seed: int = 0) -> CorpusSeries:
    """One series: it depends on the seed, its plan and the recordings of its workload alone.

    A change that is too small to see is planted anew, where the version says so.
    """
    key = [seed, plan.n, *f"{plan.name} {plan.shape}".encode()]
    series = _plant_series(plan, noises, np.random.default_rng(key))
    if not plan.version.replants:
        return series
    for planting in range(1, PLANTINGS):
        if series.is_seen:
            break
        series = _plant_series(plan, noises, np.random.default_rng([*key, planting]))
    return series


def _plant_series(plan: SeriesPlan, noises: Noises, random: np.random.Generator) -> CorpusSeries:
    forks = noises[plan.workload]
    noise = forks[int(random.integers(len(forks)))]
    known_level = LEVELS[plan.shape](random, plan.n, noise.spread)
    nanoseconds = np.rint(noise.level * known_level.values * noise.resampled_ratios(random, plan.n))
    if nanoseconds.max() > MOST:
        raise ValueError(f"{plan.name}: found {nanoseconds.max():g} ns, expected at most {MOST}")
    return CorpusSeries(plan, noise, known_level, np.maximum(nanoseconds, 1).astype("<u4"))


def corpus_of(version: CorpusVersion = CURRENT, seed: int = 0) -> list[CorpusSeries]:
    """All series of a version, made from the recordings."""
    noises = recorded_noise(is_slow=version.slow)
    return [planted_series(plan, noises, seed) for plan in planned_series(noises, seed, version)]
