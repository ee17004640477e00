"""The queue of disagreements."""

from __future__ import annotations

import numpy as np

from analysis.statistics.answer_spread import Disagreement, disagreements
from analysis.statistics.answers import Answers

TRUTH = Answers.from_list([100, 100, -1, None, 100, None])
METHODS = {
    "a": Answers.from_list([110, 400, 5, 7, -1, 3]),
    "b": Answers.from_list([100, 90, -1, 9, 100, None]),
}


def test_the_widest_spread_comes_first() -> None:
    queue = disagreements(METHODS, TRUTH, lengths=3000, tolerance=50)

    assert queue == (
        Disagreement(series=2, spread=3000, differing=1, answered=2, never=1, split=True),
        Disagreement(series=4, spread=3000, differing=1, answered=2, never=1, split=True),
        Disagreement(series=1, spread=310, differing=1, answered=2, never=0, split=False),
        Disagreement(series=0, spread=10, differing=0, answered=2, never=0, split=False),
        Disagreement(series=3, spread=2, differing=0, answered=2, never=0, split=False),
    )


def test_a_split_is_as_wide_as_its_series_is_long() -> None:
    queue = disagreements(METHODS, TRUTH, lengths=[9, 9, 200, 9, 250, 9], tolerance=50)

    assert [(disagreement.series, disagreement.spread) for disagreement in queue] == [
        (1, 310),
        (4, 250),
        (2, 200),
        (0, 10),
        (3, 2),
    ]


def test_series_that_all_call_never_have_no_spread() -> None:
    queue = disagreements(
        {"a": Answers.from_list([-1])}, Answers.from_list([-1]), lengths=50, tolerance=1
    )

    assert (queue[0].spread, queue[0].split, queue[0].never) == (0, False, 1)


def test_only_chosen_rows_are_listed() -> None:
    rows = np.array([True, False, False, True, False, True])

    queue = disagreements(METHODS, TRUTH, lengths=3000, tolerance=50, mask=rows)

    assert [disagreement.series for disagreement in queue] == [0, 3]


def test_of_equal_spreads_the_one_with_more_differing_methods_comes_first() -> None:
    methods = {
        "a": Answers.from_list([0, 0]),
        "b": Answers.from_list([100, 100]),
        "c": Answers.from_list([100, 0]),
    }

    queue = disagreements(methods, Answers.from_list([100, 100]), lengths=500, tolerance=50)

    assert [
        (disagreement.series, disagreement.spread, disagreement.differing) for disagreement in queue
    ] == [(1, 100, 2), (0, 100, 1)]
