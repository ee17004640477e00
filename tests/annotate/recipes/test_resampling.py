"""Marks drawn anew: exact for few votes, and the same in every scenario of the same seed."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings as hypothesis_settings, strategies as st

from annotate.recipes import NEVER, RecipeMark, get
from annotate.recipes.resampling import intervals, patterns, resample_answers, resampled_starts
from annotate.recipes.vectorised import ground_truths_of

PARAMS = get("jagt").clean()


@pytest.mark.parametrize("m", [1, 2, 5, 6, 7, 12])
def test_probabilities_of_all_multisets_add_up(m: int) -> None:
    index_patterns, weights = patterns(m)

    assert index_patterns.shape == (len(weights), m)
    assert weights.sum() == pytest.approx(1)
    assert (np.diff(index_patterns, axis=1) >= 0).all()
    assert (index_patterns.min(), index_patterns.max()) == (0, m - 1)


def test_every_multiset_has_its_share_of_the_orders() -> None:
    order_counts = Counter(tuple(sorted(order)) for order in product(range(4), repeat=4))
    index_patterns, weights = patterns(4)

    weight_by_pattern = dict(
        zip(map(tuple, index_patterns.tolist()), (weights * 4**4).tolist(), strict=True)
    )

    assert weight_by_pattern == pytest.approx(order_counts)


@hypothesis_settings(max_examples=25)
@given(
    st.lists(st.one_of(st.integers(0, 200), st.just(NEVER)), min_size=4, max_size=4),
    st.sampled_from(["jagt", "jagt-published", "median", "majority-cluster"]),
)
def test_the_interval_is_that_of_all_resamples(vote_list: list[int], recipe: str) -> None:
    """All 256 orders of four votes, counted."""
    answers = resample_answers(recipe, np.array([vote_list], float), PARAMS)

    orders = np.array(list(product(sorted(vote_list), repeat=4)), float)
    starts = ground_truths_of(recipe, orders, PARAMS).start.tolist()
    steady_starts = sorted(start for start in starts if start >= 0)
    assert answers.steady[0] == pytest.approx(len(steady_starts) / 256)
    if steady_starts:
        assert (answers.low[0], answers.high[0]) == (
            least_start(steady_starts, 0.1),
            least_start(steady_starts, 0.9),
        )
    else:
        assert np.isnan([answers.low[0], answers.high[0]]).all()


def least_start(sorted_starts: list[float], level: float) -> float:
    """The least that at least `level` of them do not exceed."""
    return next(
        start
        for rank, start in enumerate(sorted_starts, 1)
        if rank >= level * len(sorted_starts) - 1e-6
    )


def test_people_who_say_the_same_leave_no_doubt() -> None:
    answers = resample_answers("jagt", np.array([[7.0] * 5, [np.nan] * 5, [NEVER] * 5]), PARAMS)

    assert answers.low.tolist()[0] == answers.high.tolist()[0] == 7
    assert answers.steady[0] == 1
    assert np.isnan([answers.low[1], answers.steady[1], answers.low[2]]).all()
    assert answers.steady[2] == 0


def test_scenarios_repeat_and_agree_with_the_probabilities() -> None:
    votes = np.array([[100, 150, 201, 900, 1500], [5, 5, 5, 5, 5], [1, NEVER, np.nan, 3, 8]], float)

    starts = resampled_starts("jagt", votes, PARAMS, times=4000)

    second_starts = resampled_starts("jagt", votes, PARAMS, times=4000)
    assert np.array_equal(starts, second_starts, equal_nan=True)
    assert set(starts[:, 1].tolist()) == {5.0}
    exact_answers = resample_answers("jagt", votes, PARAMS)
    first_starts = starts[:, 0]
    assert (np.nanquantile(first_starts, [0.1, 0.9], method="inverted_cdf")).tolist() == [
        exact_answers.low[0],
        exact_answers.high[0],
    ]
    assert (starts[:, 2] >= 0).mean() == pytest.approx(exact_answers.steady[2], abs=0.03)


def test_an_interval_of_marks_has_iterations_and_a_share_of_four_digits() -> None:
    """Of 3^3 draws from two steady marks and a never, 20 have more steady ones than nevers."""
    people = ["a1", "a2", "a3"]
    marks = [RecipeMark("a1", "steady", 10), RecipeMark("a2", "steady", 12)]

    split_interval, no_interval, alike_interval = intervals(
        "median", [[*marks, RecipeMark("a3", "never")], [], [marks[0]]], people, PARAMS
    )

    assert split_interval is not None
    assert alike_interval is not None
    assert (split_interval.low, split_interval.high, split_interval.steady) == (10, 12, 0.7407)
    assert no_interval is None
    assert (alike_interval.low, alike_interval.high, alike_interval.steady) == (10, 10, 1.0)
