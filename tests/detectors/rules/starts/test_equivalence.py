"""The test of two segments against exact probabilities, and against all draws."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from numpy.typing import ArrayLike

from detectors.contract import Values, as_series
from detectors.rules.starts import equivalence
from detectors.rules.starts.equivalence import (
    EquivalenceRule,
    ResampledSegment,
    TailCount,
    compare_segments,
)
from tests.published_data import carried

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
RULE = EquivalenceRule()


def segments(
    last: ArrayLike, array_like: ArrayLike, seed: int = 0
) -> tuple[ResampledSegment, ResampledSegment]:
    return ResampledSegment(as_series(last), 1000, seed), ResampledSegment(
        as_series(array_like), 0, seed
    )


def exact(last: Values, other: Values) -> tuple[float, float]:
    """P(ratio ≤ 0.95) and P(ratio ≥ 1.05), by every resample there is."""
    tops = [np.mean(each) for each in product(last, repeat=len(last))]
    bottoms = [np.mean(each) for each in product(other, repeat=len(other))]
    ratios = np.divide.outer(tops, bottoms)
    return float((ratios <= 0.95).mean()), float((ratios >= 1.05).mean())


def test_a_ratio_beyond_every_number_is_beyond_every_limit() -> None:
    last, other = [0.0, 1.0] * 4, [0.0, 5e-324] * 4

    outcome = compare_segments(*segments(last, other), RULE)

    assert (outcome.how, outcome.different) == (
        "draws",
        True,
    )  # and no warning, which would be an error


def test_published_small_cases() -> None:
    vectors = carried("cp_ssd")

    for vector in vectors["test_small"]:
        outcome = compare_segments(*segments(vector["last"], vector["current"]), RULE)
        assert outcome.different == vector["different"], vector
        if outcome.how == "draws":
            larger = max(vector["p_low"], vector["p_high"])
            assert outcome.p == pytest.approx(larger, abs=0.05)


@given(
    last=st.lists(st.sampled_from([0.0, 1.0, 1.05, 0.95, 1.2, 30.0]), min_size=1, max_size=4),
    other=st.lists(st.sampled_from([1.0, 1.05, 0.95, 1.1, 30.0]), min_size=1, max_size=4),
)
def test_the_outcome_is_that_of_the_exact_probabilities(
    last: list[float], other: list[float]
) -> None:
    p = max(exact(np.array(last), np.array(other)))
    assume(abs(p - RULE.least) > 2 * RULE.margin)  # nearer, the draws may call it ambiguous

    outcome = compare_segments(*segments(last, other), RULE)

    assert outcome.different == (p > 0.975)
    assert not outcome.ambiguous
    if outcome.how == "draws":
        assert outcome.p == pytest.approx(p, abs=0.12)  # of 256 draws or more


@pytest.mark.parametrize(
    ("last", "other", "different"),
    [
        ([1.0, 1.0], [1.0, 1.0], False),
        ([0.95, 0.95], [1.0, 1.0], True),
        ([1.05, 1.05], [1.0, 1.0], True),
        ([0.96, 1.04], [1.0, 1.0], False),
        ([0.0, 0.0], [0.0, 0.0], False),
        ([1.0, 1.0], [0.0, 0.0], True),
        ([0.0, 0.0], [1.0, 1.0], True),
    ],
)
def test_ranges_settle_it_without_a_draw(
    last: list[float],
    other: list[float],
    different: bool,  # noqa: FBT001  # a column
) -> None:
    outcome = compare_segments(*segments(last, other), RULE)

    assert (outcome.different, outcome.how, outcome.p) == (different, "range", float(different))


def noisy(n: int, level: float, noise: float, seed: int) -> Values:
    return level * (1 + noise * np.random.default_rng(seed).standard_normal(n).clip(-3, 3))


@given(
    level=st.sampled_from([0.7, 0.94, 0.96, 1.0, 1.03, 1.06, 1.5]),
    noise=st.sampled_from([0.01, 0.1, 0.3]),
    seed=st.integers(0, 1000),
)
def test_a_bound_says_what_the_draws_say(level: float, noise: float, seed: int) -> None:
    last, other = segments(noisy(200, 1, noise, seed), noisy(150, level, noise, seed + 1))
    by_bound = equivalence._by_bound(last, other, RULE)
    assume(by_bound is not None)
    few = replace(RULE, draws=1000)

    drawn = equivalence._by_draws(last, other, few)

    assert drawn.different == by_bound


@pytest.mark.parametrize("level", [0.9, 0.93, 0.935, 0.94, 0.95, 1.0, 1.06, 1.07])
def test_stopping_early_changes_no_answer(level: float, monkeypatch: pytest.MonkeyPatch) -> None:
    draws = 10_000 if COMPILED else 1000
    rule = EquivalenceRule(draws=draws, seed=3)
    values = noisy(60, 1, 0.04, 1), noisy(50, 1 / level, 0.04, 2)

    early = equivalence._by_draws(*segments(*values), rule)
    monkeypatch.setattr(equivalence, "DOUBT", 5e-324)
    last, other = segments(*values)
    late = equivalence._by_draws(last, other, rule)

    assert early.different == late.different
    a, b = np.concatenate(last.blocks)[:draws], np.concatenate(other.blocks)[:draws]
    if a.size == draws:
        low, high = np.percentile(a / b, [2.5, 97.5])
        assert late.different == (high <= 0.95 or low >= 1.05)


@pytest.mark.parametrize(("count", "reached"), [(97, False), (98, True), (99, True), (100, True)])
def test_the_quantile_between_two_ratios(count: int, reached: bool) -> None:  # noqa: FBT001
    """Of 100 ratios the one at 96.525: between the 97th and the 98th in order."""
    tail = TailCount(0.95, EquivalenceRule(draws=100))
    ratios = np.r_[np.full(count, 0.9), np.full(100 - count, 2.0)]

    tail.add(ratios, 100)

    assert tail.reached == reached == (np.percentile(ratios, 97.5) <= 0.95)
    assert tail.missed != reached


@pytest.mark.parametrize(("beyond", "reached"), [(0.95005, True), (0.99, False)])
def test_a_quantile_that_hangs_on_its_neighbour_is_interpolated(
    beyond: float,
    reached: bool,  # noqa: FBT001  # a column
) -> None:
    tail = TailCount(0.95, EquivalenceRule(draws=100))
    ratios = np.r_[np.full(97, 0.9499), np.full(3, beyond)]

    tail.add(ratios, 100)

    assert tail.reached == reached == (np.percentile(ratios, 97.5) <= 0.95)


def test_a_close_call_is_ambiguous_and_says_how_close() -> None:
    """Two values, of which one differs, and a last segment that hardly varies: p is 0.975."""
    rule = EquivalenceRule(draws=2000)
    other = np.r_[np.full(39, 1.2), 0.2]
    last = np.full(40, 1.0)
    found = [
        compare_segments(*segments(last, other, seed), replace(rule, seed=seed))
        for seed in range(8)
    ]

    assert all(item.ambiguous == (abs((item.p or 0) - 0.975) < rule.margin) for item in found)


def test_the_margin_is_one_percentage_point_for_ten_thousand_draws() -> None:
    assert RULE.least == pytest.approx(0.975)
    assert RULE.position == pytest.approx(9749.025)
    assert RULE.margin == pytest.approx(0.01, rel=0.01)
    assert RULE.bounds_hold
    assert not EquivalenceRule(confidence=0.8).bounds_hold


def test_a_seed_names_the_draws() -> None:
    values = noisy(30, 1, 0.2, 1)

    assert np.array_equal(
        ResampledSegment(values, 5, 1).block(2), ResampledSegment(values, 5, 1).block(2)
    )
    assert not np.array_equal(
        ResampledSegment(values, 5, 1).block(0), ResampledSegment(values, 5, 2).block(0)
    )
    assert not np.array_equal(
        ResampledSegment(values, 5, 1).block(0), ResampledSegment(values, 6, 1).block(0)
    )
