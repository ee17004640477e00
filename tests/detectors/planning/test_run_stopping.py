"""PT4Cloud's rule: densities as SciPy has them, similarity by another formulation, and stops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import gaussian_kde

from detectors.contract import as_series
from detectors.planning.run_stopping import (
    RunStop,
    distribution_similarity,
    enough_runs,
    gaussian_density,
)

RANDOM = np.random.default_rng(5)
TIMES = as_series(RANDOM.lognormal(0, 0.3, 60))


def similarity_by_loops(first: np.ndarray, second: np.ndarray) -> float:
    """The definition as the published program computes it: a sum over points, both ways."""
    densities = gaussian_kde(first), gaussian_kde(second)
    low, high = min(first.min(), second.min()), max(first.max(), second.max())
    step, divergence = (high - low) / 1000, 0.0
    for k in range(1, 1001):
        p, q = (float(density(low + k * step)[0]) for density in densities)
        divergence += q * step * math.log2(q / p) + p * step * math.log2(p / q)
    return float(2**-divergence)


def test_the_density_is_that_of_scipy() -> None:
    points = np.linspace(0, 3, 50)

    np.testing.assert_allclose(gaussian_density(TIMES, points), gaussian_kde(TIMES)(points))


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e200])
def test_similarity_is_that_of_the_published_program(scale: float) -> None:
    expected = similarity_by_loops(TIMES[:20], TIMES[:25])

    similarity = distribution_similarity(scale * TIMES[:20], scale * TIMES[:25])

    assert similarity == pytest.approx(expected, rel=1e-6)
    assert 0.5 < similarity < 1


def test_runs_end_at_the_first_interval_that_changes_little() -> None:
    stop = enough_runs(TIMES.tolist())
    counts = [runs for runs, _ in stop.similarities]

    assert stop.holds
    assert counts == list(range(10, stop.runs + 1, 5))
    assert [value >= 0.9 for _, value in stop.similarities] == [False] * (len(counts) - 1) + [True]


def test_results_of_another_machine_are_less_alike() -> None:
    first, more_results = RANDOM.normal(10, 1, 10), RANDOM.normal(10, 1, 5)
    same_results, moved_results = (
        np.concatenate([first, more_results + shift]) for shift in (0, 4)
    )

    assert (
        distribution_similarity(first, moved_results)
        < 0.9
        < distribution_similarity(first, same_results)
    )


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([], RunStop(0, holds=False, similarities=())),
        ([1.0] * 9, RunStop(9, holds=False, similarities=())),
        ([1.0] * 12, RunStop(10, holds=True, similarities=((10, 1.0),))),
        ([1.0] * 5 + [2.0] * 5, RunStop(10, holds=False, similarities=((10, 0.0),))),
    ],
)
def test_few_and_constant_results(results: list[float], expected: RunStop) -> None:
    assert enough_runs(results) == expected


def test_densities_far_apart_are_not_alike() -> None:
    assert distribution_similarity(as_series([0.0, 1e-9]), as_series([0.0, 1e-9, 1.0])) == 0.0
