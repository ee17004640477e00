"""Ratio, interval and saving of pairs; their coverage by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics.answers import Floats
from analysis.statistics.duet_differences import SidePair, duet_difference


def duet(
    forks: int, n: int, *, change: float = 0.02, seed: int = 1, common: float = 0.05
) -> list[SidePair]:
    """Pairs with disturbances of forks and iterations that both sides share, and noise of each."""
    generator = np.random.default_rng(seed)
    shared_noise = generator.normal(0, common, (forks, 1)) + generator.normal(0, common, (forks, n))
    own_noise = generator.normal(0, 0.01, (2, forks, n)) + generator.normal(0, 0.005, (2, forks, 1))
    sides: Floats = np.exp(shared_noise + own_noise)
    return [(sides[0, fork], sides[1, fork] * (1 + change)) for fork in range(forks)]


def test_it_is_student_of_the_forks_mean_logarithms() -> None:
    pairs = duet(6, 40)
    means = np.array([np.log(side_after / side_before).mean() for side_before, side_after in pairs])

    difference = duet_difference(pairs)

    from scipy import stats  # noqa: PLC0415  # an oracle

    expected = stats.ttest_1samp(means, 0).confidence_interval(0.95)
    assert np.log(difference.ratio) == pytest.approx(means.mean())
    assert (difference.low, difference.high) == pytest.approx(tuple(np.exp(expected)))
    assert difference.p == pytest.approx(stats.ttest_1samp(means, 0).pvalue)
    assert (difference.forks, difference.pairs, difference.iterations) == (6, 240, 40)
    sides = [[np.log(pair[side]).mean() for pair in pairs] for side in (0, 1)]
    variance_sum = sum(float(np.var(side, ddof=1)) for side in sides)
    assert difference.saving == pytest.approx(variance_sum / means.var(ddof=1))
    assert difference.saving is not None
    assert difference.saving > 10


def test_its_interval_holds_the_change_as_often_as_it_says() -> None:
    hit_count = 0
    for seed in range(300):
        difference = duet_difference(duet(5, 10, seed=seed))
        assert difference.low is not None
        assert difference.high is not None
        hit_count += difference.low <= 1.02 <= difference.high

    assert 0.92 <= hit_count / 300 <= 0.98


def test_one_fork_has_the_interval_of_its_iterations() -> None:
    single_difference = duet_difference(duet(1, 400))
    few_difference = duet_difference(duet(1, 3))
    equal_difference = duet_difference([(np.ones(5), np.ones(5))] * 2)

    assert single_difference.low is not None
    assert single_difference.low < single_difference.ratio < (single_difference.high or 0)
    assert (few_difference.low, few_difference.p, few_difference.between_forks) == (
        None,
        None,
        None,
    )
    assert (
        equal_difference.ratio,
        equal_difference.low,
        equal_difference.p,
        equal_difference.saving,
    ) == (1.0, 1.0, 1.0, None)
