"""Recorded noise: the last calls of a fork beside the median around each, and their slow part.

The quick part of the noise is recorded: a call divided by the median of the 101 calls around it,
drawn in blocks. That median takes slow changes out. From version 2 of the corpus on, they come back
as autoregressive noise, fitted to each fork: means of 100 calls then vary as in the recording.
Only operations that every processor rounds alike: medians, quotients, products, exact sums. So a
seed is a series everywhere; docs/design/values.md says what is at stake.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from demo import layout
from demo.catalogue import CATALOGUE, Workload
from detectors.contract import Values
from detectors.shapes.series_shape import MAD_TO_DEVIATION

KEPT: Final = 1000  # last calls of a fork: after every compiler, and after every late class
AROUND: Final = 101  # calls whose median is the level
BLOCK: Final = 50  # calls in a row: what neighbours have in common stays, such as collections
MEANS: Final = 100  # calls of a mean, whose variance is compared with that of independent calls
MEMORY: Final = 50  # calls over which slow noise forgets all but 1/e
LEAST_MEMORIES: Final = 20  # of a series: slower changes would be its level
MOST_SLOW: Final = 0.9  # share of the variance
MOST_DEVIATION: Final = 0.15  # of slow noise, a share of the level: durations stay positive
UNIFORMS: Final = 4  # whose sum is an innovation: normal enough, and alike on every processor


@dataclass(frozen=True, slots=True, eq=False)
class RecordedNoise:
    """The noise of one fork.

    workload: its name, such as ``java-word-count``. system: the title of its runtime. level:
    nanoseconds, median of the last calls. ratios: (KEPT,) each of them divided by the median
    around it. spread: robust standard deviation of all noise; one nanosecond at least. slow:
    standard deviation of the slow part, 0 without.
    """

    workload: str
    system: str
    fork: int
    level: float
    ratios: Values
    spread: float
    slow: float = 0.0

    def resampled_ratios(self, random: np.random.Generator, n: int) -> Values:
        """n ratios, in blocks of `BLOCK` drawn with replacement (Künsch 1989, moving blocks)."""
        firsts = random.integers(0, self.ratios.size - BLOCK + 1, -(-n // BLOCK))
        ratio_indices = firsts[:, None] + np.arange(BLOCK)
        quick_noise: Values = self.ratios[ratio_indices.ravel()[:n]]
        if not self.slow:
            return quick_noise
        return quick_noise * (1 + self.slow * slow_noise(random, n))


def slow_noise(random: np.random.Generator, n: int) -> Values:
    """(n,) stationary noise of variance 1; its memory is `MEMORY` calls, less of a short series."""
    memory = min(float(MEMORY), n / LEAST_MEMORIES)
    kept_share = 1 - 1 / memory
    burn_in = 6 * MEMORY  # until the first value is forgotten
    uniform_draws = 2 * random.random((UNIFORMS, n + burn_in)) - 1
    innovations = uniform_draws[0]
    for next_draw in uniform_draws[1:]:
        innovations = innovations + next_draw
    values = (math.sqrt(3 / UNIFORMS * (1 - kept_share * kept_share)) * innovations).tolist()
    last = 0.0
    for value_index, innovation in enumerate(values):
        last = values[value_index] = kept_share * last + innovation
    return np.array(values[burn_in:])


def variance_inflation(values: Values) -> float:
    """Variance of the means of `MEANS` calls in a row, in that of as many independent calls."""
    rows = values[: values.size // MEANS * MEANS].reshape(-1, MEANS)
    means = [math.fsum(row) / MEANS for row in rows.tolist()]
    return MEANS * _variance(means) / _variance(values.tolist())


def _variance(values: Sequence[float]) -> float:
    """Sums are exact, so that every processor has the same."""
    mean = math.fsum(values) / len(values)
    return math.fsum([(value - mean) * (value - mean) for value in values]) / (len(values) - 1)


def inflation_of_memory(memory: float) -> float:
    """Variance inflation of autoregressive noise of this memory, in calls."""
    kept_share, remaining_share = 1 - 1 / memory, 1.0
    for _ in range(MEANS):
        remaining_share *= kept_share
    return (1 + kept_share) * memory - 2 * kept_share * (
        1 - remaining_share
    ) * memory * memory / MEANS


def recorded_noise(*, is_slow: bool = True) -> Mapping[str, Sequence[RecordedNoise]]:
    """Every fork of every recorded workload, by the workload's name."""
    return {workload.name: list(_forks(workload, is_slow=is_slow)) for workload in CATALOGUE}


def _forks(workload: Workload, *, is_slow: bool) -> Iterator[RecordedNoise]:
    forks = layout.read_recording(workload.path)["primaryMetric"]["rawData"]
    for number, nanoseconds in enumerate(forks):
        yield noise_of_fork(
            workload.name, workload.runtime_title, number, nanoseconds, is_slow=is_slow
        )


def noise_of_fork(
    workload: str, system: str, fork: int, nanoseconds: Sequence[int], *, is_slow: bool = True
) -> RecordedNoise:
    """The noise of a fork's last calls; ValueError where it has too few."""
    needed_length = KEPT + AROUND - 1
    if len(nanoseconds) < needed_length:
        raise ValueError(
            f"{workload}, fork {fork}: found {len(nanoseconds)} calls, expected {needed_length}"
        )
    last = np.array(nanoseconds[-needed_length:], dtype=np.float64)
    neighbour_count = AROUND // 2
    kept_calls = last[neighbour_count:-neighbour_count]
    ratios = kept_calls / np.median(sliding_window_view(last, AROUND), axis=1)
    level = float(np.median(last))
    spread = MAD_TO_DEVIATION * float(np.median(np.abs(ratios - 1)))
    spread = max(spread, 1 / level)
    deviation = slow_deviation(kept_calls, ratios) if is_slow else 0.0
    spread = math.sqrt(spread * spread + deviation * deviation)
    return RecordedNoise(workload, system, fork, level, ratios, spread, deviation)


def slow_deviation(kept_calls: Values, ratios: Values) -> float:
    """Standard deviation of the slow noise that `ratios` lack; 0 of calls that are all the same."""
    if ratios.min() == ratios.max():
        return 0.0
    quick_inflation = variance_inflation(ratios)
    slow_inflation = inflation_of_memory(MEMORY)
    share = min(
        max(
            (variance_inflation(kept_calls) - quick_inflation) / (slow_inflation - quick_inflation),
            0.0,
        ),
        MOST_SLOW,
    )
    fitted_deviation = math.sqrt(_variance(ratios.tolist()) * share / (1 - share))
    return min(fitted_deviation, MOST_DEVIATION)
