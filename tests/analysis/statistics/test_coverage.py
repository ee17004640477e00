"""Who has enough series to be ranked."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics.answers import Answers
from analysis.statistics.comparison import compare
from analysis.statistics.coverage import has_enough_series
from analysis.statistics.truth_scenarios import scenario_ranking


@pytest.mark.parametrize(
    ("n", "enough_mask"),
    [
        ([], []),
        ([9], [False]),
        ([10], [True]),
        ([0, 0], [False, False]),
        ([264, 132, 131], [True, True, False]),  # half of the most is enough
        ([18, 9], [True, False]),  # half of the most, yet fewer than ten
        ([9, 9, 1], [False, False, False]),
    ],
)
def test_ten_series_and_half_of_the_most_are_enough(n: list[int], enough_mask: list[bool]) -> None:
    assert has_enough_series(np.array(n, np.int64)).tolist() == enough_mask


def test_each_scenario_has_a_most_of_its_own() -> None:
    n = np.array([[100, 40, 9], [10, 40, 9]])

    assert has_enough_series(n).tolist() == [[True, False, False], [False, True, False]]


def test_a_few_exact_answers_are_first_in_no_scenario() -> None:
    methods = {
        "exact on ten of thirty": Answers.from_list([5] * 10 + [None] * 20),
        "two off on all": Answers.from_list([7] * 30),
    }

    ranking = scenario_ranking(methods, np.full((1, 30), 5.0), deciding_names=None)

    assert ranking.figures.tolist() == [[0, 2]]
    assert ranking.ranks.tolist() == [[0, 1]]


def test_who_excludes_everything_is_blamed_whatever_the_order() -> None:
    """Any one of two that answer nothing may go: without the other there is still no series."""
    truth = Answers.from_list([5] * 20)
    methods = {
        "whole": Answers.from_list([6] * 20),
        "most": Answers.from_list([6] * 18 + [-1] * 2),
        "nothing": Answers.from_list([None] * 20),
        "never": Answers.from_list([-1] * 20),
    }

    comparison = compare(methods, truth, tolerance=1)

    assert comparison.narrowing == (("nothing", 0), ("never", 18))
    assert (comparison.n_distances, comparison.n_common) == (0, 0)
    own_table = compare(methods, truth, tolerance=1, common=False)
    assert [figures["n"] for figures in own_table.rows.values()] == [20, 18, 0, 0]
    assert (own_table.n_distances, own_table.n_common, own_table.narrowing) == (20, 0, ())


def test_more_than_three_may_be_in_the_way() -> None:
    truth, steady_answers = Answers.from_list([5] * 4), Answers.from_list([5] * 4)
    few_answers = {
        f"few {series_index}": Answers.from_list([5 if series_index == i else -1 for i in range(4)])
        for series_index in range(4)
    }

    comparison = compare({"whole": steady_answers, **few_answers}, truth, tolerance=1)

    assert [name for name, _ in comparison.narrowing] == list(few_answers)
    assert comparison.narrowing[-1][1] == 4


def test_of_halves_that_share_nothing_the_one_with_fewer_goes() -> None:
    truth = Answers.from_list([5] * 10)
    first, second = Answers.from_list([5] * 6 + [-1] * 4), Answers.from_list([-1] * 5 + [5] * 5)

    comparison = compare({"first": first, "second": second}, truth, tolerance=1)

    assert comparison.narrowing == (("second", 6),)
