"""The front of cost and error, by hand."""

from __future__ import annotations

from analysis.statistics.cost_front import clear_front


def test_nobody_and_one() -> None:
    assert clear_front([], []) == []
    assert clear_front([3.0], [1.0]) == [0]


def test_a_step_is_at_least_the_share_better_than_everything_cheaper() -> None:
    costs = [1.0, 2.0, 3.0, 4.0, 5.0]

    assert clear_front(costs, [100.0, 85.0, 80.0, 72.3, 72.0]) == [0, 1]
    assert clear_front(costs, [100.0, 85.1, 80.0, 72.0, 90.0]) == [0]  # against 85.1, then 80
    assert clear_front(costs, [100.0, 99.0, 84.1, 50.0, 10.0]) == [0, 2, 3, 4]


def test_the_order_given_does_not_matter_and_of_equal_costs_the_exact_counts() -> None:
    assert clear_front([3.0, 1.0, 2.0], [1.0, 9.0, 5.0]) == [1, 2, 0]
    assert clear_front([1.0, 1.0], [9.0, 5.0]) == [1]
