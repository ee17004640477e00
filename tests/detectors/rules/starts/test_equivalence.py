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
from tests.published_data import carried_vectors

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
RULE = EquivalenceRule()


def segments(
    last_values: ArrayLike, current_values: ArrayLike, seed: int = 0
) -> tuple[ResampledSegment, ResampledSegment]:
    return ResampledSegment(as_series(last_values), 1000, seed), ResampledSegment(
        as_series(current_values), 0, seed
    )


def exact_shares(last_values: Values, current_values: Values) -> tuple[float, float]:
    """P(ratio ≤ 0.95) and P(ratio ≥ 1.05), by every resample there is."""
    last_means = [np.mean(s) for s in product(last_values, repeat=len(last_values))]
    current_means = [np.mean(s) for s in product(current_values, repeat=len(current_values))]
    ratios = np.divide.outer(last_means, current_means)
    return float((ratios <= 0.95).mean()), float((ratios >= 1.05).mean())


def test_a_ratio_beyond_every_number_is_beyond_every_limit() -> None:
    last_values, current_values = [0.0, 1.0] * 4, [0.0, 5e-324] * 4

    outcome = compare_segments(*segments(last_values, current_values), RULE)

    assert (outcome.how, outcome.different) == (
        "draws",
        True,
    )  # and no warning, which would be an error


def test_published_small_cases() -> None:
    vectors = carried_vectors("cp_ssd")

    for vector in vectors["test_small"]:
        outcome = compare_segments(*segments(vector["last"], vector["current"]), RULE)
        assert outcome.different == vector["different"], vector
        if outcome.how == "draws":
            larger_p = max(vector["p_low"], vector["p_high"])
            assert outcome.p == pytest.approx(larger_p, abs=0.05)


@given(
    last_values=st.lists(
        st.sampled_from([0.0, 1.0, 1.05, 0.95, 1.2, 30.0]), min_size=1, max_size=4
    ),
    current_values=st.lists(st.sampled_from([1.0, 1.05, 0.95, 1.1, 30.0]), min_size=1, max_size=4),
)
def test_the_outcome_is_that_of_the_exact_probabilities(
    last_values: list[float], current_values: list[float]
) -> None:
    p = max(exact_shares(np.array(last_values), np.array(current_values)))
    assume(abs(p - RULE.least) > 2 * RULE.margin)  # nearer, the draws may call it ambiguous

    outcome = compare_segments(*segments(last_values, current_values), RULE)

    assert outcome.different == (p > 0.975)
    assert not outcome.ambiguous
    if outcome.how == "draws":
        assert outcome.p == pytest.approx(p, abs=0.12)  # of 256 draws or more


@pytest.mark.parametrize(
    ("last_values", "current_values", "is_different"),
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
    last_values: list[float],
    current_values: list[float],
    is_different: bool,  # noqa: FBT001  # a column
) -> None:
    outcome = compare_segments(*segments(last_values, current_values), RULE)

    assert (outcome.different, outcome.how, outcome.p) == (
        is_different,
        "range",
        float(is_different),
    )


def noisy_values(n: int, level: float, noise: float, seed: int) -> Values:
    return level * (1 + noise * np.random.default_rng(seed).standard_normal(n).clip(-3, 3))


@given(
    level=st.sampled_from([0.7, 0.94, 0.96, 1.0, 1.03, 1.06, 1.5]),
    noise=st.sampled_from([0.01, 0.1, 0.3]),
    seed=st.integers(0, 1000),
)
def test_a_bound_says_what_the_draws_say(level: float, noise: float, seed: int) -> None:
    last_segment, current_segment = segments(
        noisy_values(200, 1, noise, seed), noisy_values(150, level, noise, seed + 1)
    )
    bound_verdict = equivalence._bound_verdict(last_segment, current_segment, RULE)
    assume(bound_verdict is not None)
    short_rule = replace(RULE, draws=1000)

    draw_verdict = equivalence._draw_verdict(last_segment, current_segment, short_rule)

    assert draw_verdict.different == bound_verdict


