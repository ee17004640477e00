"""Dawid and Skene's own example, and people weighed by how they mark."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings as hypothesis_settings, strategies as st

from annotate.recipes import NEVER
from annotate.recipes.reliability import dawid_skene, weighted_answers, weighted_middle

# Table 1 of Dawid & Skene (1979): 45 patients; three answers of observer 1, one of 2, 3, 4 and 5.
ANAESTHETISTS = """
111 1111  333 4334  112 2122  222 3121  222 3222  222 3322  122 2111  333 3433  222 2223
232 2223  444 4444  222 3343  111 1111  222 3212  121 1111  111 2111  111 1111  111 1111
222 2221  222 1322  222 2222  222 2221  222 3222  221 2222  111 1111  111 1111  232 2222
111 1111  111 1111  112 1121  111 1111  333 3233  111 1111  222 2222  222 3232  433 4343
221 2232  232 3233  333 3432  111 1111  111 1111  121 2111  232 2222  121 1111  222 2222
"""


def published_counts() -> np.ndarray:
    words = ANAESTHETISTS.split()
    counts = np.zeros((45, 5, 4), dtype=np.int64)
    for patient, (first, answers_of_others) in enumerate(zip(words[::2], words[1::2], strict=True)):
        for answer in first:
            counts[patient, 0, int(answer) - 1] += 1
        for observer, answer in enumerate(answers_of_others, start=1):
            counts[patient, observer, int(answer) - 1] += 1
    return counts


def test_the_example_of_the_paper() -> None:
    estimate = dawid_skene(published_counts())

    assert np.round(estimate.marginals, 2).tolist() == [0.40, 0.42, 0.11, 0.07]
    # Observer 1: of class 1 (first row) and class 2 (second row), as Table 3 prints them.
    assert np.round(estimate.rates[0, 0], 2).tolist() == [0.89, 0.11, 0.00, 0.00]
    assert np.round(estimate.rates[0, 1], 2).tolist() == [0.07, 0.88, 0.05, 0.00]
    assert estimate.of_rows[10].argmax() == 3  # patient 11: everybody says class 4
    assert estimate.of_rows[10, 3] == pytest.approx(1, abs=1e-6)


def test_someone_who_always_says_steady_says_nothing() -> None:
    """Three who find what is there against two who never say never: the three decide."""
    truth = np.arange(60) % 3 > 0
    votes = np.where(truth, 100.0, NEVER)[:, None].repeat(5, axis=1)
    votes[:, 3:] = 100
    votes[0, 2] = 100  # series 0 is never; one of the three missed it: 3 of 5 say steady

    answers = weighted_answers(votes)

    assert answers.truths.steady.tolist()[1:] == truth.tolist()[1:]
    assert answers.truths.never[0]


def test_the_far_one_weighs_less() -> None:
    generator = np.random.default_rng(3)
    middle = generator.integers(200, 800, 50).astype(float)
    votes = middle[:, None] + np.array([[-3, 0, 4, 400]])

    answers = weighted_answers(votes)

    assert answers.weights.argmin() == 3
    # Plain upper middle of four would be the third, 4 late; the weights make it the second.
    assert (answers.truths.start - middle).tolist() == [0.0] * 50


def test_equal_weights_take_the_upper_middle() -> None:
    rows = np.array([[1, 9, 4, np.nan], [5, 2, 8, 3], [7, np.nan, np.nan, np.nan]])

    assert weighted_middle(rows, np.full(4, 0.1)).tolist() == [4, 5, 7]


def test_no_votes_are_undecided() -> None:
    answers = weighted_answers(np.full((2, 3), np.nan))

    assert np.isnan(answers.truths.start).all()
    assert answers.weights.tolist() == [1, 1, 1]


votes = st.lists(
    st.lists(st.one_of(st.integers(0, 99), st.sampled_from([NEVER, None])), min_size=4, max_size=4),
    min_size=1,
    max_size=12,
)


@hypothesis_settings(max_examples=20)
@given(votes, st.randoms(use_true_random=False))
def test_neither_the_order_of_people_nor_of_series_matters(
    vote_table: list[list[int | None]], shuffle_random: random.Random
) -> None:
    table = np.array([[np.nan if v is None else v for v in row] for row in vote_table], float)
    people, rows = list(range(4)), list(range(len(table)))
    shuffle_random.shuffle(people)
    shuffle_random.shuffle(rows)

    first_answers, shuffled_answers = (
        weighted_answers(table),
        weighted_answers(table[rows][:, people]),
    )

    assert np.allclose(
        shuffled_answers.probability, first_answers.probability[rows], atol=1e-6, equal_nan=True
    )
    assert np.allclose(shuffled_answers.scatter, first_answers.scatter[people], equal_nan=True)
    is_sure = np.abs(first_answers.probability[rows] - 0.5) > 1e-3
    assert np.array_equal(
        shuffled_answers.truths.start[is_sure],
        first_answers.truths.start[rows][is_sure],
        equal_nan=True,
    )
    has_start = ~np.isnan(first_answers.truths.start) & first_answers.truths.steady
    assert all(
        first_answers.truths.start[series_index] in table[series_index]
        for series_index in np.flatnonzero(has_start)
    )


def test_scatter_is_the_median_distance_from_the_middle_of_the_others() -> None:
    """With `nanmedian`, person by person; some did not mark, and one series has one mark alone."""
    generator = np.random.default_rng(5)
    votes = generator.integers(0, 500, (20, 5)).astype(float)
    votes[generator.random((20, 5)) < 0.3] = np.nan
    votes[0] = [np.nan, 7, np.nan, np.nan, np.nan]

    answers = weighted_answers(votes)

    for person in range(5):
        other_votes = np.delete(votes, person, axis=1)
        rows = ~np.isnan(votes[:, person]) & ~np.isnan(other_votes).all(axis=1)
        distances = np.abs(votes[rows, person] - np.nanmedian(other_votes[rows], axis=1))
        assert answers.scatter[person] == np.median(distances)
        assert answers.weights[person] == 1 / (1 + np.median(distances))


def test_without_any_answer_every_rate_is_unknown() -> None:
    estimate = dawid_skene(np.zeros((7, 3, 2), dtype=np.int64))

    assert (estimate.of_rows.shape, estimate.marginals.shape, estimate.rates.shape) == (
        *((7, 2), (2,), (3, 2, 2)),
    )
    assert np.isnan(estimate.rates).all()
