"""What a start makes of a series: against plain NumPy, worked numbers, and what always holds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from analysis.statistics.answers import Floats
from analysis.statistics.steady_summary import change_of_result, steady_summary
from detectors.intervals.steady_interval import steady_interval

finite = arrays(np.float64, st.integers(2, 60), elements=st.floats(0.5, 2.0, width=32))


def test_a_result_is_of_the_values_from_the_start_on() -> None:
    values = 50 + np.random.default_rng(3).normal(0, 1, 900)

    summary = steady_summary(values, 100)

    assert summary.interval == steady_interval(values[100:])
    assert (summary.n, summary.mean) == (800, pytest.approx(values[100:].mean()))
    assert summary.median == np.median(values[100:])


@pytest.mark.parametrize("start", [-1, 3])
def test_a_start_outside_the_series_is_refused(start: int) -> None:
    with pytest.raises(IndexError, match="expected 0 to 2"):
        steady_summary(np.ones(3), start)
    with pytest.raises(IndexError, match="expected 0 to 2"):
        change_of_result(np.ones(3), 0, start)


@given(finite, st.integers(-400, 400), st.data())
def test_the_unit_changes_nothing(values: Floats, exponent: int, data: st.DataObject) -> None:
    start, yardstick = (data.draw(st.integers(0, values.size - 1)) for _ in range(2))

    scaled_values = np.ldexp(values, exponent)
    interval = steady_summary(values, start).interval
    change = change_of_result(values, start, yardstick)

    assert steady_summary(scaled_values, start).interval.enough() == interval.enough()
    assert change_of_result(scaled_values, start, yardstick) == change


@given(finite, st.data())
def test_there_and_back_is_no_change(values: Floats, data: st.DataObject) -> None:
    start, yardstick = (data.draw(st.integers(0, values.size - 1)) for _ in range(2))

    change_there, reverse_change = (
        change_of_result(values, start, yardstick),
        change_of_result(values, yardstick, start),
    )

    assert change_there is not None
    assert reverse_change is not None
    assert (1 + change_there.share) * (1 + reverse_change.share) == pytest.approx(1)
    for change in (change_there, reverse_change):
        assert (change.low is None) == (change.high is None)
        if change.low is not None and change.high is not None:
            assert change.low <= change.share <= change.high


@pytest.mark.parametrize(("start", "yardstick"), [(0, 50), (50, 0)])
def test_a_change_has_no_interval_where_the_rest_is_worth_too_few_values(
    start: int, yardstick: int
) -> None:
    wandering_values = np.cumsum(np.random.default_rng(1).normal(size=250)) + 100

    change = change_of_result(wandering_values, start, yardstick)

    assert change is not None
    assert (change.low, change.high) == (None, None)
    assert change.share != 0


def test_a_warm_up_of_a_tenth_worked_by_hand() -> None:
    """20 of 100 values at 1.5, the others at 1: a mean of 1.1 against 1, and the other way."""
    values = np.where(np.arange(100) < 20, 1.5, 1.0)

    early_change, late_change = change_of_result(values, 0, 20), change_of_result(values, 20, 0)

    assert early_change is not None
    assert late_change is not None
    assert early_change.share == pytest.approx(0.1)
    assert early_change.word == "matters"
    assert late_change.share == pytest.approx(1 / 1.1 - 1)


def test_the_word_turns_at_one_percent() -> None:
    values = np.where(np.arange(100) < 1, 2.0, 1.0)

    change = change_of_result(values, 0, 1)
    shorter_change = change_of_result(np.append(values, 1.0), 0, 1)

    assert change is not None
    assert shorter_change is not None
    assert (change.share, change.word) == (pytest.approx(0.01), "matters")
    assert shorter_change.word == "immaterial"


def test_no_result_no_change() -> None:
    assert change_of_result(np.zeros(5), 0, 2) is None


def test_the_interval_of_a_change_holds_it_nineteen_times_of_twenty() -> None:
    """Four hundred series with a step of known height at 50 of 250, both ways round."""
    rng = np.random.default_rng(5)
    level = np.where(np.arange(250) < 50, 12.0, 10.0)
    hit_counts = [0, 0]
    for _ in range(400):
        values = level + rng.normal(0, 1, level.size)
        for case_index, (start, yardstick) in enumerate([(0, 50), (50, 0)]):
            change = change_of_result(values, start, yardstick)
            assert change is not None
            true_change = level[start:].mean() / level[yardstick:].mean() - 1
            assert change.low is not None
            assert change.high is not None
            hit_counts[case_index] += change.low <= true_change <= change.high

    assert [0.92 < count / 400 < 0.98 for count in hit_counts] == [True, True]
