"""Monte Carlo deviations, beside the same figures simulated again and again."""

from __future__ import annotations

import numpy as np
import pytest

from evidence.replication.monte_carlo import (
    REPETITIONS,
    MonteCarloSpread,
    monte_carlo_spread,
    repeat_interval,
)

DRAWS = 400


def simulated_ratios(seed: int) -> np.ndarray:
    """Ratios around 1.02, of which a share of 0.95 has its lower end near 1."""
    return 1 + 0.02 * np.random.default_rng(seed).gamma(4.0, 0.3, DRAWS) - 0.003


def test_the_ends_vary_as_those_of_other_simulations() -> None:
    repeated_ends = repeat_interval(simulated_ratios(0), 0.95, np.random.default_rng(1))

    ends = np.array([np.quantile(simulated_ratios(seed), [0.025, 0.975]) for seed in range(500)])
    middles = np.abs(ends.mean(1) - 1)
    assert repeated_ends.deviation.size == REPETITIONS
    # The deviation of a deviation is 3 % of 500, and the empirical tails of 400 draws add more.
    assert repeated_ends.deviation.std() == pytest.approx(middles.std(), rel=0.35)
    assert repeated_ends.deviation.mean() == pytest.approx(middles.mean(), abs=3 * middles.std())


def test_an_interval_far_from_1_differs_always_and_one_around_it_never() -> None:
    generator = np.random.default_rng(2)

    assert repeat_interval(simulated_ratios(0) + 0.1, 0.95, generator).differs.all()
    assert not repeat_interval(simulated_ratios(0) - 0.02, 0.95, generator).differs.any()
    assert not repeat_interval(np.ones(DRAWS), 0.95, generator).differs.any()


def test_a_spread_by_hand() -> None:
    spread = monte_carlo_spread(np.array([1.0, 2.0, 3.0]))

    assert spread == MonteCarloSpread(3, 1.0)
    assert monte_carlo_spread(np.array([1.0])) is None
    assert monte_carlo_spread(np.array([1.0, np.nan])) is None


def test_z_counts_what_rounding_does_not_hide() -> None:
    spread = MonteCarloSpread(1000, 1.0)

    assert spread.z(5.04, 5.0, rounding=0.05) == 0
    assert spread.z(5.0 + 0.05 + 2**0.5, 5.0, rounding=0.05) == pytest.approx(1)
    assert MonteCarloSpread(1000, 0.0).z(6, 5, rounding=0.5) == np.inf
