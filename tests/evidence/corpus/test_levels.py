"""A known answer follows from the level: before it something changes, after it nothing does."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np
import pytest

from detectors.contract import NEVER
from detectors.shapes.series_shape import Shape
from evidence.corpus.levels import (
    LEVELS,
    MOVE,
    NEVER_SHAPES,
    NOTHING_LEFT,
    STEP,
    KnownLevel,
    height,
)

SHORTEST, LONGEST = 300, 3000
SPREADS = (0.0003, 0.01, 0.17)  # the least and the most of the recordings, and between
DECAYS: tuple[Shape, ...] = ("decay-down", "decay-up")


def drawn_levels(shape: Shape) -> Iterator[tuple[KnownLevel, float, int]]:
    """Levels of a shape with the spread and the length that they were drawn for."""
    for seed in range(20):
        for spread in SPREADS:
            for n in (SHORTEST, LONGEST):
                yield LEVELS[shape](np.random.default_rng(seed), n, spread), spread, n


@pytest.mark.parametrize("shape", LEVELS)
def test_every_level_is_positive_and_has_an_answer_that_fits(shape: Shape) -> None:
    for level, _, n in drawn_levels(shape):
        assert level.values.shape == (n,)
        assert level.values.min() > 0
        if shape in NEVER_SHAPES:
            assert level.steady_start == level.within_spread == NEVER
        else:
            assert 0 <= level.within_spread <= level.steady_start <= 0.72 * n


@pytest.mark.parametrize("shape", ["step-down", "step-up", "steps"])
def test_the_last_step_is_where_the_answer_is(shape: Shape) -> None:
    for level, spread, _ in drawn_levels(shape):
        start = level.steady_start

        assert (level.values[start:] == 1).all()
        value_before = level.values[start - 1]
        assert max(value_before, 1 / value_before) >= 1 + STEP * spread


def test_steps_are_two_to_four() -> None:
    counts = {int(np.count_nonzero(np.diff(level.values))) for level, *_ in drawn_levels("steps")}

    assert counts == {2, 3, 4}


def test_a_flat_level_is_steady_from_the_first_iteration() -> None:
    for level, *_ in drawn_levels("flat"):
        assert level.steady_start == 0
        assert (level.values == 1).all()


@pytest.mark.parametrize("shape", DECAYS)
def test_a_decay_ends_where_a_tenth_of_the_spread_is_left(shape: Shape) -> None:
    for level, spread, _ in drawn_levels(shape):
        distances = np.abs(level.values - 1)
        start, within_start = level.steady_start, level.within_spread

        assert level.exactness == "threshold"
        assert (np.diff(distances[: start + 1]) < 0).all()
        assert distances[start:].max() == distances[start]
        assert distances[start] <= NOTHING_LEFT * spread < distances[start - 1]
        assert distances[within_start] <= spread < distances[within_start - 1]
        assert distances[0] > 0.9 * spread


@pytest.mark.parametrize("shape", DECAYS)
def test_what_is_left_of_a_decay_moves_the_mean_by_less_than_the_noise_does(shape: Shape) -> None:
    for level, spread, n in drawn_levels(shape):
        values_after = level.values[level.steady_start :]

        assert abs(values_after.mean() - 1) < spread / sqrt(n - level.steady_start)


def test_cycles_are_the_same_before_and_after_the_step_and_short() -> None:
    for level, spread, n in drawn_levels("cycles"):
        start = level.steady_start
        period = int(level.why.split("cycles of ")[1].split()[0])
        values_after, values_before = level.values[start:], level.values[:start]

        assert np.array_equal(values_after[period:], values_after[:-period])
        assert 4 <= period <= n / 25
        if start >= period:
            least_value = 1 + STEP * spread
            assert values_before[-period:].mean() >= least_value * values_after[:period].mean()


def test_spikes_are_single_and_lie_on_both_sides_of_the_step() -> None:
    count_with_both_sides = 0
    for level, _, n in drawn_levels("spikes"):
        start = level.steady_start
        spike_indices = np.flatnonzero(level.values[start:] != 1)
        assert (level.values[start:][spike_indices] >= 2).all()
        assert spike_indices.size <= max(0.015 * n, 3)
        count_with_both_sides += bool(spike_indices.size) and level.values[
            :start
        ].max() > 1.5 * np.median(level.values[:start])

    assert count_with_both_sides > 60


@pytest.mark.parametrize("shape", ["drift-down", "drift-up"])
def test_a_drift_moves_to_the_last_iteration(shape: Shape) -> None:
    for level, spread, _ in drawn_levels(shape):
        steps = np.diff(level.values)
        assert (steps < 0).all() if shape == "drift-down" else (steps > 0).all()
        assert level.values.max() / level.values.min() >= 1 + MOVE * spread


def test_a_random_walk_moves_by_several_spreads_and_to_the_last_iteration() -> None:
    moves_in_spreads = []
    for level, spread, _ in drawn_levels("random-walk"):
        assert np.diff(level.values)[-1] != 0
        moves_in_spreads.append(np.ptp(level.values) / spread)

    assert np.median(moves_in_spreads) > MOVE


def test_a_height_is_at_least_what_is_asked_for() -> None:
    random = np.random.default_rng(0)
    heights = [height(random, 0.3) for _ in range(500)]

    assert 0.3 <= min(heights) < 0.4
    assert 2.5 < max(heights) <= 3.2
