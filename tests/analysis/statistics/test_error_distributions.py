"""ECDF and quantiles of errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from analysis.statistics.answers import Answers
from analysis.statistics.comparison import compare
from analysis.statistics.error_distributions import ErrorQuantiles, ecdf, error_quantiles

PREDICTED = Answers.from_list([10, -1, 50, 33, None, 7])
TRUTH = Answers.from_list([12, 40, 50, 30, 5, -1])

answers = st.lists(st.one_of(st.none(), st.just(-1), st.integers(0, 60)), min_size=12, max_size=12)


def test_missed_and_unanswered_series_keep_the_curve_below_one() -> None:
    curve = ecdf(PREDICTED, TRUTH)

    assert (curve.sizes, curve.shares, curve.n) == ((0, 2, 3), (0.2, 0.4, 0.6), 5)


@pytest.mark.parametrize(
    ("size", "share"), [(-1, 0.0), (0, 0.2), (1.9, 0.2), (2, 0.4), (3, 0.6), (9, 0.6)]
)
def test_the_curve_is_read_at_any_size(size: float, share: float) -> None:
    assert ecdf(PREDICTED, TRUTH).share_within(size) == share


def test_only_chosen_rows_count() -> None:
    rows = np.array([True, False, False, False, True, True])

    assert ecdf(PREDICTED, TRUTH, rows).shares == (0.5,)
    assert error_quantiles(PREDICTED, TRUTH, rows).q50 == -2.0


def test_nothing_to_draw_is_an_empty_curve() -> None:
    curve = ecdf(Answers.from_list([-1]), Answers.from_list([-1]))

    assert (curve.sizes, curve.shares, curve.n, curve.share_within(5)) == ((), (), 0, 0.0)
    assert error_quantiles(Answers.from_list([-1]), Answers.from_list([4])) == ErrorQuantiles(
        0, *[None] * 5
    )


def test_quantiles_of_signed_errors() -> None:
    predicted_answers = Answers.from_list([100 + error for error in (-20, -10, 0, 10, 20)])

    assert error_quantiles(predicted_answers, Answers.constant(5, 100)) == ErrorQuantiles(
        5, -18.0, -10.0, 0.0, 10.0, 18.0
    )


@given(answers, answers, st.integers(0, 60))
def test_the_curve_agrees_with_the_table(
    predictions: list[int | None], truth: list[int | None], size: int
) -> None:
    method, yardstick = Answers.from_list(predictions), Answers.from_list(truth)

    figures = compare({"m": method}, yardstick, tolerance=size, common=False).rows["m"]

    curve = ecdf(method, yardstick)
    within_count = figures.total("within_tolerance") * figures.total("n")
    assert curve.share_within(size) * curve.n == pytest.approx(within_count)
