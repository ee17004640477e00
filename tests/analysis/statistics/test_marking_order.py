"""Turns of the series that are least sure, by hand."""

from __future__ import annotations

from collections import Counter

from analysis.statistics.marking_order import TURN, turns, widest_subjects


def test_the_widest_interval_is_first_and_ties_go_by_number() -> None:
    assert widest_subjects({}) == []
    assert widest_subjects({3: 0.2, 1: 0.5, 2: 0.2}) == [1, 2, 3]


def test_turns_are_full_and_follow_the_widths() -> None:
    widths = {subject: subject / 50 for subject in range(50)}  # the wider, the greater the number

    turn_by_subject = turns(range(50), widths, seed=1)

    assert Counter(turn_by_subject.values()) == {0: TURN, 1: TURN, 2: 50 - 2 * TURN}
    assert {subject for subject, turn in turn_by_subject.items() if turn == 0} == set(
        range(50 - TURN, 50)
    )
    assert turns([], {}, seed=1) == {}
    assert turns([7], {}, seed=1) == {7: 0}


def test_who_has_no_width_is_spread_by_lot_and_not_told_apart() -> None:
    subjects = range(10 * TURN)
    unknown = set(range(0, 10 * TURN, 10))  # a tenth of all
    widths = {subject: 1.0 - subject / 1000 for subject in subjects if subject not in unknown}

    turn_by_subject = turns(subjects, widths, seed=1)

    assert turn_by_subject == turns(subjects, widths, seed=1)
    assert turn_by_subject != turns(subjects, widths, seed=2)
    assert len({turn_by_subject[subject] for subject in unknown}) > 5
    widest_turns = [turn_by_subject[subject] for subject in subjects if subject not in unknown]
    assert widest_turns == sorted(widest_turns)
