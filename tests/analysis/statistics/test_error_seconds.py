"""Seconds between two iterations, against the published vectors."""

from __future__ import annotations

import json

import numpy as np
import pytest

from analysis.statistics.answers import Answers
from analysis.statistics.error_seconds import (
    elapsed_seconds,
    running_seconds,
    seconds_between,
    seconds_of_errors,
)
from tests.published_data import replication_folder


def test_whole_operations_fill_an_iteration() -> None:
    """`estimate_time` of the published vectors."""
    vectors = json.loads((replication_folder() / "vectors" / "quality.json").read_text())

    for vector in vectors["estimate_time"]:
        total = elapsed_seconds(np.array(vector["values"], dtype=np.float64))
        assert total[-1] == pytest.approx(vector["seconds"], rel=1e-12)


def test_the_warm_up_estimation_error_is_a_difference_of_sums() -> None:
    """`wee` of the published vectors: last warm-up index against last unsteady index."""
    vectors = json.loads((replication_folder() / "vectors" / "quality.json").read_text())

    for vector in vectors["wee"]:
        if vector["signed"] is not None:
            total = elapsed_seconds(np.array(vector["values"]))
            difference = seconds_between(total, vector["s"] + 1, vector["last_warmup"] + 1)
            assert difference == pytest.approx(vector["signed"], rel=1e-12, abs=1e-12)


def test_values_that_are_durations_are_summed() -> None:
    total = running_seconds(np.array([2.0, 3.0, 5.0]))

    assert total.tolist() == [0.0, 2.0, 5.0, 10.0]
    assert (seconds_between(total, 1, 3), seconds_between(total, 3, 0)) == (8.0, -10.0)


def test_operations_too_short_to_count_fill_the_iteration() -> None:
    total = elapsed_seconds(np.array([0.0, 5e-324, 1e-300, 1e300]))

    assert np.diff(total).tolist() == [0.1, 0.1, pytest.approx(0.1), 1e300]


@pytest.mark.parametrize(("first", "second"), [(-1, 0), (0, 4)])
def test_an_iteration_outside_the_series_is_refused(first: int, second: int) -> None:
    with pytest.raises(IndexError, match="expected 0 to 3"):
        seconds_between(np.zeros(4), first, second)


def test_errors_in_seconds_are_signed_and_known_only_where_both_say_steady() -> None:
    totals = running_seconds(
        np.array([[2.0, 3.0, 5.0], [1.0, 1.0, 1.0], [9.0, 9.0, 9.0], [2.0, 3.0, 5.0]])
    )
    truth = Answers.from_list([1, -1, 1, 1, 1])
    methods = {"m": Answers.from_list([2, 1, 0, -1, 2])}

    seconds = seconds_of_errors(
        [(np.array([0, 2]), totals[[0, 0]]), (np.array([1, 3]), totals[[1, 2]])], methods, truth
    )

    np.testing.assert_array_equal(seconds["m"], [3.0, np.nan, -2.0, np.nan, np.nan])


def test_errors_in_seconds_refuse_an_answer_behind_the_end() -> None:
    totals = [(np.array([0]), running_seconds(np.ones((1, 3))))]
    answers = Answers.from_list([4])

    with pytest.raises(IndexError, match="expected 0 to 3"):
        seconds_of_errors(totals, {"m": answers}, answers)
