"""Least configuration that a stability metric calls stable: µOpTime, for a look beside a plan.

µOpTime (Japke, Grambow, Laaber and Bermbach 2025, arXiv 2501.12878) takes the recorded values of a
benchmark and the shortest part of them, so many first iterations of so many first forks, whose
metric is below 1 %; all of them where none is. It estimates no difference between forks that were
not run. Source of metrics and choice: njapke/uoptime-replication-package:
optimizer/dataset_3/optimizer_jmh_parallel_ese21.py and
optimizer/dataset_3/optimizer_results_ese21/stat_functions.py.

Where they draw 10,000 resamples, as many as `RESAMPLES` are drawn here, and of more than
`RESAMPLED` values none: the limits of these intervals are known. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from detectors.contract import Values
from detectors.intervals.quantiles import student_quantile
from detectors.planning.benchmark_plan import ITERATIONS

STABLE: Final = 0.01
LEAST_VALUES: Final = 3
CONFIDENCE: Final = 0.99
NORMAL: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
RESAMPLES: Final = 1000
RESAMPLED: Final = 50


class StableConfiguration(NamedTuple):
    """First forks and first steady iterations of each; the metric's value."""

    forks: int
    iterations: int
    instability: float


def coefficient_of_variation(values: Values) -> float:
    """Standard deviation (divisor n) as a share of the mean."""
    return _share(values.std(), values.mean())


def median_deviation(values: Values) -> float:
    """Median distance from the median as a share of the median: RMAD."""
    median = np.median(values)
    return _share(np.median(np.abs(values - median)), median)


def percentile_width(values: Values) -> float:
    """Width of the mean's 99 % percentile bootstrap interval, a share of the mean."""
    if values.size > RESAMPLED:
        return _share(2 * NORMAL * values.std() / math.sqrt(values.size), values.mean())
    low, high = np.percentile(_resamples(values).mean(axis=1), _ENDS)
    return _share(high - low, values.mean())


def studentized_width(values: Values) -> float:
    """Width of the mean's 99 % studentized bootstrap interval, a share of the mean."""
    error = values.std(ddof=1) / math.sqrt(values.size)
    if values.size > RESAMPLED:
        quantile = student_quantile((1 + CONFIDENCE) / 2, values.size - 1)
        return _share(2 * quantile * error, values.mean())
    samples = _resamples(values)
    errors = samples.std(axis=1, ddof=1) / math.sqrt(values.size)
    shifts = samples.mean(axis=1) - values.mean()
    t = np.divide(shifts, errors, out=np.zeros(RESAMPLES), where=errors > 0)
    low, high = np.percentile(t, _ENDS)
    return _share((high - low) * error, values.mean())


def median_width(values: Values) -> float:
    """Width of the median's 99 % percentile bootstrap interval, a share of the median.

    The published program takes the interval of the mean here, under the name of the median.
    """
    if values.size <= RESAMPLED:
        low, high = np.percentile(np.median(_resamples(values), axis=1), _ENDS)
    else:
        reach = NORMAL * math.sqrt(values.size) / 2
        ranks = np.array([values.size / 2 - reach, values.size / 2 + reach])
        low, high = np.sort(values)[np.clip(ranks, 0, values.size - 1).astype(np.int64)]
    return _share(high - low, np.median(values))


def _share(part: float | np.floating, middle: float | np.floating) -> float:
    """Part of the size of a mean or median; infinite around 0, where no share says anything."""
    return float(part) / abs(float(middle)) if middle else math.inf


_ENDS: Final = (100 * (1 - CONFIDENCE) / 2, 100 * (1 + CONFIDENCE) / 2)
METRICS: Final[Mapping[str, Callable[[Values], float]]] = {
    "cv": coefficient_of_variation,
    "rmad": median_deviation,
    "rciw-mean": percentile_width,
    "rciw-mean-t": studentized_width,
    "rciw-median": median_width,
}


def _resamples(values: Values) -> Values:
    draws = np.random.default_rng(42).integers(0, values.size, (RESAMPLES, values.size))
    drawn_values: Values = values[draws]
    return drawn_values


def least_stable(values: Values, metric: Callable[[Values], float]) -> StableConfiguration:
    """The configuration of fewest values that is stable; of as many, the most stable.

    values  float64 (forks, iterations), steady; iterations are tried in the steps of a plan
    """
    all_forks, all_iterations = values.shape
    for configurations in _configurations_by_size(all_forks, all_iterations):
        tried_configurations = [
            StableConfiguration(forks, count, metric(values[:forks, :count].ravel()))
            for forks, count in configurations
        ]
        best_configuration = min(
            tried_configurations, key=lambda configuration: configuration.instability
        )
        if best_configuration.instability < STABLE:
            return best_configuration
    return StableConfiguration(all_forks, all_iterations, metric(values.ravel()))


def _configurations_by_size(forks: int, iterations: int) -> Iterator[list[tuple[int, int]]]:
    """Configurations of equally many values, the fewest first."""
    counts = [count for count in ITERATIONS if count < iterations]
    pairs_by_size = dict[int, list[tuple[int, int]]]()
    for fork_count in range(1, forks + 1):
        for count in (*counts, iterations):
            if fork_count * count >= LEAST_VALUES:
                pairs_by_size.setdefault(fork_count * count, []).append((fork_count, count))
    return (pairs_by_size[size] for size in sorted(pairs_by_size))
