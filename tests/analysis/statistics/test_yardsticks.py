"""The best constant answer, and people against one another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from analysis.statistics.answers import Answers
from analysis.statistics.best_constant import BestConstant, best_constant
from analysis.statistics.people_consensus import consensus, people_rows


@pytest.mark.parametrize(
    ("truth", "constant"),
    [
        ([5], BestConstant(5, 5, 1, 0, 0.0)),
        ([1, 2, 90], BestConstant(2, 2, 3, 89, 89 / 3)),
        ([1, 4, 8, 90], BestConstant(4, 8, 4, 93, 93 / 4)),
        ([0.5], BestConstant(0, 1, 1, 0.5, 0.5)),
        ([0.25], BestConstant(0, 0, 1, 0.25, 0.25)),
        ([0.75], BestConstant(1, 1, 1, 0.25, 0.25)),
        ([], None),
    ],
)
def test_the_best_constant_by_hand(truth: list[float], constant: BestConstant | None) -> None:
    assert best_constant(np.array(truth)) == constant


@given(st.lists(st.integers(0, 80).map(lambda half: half / 2), min_size=1, max_size=12))
def test_no_constant_is_better_and_none_as_good_is_lower(truth: list[float]) -> None:
    constant = best_constant(np.array(truth))

    totals = [sum(abs(value - index) for value in truth) for index in range(42)]
    best_indices = [index for index, total in enumerate(totals) if total == min(totals)]
    assert constant is not None
    assert (constant.index, constant.last) == (best_indices[0], best_indices[-1])
    assert constant.manhattan == min(totals)


def test_the_consensus_is_a_majority_and_an_ordinary_median() -> None:
    people = [
        Answers.from_list([10, 10, -1, -1, None, 10]),
        Answers.from_list([20, -1, -1, 40, None, 20]),
        Answers.from_list([40, None, -1, -1, None, 30]),
        Answers.from_list([50, None, 70, None, None, -1]),
    ]

    joint_answers = consensus(people, 6)

    assert [joint_answers.value(series_index) for series_index in range(6)] == [
        30,
        None,
        -1,
        -1,
        None,
        20,
    ]


def test_each_person_is_measured_against_the_others() -> None:
    people = {
        "a1": Answers.from_list([10, 10, -1]),
        "a2": Answers.from_list([20, 20, -1]),
        "a3": Answers.from_list([60, -1, -1]),
    }

    rows = people_rows(people, tolerance=15, series=np.array([True, True, True]))

    # Others of a1: 40 and a tie (20, never); of a2: 35 and a tie; of a3: 15 and 15.
    assert list(rows) == ["a1", "a2", "a3"]
    assert [figures["mean_error"] for figures in rows.values()] == [-30.0, -15.0, 45.0]
    assert [figures["missed"] for figures in rows.values()] == [0, 0, 1]
    assert [figures["both_never"] for figures in rows.values()] == [1, 1, 1]


def test_one_person_alone_has_nobody_to_be_measured_against() -> None:
    for answers in ([], [3], [3, -1]):
        figures = people_rows({"a1": Answers.from_list(answers)}, tolerance=5)["a1"]

        assert (figures["n"], figures["n_yes_no"]) == (0, 0)


def test_nobody_says_nothing_of_every_series() -> None:
    joint_answers = consensus([], 2)

    assert [joint_answers.value(series_index) for series_index in range(2)] == [None, None]


def test_series_outside_the_mask_do_not_count() -> None:
    people = {"a1": Answers.from_list([10, 10]), "a2": Answers.from_list([20, 90])}

    rows = people_rows(people, tolerance=5, series=np.array([True, False]))

    assert [figures["manhattan"] for figures in rows.values()] == [10, 10]
