"""Means of the hierarchical bootstrap against its definition: all outcomes, lists of draws."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from detectors.contract import Values
from detectors.kernels import resamples
from detectors.kernels.resamples import resampled_means
from detectors.rules.online.stopping import stream

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
MANY = 200_000 if COMPILED else 2_000  # draws; as written, one takes a hundred times as long
FORKS = [np.array([1.0, 2.0]), np.array([4.0]), np.array([8.0, 8.0, 16.0])]


def published_mean(forks: Sequence[Values], rng: np.random.Generator) -> float:
    """One simulated mean, word for word as it is published."""
    chosen_forks = [forks[fork_index] for fork_index in rng.integers(0, len(forks), len(forks))]
    return float(np.concatenate([rng.choice(fork, fork.size) for fork in chosen_forks]).mean())


def draw_means(forks: Sequence[Values], count: int, seed: int = 0) -> Values:
    with np.errstate(over="ignore"):
        ends = np.cumsum([fork.size for fork in forks])
        return resampled_means(np.concatenate(forks), ends, stream(seed, 0), 0, count)


def mean_probabilities(forks: Sequence[Values]) -> dict[float, float]:
    """The probability of each mean, over all choices of forks and then of values."""
    probability_by_mean: dict[float, float] = {}
    for fork_choice in itertools.product(range(len(forks)), repeat=len(forks)):
        values = [
            value
            for fork_index in fork_choice
            for value in [forks[fork_index]] * forks[fork_index].size
        ]
        probability = len(forks) ** -len(forks) / np.prod([float(value.size) for value in values])
        for drawn_values in itertools.product(*values):
            mean = round(float(np.mean(drawn_values)), 9)
            probability_by_mean[mean] = probability_by_mean.get(mean, 0.0) + float(probability)
    return probability_by_mean


@pytest.mark.parametrize("forks", [FORKS, FORKS[:1], FORKS[1:], [FORKS[1]], [FORKS[2]] * 2])
def test_every_mean_is_as_likely_as_by_the_definition(forks: list[Values]) -> None:
    """Shares of many means against exact probabilities: no share is 5 standard errors off."""
    expected = mean_probabilities(forks)
    assert sum(expected.values()) == pytest.approx(1)

    values, counts = np.unique(draw_means(forks, MANY).round(9), return_counts=True)

    shares = dict(zip(values.tolist(), counts / MANY, strict=True))
    assert set(shares) <= set(expected)
    for mean, probability in expected.items():
        error = 5 * np.sqrt(probability * (1 - probability) / MANY) + 1e-12
        assert abs(shares.get(mean, 0.0) - probability) < error


def test_means_of_long_forks_have_the_distribution_of_those_drawn_as_published() -> None:
    """Two samples of 2,000; the test would refuse a shift of a fifth of a deviation."""
    rng = np.random.default_rng(2)
    forks = [rng.gamma(2, scale, size) for scale, size in ((1.0, 300), (1.1, 40), (0.9, 1000))]

    published_means = np.array([published_mean(forks, rng) for _ in range(2_000)])
    own_means = draw_means(forks, 2_000)

    assert stats.ks_2samp(own_means, published_means).pvalue > 0.01
    assert stats.ks_2samp(own_means + 0.2 * own_means.std(), published_means).pvalue < 0.01


@pytest.mark.parametrize("size", [3, 1000, 3000, resamples.WIDE + 3])
def test_every_value_of_a_fork_is_as_likely(size: int) -> None:
    """The mean of the indices, and of their squares, over millions of draws."""
    values = np.arange(size) / size

    for moment in (1, 2):
        means = draw_means([values**moment], max(30 * MANY // size, 3))

        mean_and_error = (values**moment).mean(), (values**moment).std() / np.sqrt(size)
        assert abs(means.mean() - mean_and_error[0]) < 5 * mean_and_error[1] / np.sqrt(means.size)


def test_a_resample_is_the_same_whichever_were_drawn_before() -> None:
    ends, values = np.cumsum([fork.size for fork in FORKS]), np.concatenate(FORKS)
    with np.errstate(over="ignore"):
        means = resampled_means(values, ends, stream(5, 1), 0, 90)
        blocks = [
            resampled_means(values, ends, stream(5, 1), first_index, 30)
            for first_index in (0, 30, 60)
        ]

    assert np.concatenate(blocks).tolist() == means.tolist()
    assert not np.array_equal(draw_means(FORKS, 90, seed=1), draw_means(FORKS, 90, seed=2))
