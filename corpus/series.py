"""The series of the corpus: which there are, and each with what is known of it, from one seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.levels import LEVELS, KnownLevel
from corpus.noise import RecordedNoise
from detectors.contract import NEVER, Values, as_series
from detectors.shapes import Shape
from formats.units import stored_unit

LENGTHS: Final = (300, 400, 600, 800, 1000, 1200, 1500, 2000, 2500, 3000)
UNIT: Final = "ns/op"
MOST: Final = 2**32 - 1  # nanoseconds: four seconds
Nanoseconds = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class SeriesPlan:
    """One series to be made; its name says where its noise is from, and not its shape."""

    name: str
    workload: str
    shape: Shape
    n: int


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
        return as_series(stored_unit(UNIT).of_all(self.nanoseconds.astype(np.float64)))

    @property
    def digest(self) -> str:
        """SHA-256 of the values (float64, little-endian), as every export has it."""
        return sha256(self.values.astype("<f8").tobytes()).hexdigest()

    @property
    def is_steady(self) -> bool:
        return self.known.steady_start != NEVER


def planned(workloads: Iterable[str], seed: int = 0) -> Iterator[SeriesPlan]:
    """Every shape in every length with the noise of every workload, numbered in drawn order."""
    for workload in workloads:
        random = np.random.default_rng([seed, *workload.encode()])
        kinds = [(shape, n) for shape in LEVELS for n in LENGTHS]
        for number, at in enumerate(random.permutation(len(kinds)).tolist()):
            yield SeriesPlan(f"{workload}-{number:03d}", workload, *kinds[at])


def made(
    plan: SeriesPlan, noises: Mapping[str, Sequence[RecordedNoise]], seed: int = 0
) -> CorpusSeries:
    """One series: it depends on the seed, its plan and the recordings of its workload alone."""
    random = np.random.default_rng([seed, plan.n, *f"{plan.name} {plan.shape}".encode()])
    forks = noises[plan.workload]
    noise = forks[int(random.integers(len(forks)))]
    known = LEVELS[plan.shape](random, plan.n, noise.spread)
    drawn = np.rint(noise.level * known.values * noise.resampled(random, plan.n))
    if drawn.max() > MOST:
        raise ValueError(f"{plan.name}: found {drawn.max():g} ns, expected at most {MOST}")
    return CorpusSeries(plan, noise, known, np.maximum(drawn, 1).astype("<u4"))
