"""Plans of a measurement on several machines: how many machines, forks and iterations. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from analysis.statistics.answers import Floats
from detectors.intervals.quantiles import student_quantile

MOST_MACHINES: Final = 1000
MOST_FORKS: Final = 50
FACTOR: Final = 1.15  # by which tried numbers rise
LEAST_MACHINES: Final = 2


class LevelVariances(NamedTuple):
    """Variances between machines, forks and iterations, as squared shares of the mean.

    Each is 0 or more; `iteration` is that of a mean of many iterations, times their number.
    """

    machine: float
    fork: float
    iteration: float

    def of_machine(self, forks: float | Floats, iterations: float | Floats) -> float | Floats:
        """Variance of the mean of one machine."""
        return self.machine + self.fork / forks + self.iteration / (forks * iterations)


@dataclass(frozen=True, slots=True)
class MachineCosts:
    """Seconds that a machine, a fork with its warm-up, and an iteration take."""

    machine: float
    fork: float
    iteration: float


@dataclass(frozen=True, slots=True)
class MachinePlan:
    """Measurement with the least machine time; forks a machine, iterations a fork.

    half  half of the interval of the mean, as a share of it
    """

    machines: int
    forks: int
    iterations: int
    half: float
    seconds: float


def machine_plan(
    variances: LevelVariances,
    costs: MachineCosts,
    target: float,
    *,
    confidence: float = 0.95,
    most_forks: int = MOST_FORKS,
    most_iterations: int = 1000,
) -> MachinePlan | None:
    """The cheapest measurement whose interval is at most ± `target` of the mean; None: none is.

    The interval is Student's of the means of machines, two of them at the least.
    """
    forks, iterations = (
        numbers.astype(np.float64)
        for numbers in np.meshgrid(_counts(most_forks), _counts(most_iterations), indexing="ij")
    )
    deviation = np.sqrt(variances.of_machine(forks, iterations))
    reaches = _reaches(confidence)  # falling
    with np.errstate(divide="ignore"):
        machines = LEAST_MACHINES + np.searchsorted(-reaches, -target / deviation)
    seconds = machines * (costs.machine + forks * (costs.fork + iterations * costs.iteration))
    seconds[machines >= LEAST_MACHINES + reaches.size] = np.inf
    cheapest_indices = np.unravel_index(np.argmin(seconds), seconds.shape)
    if not np.isfinite(seconds[cheapest_indices]):
        return None
    count = int(machines[cheapest_indices])
    return MachinePlan(
        machines=count,
        forks=int(forks[cheapest_indices]),
        iterations=int(iterations[cheapest_indices]),
        half=float(reaches[count - LEAST_MACHINES] * deviation[cheapest_indices]),
        seconds=float(seconds[cheapest_indices]),
    )


def machines_needed(deviation: float, target: float, confidence: float = 0.95) -> int | None:
    """Machines for an interval of ± `target`; None: over MOST_MACHINES.

    deviation  standard deviation between results of machines, as `target` a share of the mean
    """
    reaches = _reaches(confidence)
    place = int(np.searchsorted(-reaches * deviation, -target))
    return LEAST_MACHINES + place if place < reaches.size else None


@lru_cache(maxsize=16)
def _reaches(confidence: float) -> Floats:
    """Half of an interval of 2, 3, … machines, in standard deviations of one machine."""
    counts = range(LEAST_MACHINES, MOST_MACHINES + 1)
    return np.array(
        [student_quantile((1 + confidence) / 2, count - 1) / count**0.5 for count in counts]
    )


def _counts(max_count: int) -> Floats:
    """Whole numbers from 1 to `max_count`, all small ones, then in steps of `FACTOR`."""
    steps = np.arange(int(np.log(max_count) / np.log(FACTOR)) + 2)
    return np.unique(np.minimum(np.ceil(FACTOR**steps), max_count))
