"""How correlated each rest is, against every rest taken anew; lags that are not enough at first."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.intervals.rests import (
    LagSum,
    Rests,
    convex_inefficiencies,
    inefficiencies,
    root_n_inefficiencies,
)
from detectors.kernels.jit import CompiledKernel
from detectors.kernels.rests import add_products
from detectors.simulated.synthetic import simulate
from evidence.oracles import rests_oracle as oracle

LONG_MEMORY = np.cumsum(np.random.default_rng(3).standard_normal(400))
CASES = {
    "decay": simulate("decay", n=160, seed=1).values,
    "giant first": np.r_[1e9, simulate("flat", n=100).values],
    "giant last": np.r_[simulate("flat", n=100).values, 1e3],
    "tiny": 1e-12 * simulate("step", n=120).values,
    "level falls": np.r_[np.full(40, 1e4), simulate("flat", n=100).values],
    "alternating": np.tile([1.0, 2.0], 30),
    "constant end": np.r_[simulate("flat", n=100).values[:50], np.full(20, 0.1)],
}
RULES: dict[str, tuple[Callable[[Rests], Values], Callable[[Values], float], int]] = {
    "pymbar": (
        lambda rests: inefficiencies(rests, LagSum(4, left=2, spread=True)),
        lambda rest: oracle.lag_sum(rest, stop=4, least_products=2, spread=True),
        2,
    ),
    "chodera": (
        lambda rests: inefficiencies(rests, LagSum(1)),
        lambda rest: oracle.lag_sum(rest, stop=1),
        2,
    ),
    "kim": (
        lambda rests: inefficiencies(rests, LagSum(4, tapered=True)),
        lambda rest: oracle.lag_sum(rest, stop=4, is_tapered=True),
        2,
    ),
    "geyer": (convex_inefficiencies, oracle.convex_inefficiency, 10),
    "root-n": (root_n_inefficiencies, oracle.root_n, 2),
}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("case", CASES)
def test_every_rest_is_what_it_is_by_itself(case: str, rule: str) -> None:
    kernel_figures, oracle_figure, least_count = RULES[rule]
    values = CASES[case]
    starts = np.arange(values.size - least_count + 1)

    inefficiency_of_rests = kernel_figures(Rests(values, starts))

    rests = [values[s:] for s in starts]
    expected = [oracle_figure(rest) if rest.min() < rest.max() else 1.0 for rest in rests]
    np.testing.assert_allclose(inefficiency_of_rests, expected, rtol=1e-6)


def test_more_lags_are_taken_where_the_first_are_not_enough() -> None:
    rests = Rests(LONG_MEMORY, np.arange(40))

    expected = [oracle.lag_sum(LONG_MEMORY[s:], stop=1) for s in range(40)]
    assert max(expected) > 64  # so many lags are tried first
    np.testing.assert_allclose(inefficiencies(rests, LagSum(1)), expected)


def test_more_pairs_of_lags_are_taken_where_the_first_are_not_enough() -> None:
    rests = Rests(LONG_MEMORY, np.arange(40))

    expected = [oracle.convex_inefficiency(LONG_MEMORY[s:]) for s in range(40)]
    np.testing.assert_allclose(convex_inefficiencies(rests), expected)


def test_what_is_given_up_is_worse_than_the_best() -> None:
    rests = Rests(CASES["decay"], np.arange(150))
    scale = 1.0 / rests.counts

    all_figures, pruned_figures = (
        inefficiencies(rests, LagSum(4), scale_limit) for scale_limit in (None, scale)
    )

    is_left = np.isfinite(pruned_figures)
    assert 0 < is_left.sum() < is_left.size
    np.testing.assert_array_equal(pruned_figures[is_left], all_figures[is_left])
    assert (scale * all_figures)[~is_left].min() > (scale * all_figures)[is_left].min()


def test_starts_need_not_lie_side_by_side() -> None:
    values, starts = CASES["decay"], np.array([1, 7, 8, 100])

    factors = inefficiencies(Rests(values, np.arange(101)), LagSum(4))

    np.testing.assert_allclose(inefficiencies(Rests(values, starts), LagSum(4)), factors[starts])


@pytest.mark.parametrize("s", [0, 1, 5, 8, 9])
@pytest.mark.parametrize("lags", [np.arange(1, 6), np.array([1, 2, 4, 7, 11])])
def test_products_of_one_lag_after_the_other_or_at_once_are_equal(
    s: int, lags: NDArray[np.int64]
) -> None:
    values = np.random.default_rng(1).standard_normal(10)
    single_products, batch_products = np.ones(5), np.ones(5)

    cast("CompiledKernel", add_products).function(single_products, values, s, lags)
    cast("CompiledKernel", add_products).written(batch_products, values, s, lags)

    assert single_products.tolist() == batch_products.tolist()
