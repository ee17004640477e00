"""Pairs, spread, drift and absence, on answers worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics.annotator_agreement import (
    LEAST_FOR_DRIFT,
    AnnotatorAbsence,
    MarkDrift,
    PairOfPeople,
    SpreadBand,
    absence,
    bands,
    changed_mask,
    drift,
    in_band,
    mark_offsets,
    marks_called_steady,
    pairs_of_people,
    spreads,
    yes_no_counts,
)
from analysis.statistics.answers import NEVER, Answers

ANA = Answers.from_list([10, 100, NEVER, NEVER, None, 7])
BEN = Answers.from_list([14, 250, NEVER, 30, 5, None])
CLEO = Answers.from_list([10, 90, NEVER, 35, 5, None])
PEOPLE = {"a1": ANA, "a2": BEN, "a3": CLEO}
NAN = float("nan")


def test_pairs_are_over_series_that_both_answered() -> None:
    first = pairs_of_people(PEOPLE, 50)[0]

    # Series 0 to 3; steady together on 0 and 1: 4 and 150 apart.
    assert first == PairOfPeople("a1", "a2", 4, 3, 2, 77.0, 77.0, 1)
    assert (first.same_share, first.within_share) == (0.75, 0.5)


def test_a_pair_without_a_common_series_has_no_figure() -> None:
    pair = pairs_of_people(
        {"a": Answers.from_list([1, None]), "b": Answers.from_list([None, 2])}, 5
    )[0]

    assert pair == PairOfPeople("a", "b", 0, 0, 0, None, None, 0)
    assert pair.same_share is None


def test_a_tolerance_for_each_series() -> None:
    assert pairs_of_people(PEOPLE, np.array([3, 150, 0, 0, 0, 0]))[0].within == 1


def test_counts_of_votes() -> None:
    assert yes_no_counts([ANA, BEN, CLEO]).tolist() == [
        [3, 0],
        [3, 0],
        [0, 3],
        [2, 1],
        [2, 0],
        [1, 0],
    ]
    assert yes_no_counts([]).shape == (0, 2)


def test_a_series_that_somebody_calls_never_has_no_mark_for_alpha() -> None:
    marks = marks_called_steady([ANA, BEN, CLEO])

    assert np.isnan(marks[:, 2:4]).all()
    assert marks[:, 0].tolist() == [10, 14, 10]
    assert marks[1:, 4].tolist() == [5, 5]


def test_spread_needs_two_marks() -> None:
    widths = spreads([ANA, BEN, CLEO])

    assert widths[[0, 1, 3, 4]].tolist() == [4, 160, 5, 0]
    assert np.isnan(widths[[2, 5]]).all()
    assert bands(widths, (5, 50)) == (
        SpreadBand(0, 5, 2),
        SpreadBand(5, 50, 1),
        SpreadBand(50, None, 1),
    )
    assert np.flatnonzero(in_band(widths, 5, 50)).tolist() == [3]


def test_someone_who_marks_ever_later_drifts() -> None:
    n = 30
    other_answers = Answers.constant(n, 100)
    later_answers = Answers.from_arrays(np.arange(n) + 100.0)

    mark_drift = drift(
        "a1",
        {"a1": later_answers, "a2": other_answers, "a3": other_answers},
        np.arange(n, dtype=np.float64),
    )
    reversed_drift = drift(
        "a1",
        {"a1": later_answers, "a2": other_answers, "a3": other_answers},
        -np.arange(n, dtype=np.float64),
    )

    assert (mark_drift.n, mark_drift.first, mark_drift.last, mark_drift.rho) == (30, 4.5, 24.5, 1.0)
    assert mark_drift.p == pytest.approx(0, abs=1e-12)
    assert (reversed_drift.first, reversed_drift.last, reversed_drift.rho) == (24.5, 4.5, -1.0)


def test_few_series_and_even_marks_show_no_drift() -> None:
    short_drift = drift("a1", PEOPLE, np.arange(6.0))
    even_answers = Answers.constant(12, 5)

    assert short_drift == MarkDrift("a1", 2, None, None, None, None)
    mark_drift = drift("a1", {"a1": even_answers, "a2": even_answers}, np.arange(12.0))
    assert mark_drift == MarkDrift("a1", 12, 0.0, 0.0, None, None)


def test_an_unknown_order_counts_for_nothing() -> None:
    even_answers = Answers.constant(12, 5)

    assert drift("a1", {"a1": even_answers, "a2": even_answers}, np.full(12, NAN)).n == 0


def test_what_an_absence_changes() -> None:
    truth = np.array([10, 20, NEVER, NAN, 50, 60, NAN])
    starts = np.array([10, 26, 30, NEVER, NAN, 58, NAN])

    change = absence("a1", truth, starts)

    # 0 stays; 1 and 5 move by 6 and -2; 2, 3 and 4 change their kind; 6 has none twice.
    assert change == AnnotatorAbsence("a1", 6, 5, 3, 2, 4.0, 4 / 3)
    assert change.changed_share == pytest.approx(5 / 6)
    assert changed_mask(truth, starts).tolist() == [False, True, True, True, True, True, False]


def test_offsets_are_quantiles_of_distances_to_the_others() -> None:
    other_answers = Answers.constant(101, 100)
    own_answers = Answers.from_arrays(np.arange(101) + 90.0)

    offsets = mark_offsets("a1", {"a1": own_answers, "a2": other_answers})

    assert offsets is not None
    assert (offsets.n, offsets.quantiles) == (101, (-5, 15, 40, 65, 85))
    assert offsets.median == 40
    assert mark_offsets("a1", {"a1": own_answers}) is None


@pytest.mark.parametrize(("n", "is_known"), [(LEAST_FOR_DRIFT - 1, False), (LEAST_FOR_DRIFT, True)])
def test_drift_is_told_from_a_least_number_of_series(n: int, *, is_known: bool) -> None:
    answers, other_answers = (Answers.from_arrays(np.arange(n) + 100.0), Answers.constant(n, 100))

    mark_drift = drift("a1", {"a1": answers, "a2": other_answers}, np.arange(n, dtype=np.float64))

    assert (mark_drift.rho is not None) is is_known
