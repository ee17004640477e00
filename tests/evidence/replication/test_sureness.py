"""Calibration errors and marks needed, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.least_sure.replay import stored_replay
from analysis.statistics.marking_order import TURN
from detectors.methods.plateau import Plateau
from evidence.replication.sureness import (
    HALF,
    ORDERS,
    QUEUES,
    SAMPLES,
    calibration_error,
    counts_of,
    leave_out_factors,
    needed_mark_count,
    replay_marks,
    squared_miscalibration,
)


def test_a_forecast_that_comes_true_as_often_as_it_says_has_no_error() -> None:
    chances = np.array([0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5])
    is_true = np.array([True, False, False, False, True, True, False, False])

    assert calibration_error(chances, is_true, 2) == 0
    assert calibration_error(chances, ~is_true, 2) == pytest.approx((0.5 + 0) / 2)


def test_squared_miscalibration_has_no_share_of_chance() -> None:
    rng = np.random.default_rng(0)
    chances = np.repeat([0.2, 0.4, 0.6, 0.8], 35)
    true_forecasts, shifted_forecasts = (
        np.mean(
            [
                squared_miscalibration(chances, rng.random(chances.size) < chances + shift, 4)
                for _ in range(400)
            ]
        )
        for shift in (0, 0.1)
    )

    assert true_forecasts == pytest.approx(0, abs=0.001)
    assert shifted_forecasts == pytest.approx(0.1**2, abs=0.002)


def test_odds_that_say_too_little_count_more_and_right_ones_as_they_are() -> None:
    rng = np.random.default_rng(0)
    odds = rng.normal(0, 2, 20_000)
    is_steady = rng.random(odds.size) < 1 / (1 + np.exp(-odds))

    assert counts_of(odds, is_steady) == pytest.approx(1, abs=0.05)
    assert counts_of(odds / 2, is_steady) == pytest.approx(2, abs=0.1)


def test_how_much_odds_count_is_told_by_the_other_systems() -> None:
    odds = np.array([-2.0, -1.0, 1.0, 2.0] * 2)
    is_steady = np.r_[odds[:4] > 0, odds[4:] < 0]  # one system as said, one the other way round
    systems = np.repeat(["as said", "reversed"], 4)

    factors = leave_out_factors(odds, is_steady, systems)

    assert (factors[:4] < 0).all()
    assert (factors[4:] > 0).all()


def test_marks_are_needed_until_the_error_is_as_small_as_asked() -> None:
    errors = np.array([10.0, 60.0, 30.0])

    assert needed_mark_count(errors, [1, 2, 0], 0.5) == 1
    assert needed_mark_count(errors, [0, 2, 1], 0.5) == 3
    assert needed_mark_count(errors, [1, 2, 0], 1.0) == 0


def test_a_queue_in_turns_halves_the_error_before_a_random_one() -> None:
    errors = np.r_[np.full(20, 10.0), np.zeros(80)]  # all of it in the first turn of two
    widths = np.r_[np.full(20, 0.9), np.full(80, 0.1)]
    systems = [f"s{number % 10}" for number in range(100)]

    replay = replay_marks(errors, widths, systems, method="plateau@0", samples=50)

    assert replay.marks == 10  # whatever lot decides within the turn
    assert replay.random == pytest.approx(48, abs=3)  # ten of twenty among a hundred: 10 · 101 / 21
    assert (replay.series, replay.systems, replay.turn) == (100, 10, TURN)
    assert 0 < replay.saved_low <= replay.random - replay.marks <= replay.saved_high


def test_the_stored_replay_is_of_the_method_and_the_turns_that_campaigns_have() -> None:
    stored = stored_replay()

    assert stored.method == Plateau().key
    assert (stored.turn, stored.share) == (TURN, HALF)
    assert (stored.draws, stored.samples, stored.orders) == (QUEUES, SAMPLES, ORDERS)
    assert f"{stored.marks} marks in this order" in stored.sentence