@pytest.mark.parametrize("level", [0.9, 0.93, 0.935, 0.94, 0.95, 1.0, 1.06, 1.07])
def test_stopping_early_changes_no_answer(level: float, monkeypatch: pytest.MonkeyPatch) -> None:
    draws = 10_000 if COMPILED else 1000
    rule = EquivalenceRule(draws=draws, seed=3)
    values = noisy_values(60, 1, 0.04, 1), noisy_values(50, 1 / level, 0.04, 2)

    early_verdict = equivalence._draw_verdict(*segments(*values), rule)
    monkeypatch.setattr(equivalence, "DOUBT", 5e-324)
    last_segment, current_segment = segments(*values)
    late_verdict = equivalence._draw_verdict(last_segment, current_segment, rule)

    assert early_verdict.different == late_verdict.different
    a, b = (
        np.concatenate(last_segment.blocks)[:draws],
        np.concatenate(current_segment.blocks)[:draws],
    )
    if a.size == draws:
        low, high = np.percentile(a / b, [2.5, 97.5])
        assert late_verdict.different == (high <= 0.95 or low >= 1.05)


@pytest.mark.parametrize(
    ("count", "is_reached"), [(97, False), (98, True), (99, True), (100, True)]
)
def test_the_quantile_between_two_ratios(count: int, is_reached: bool) -> None:  # noqa: FBT001
    """Of 100 ratios the one at 96.525: between the 97th and the 98th in order."""
    tail = TailCount(0.95, EquivalenceRule(draws=100))
    ratios = np.r_[np.full(count, 0.9), np.full(100 - count, 2.0)]

    tail.add(ratios, 100)

    assert tail.reached == is_reached == (np.percentile(ratios, 97.5) <= 0.95)
    assert tail.missed != is_reached


@pytest.mark.parametrize(("next_ratio", "is_reached"), [(0.95005, True), (0.99, False)])
def test_a_quantile_that_hangs_on_its_neighbour_is_interpolated(
    next_ratio: float,
    is_reached: bool,  # noqa: FBT001  # a column
) -> None:
    tail = TailCount(0.95, EquivalenceRule(draws=100))
    ratios = np.r_[np.full(97, 0.9499), np.full(3, next_ratio)]

    tail.add(ratios, 100)

    assert tail.reached == is_reached == (np.percentile(ratios, 97.5) <= 0.95)


def test_a_close_call_is_ambiguous_and_says_how_close() -> None:
    """Two values, of which one differs, and a last segment that hardly varies: p is 0.975."""
    rule = EquivalenceRule(draws=2000)
    current_values = np.r_[np.full(39, 1.2), 0.2]
    last_values = np.full(40, 1.0)
    outcomes = [
        compare_segments(*segments(last_values, current_values, seed), replace(rule, seed=seed))
        for seed in range(8)
    ]

    assert all(o.ambiguous == (abs((o.p or 0) - 0.975) < rule.margin) for o in outcomes)


def test_the_margin_is_one_percentage_point_for_ten_thousand_draws() -> None:
    assert RULE.least == pytest.approx(0.975)
    assert RULE.position == pytest.approx(9749.025)
    assert RULE.margin == pytest.approx(0.01, rel=0.01)
    assert RULE.bounds_hold
    assert not EquivalenceRule(confidence=0.8).bounds_hold


def test_a_seed_names_the_draws() -> None:
    values = noisy_values(30, 1, 0.2, 1)

    assert np.array_equal(
        ResampledSegment(values, 5, 1).block(2), ResampledSegment(values, 5, 1).block(2)
    )
    assert not np.array_equal(
        ResampledSegment(values, 5, 1).block(0), ResampledSegment(values, 5, 2).block(0)
    )
    assert not np.array_equal(
        ResampledSegment(values, 5, 1).block(0), ResampledSegment(values, 6, 1).block(0)
    )
