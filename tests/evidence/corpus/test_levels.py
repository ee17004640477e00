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


def drawn(shape: Shape) -> Iterator[tuple[KnownLevel, float, int]]:
    """Levels of a shape with the spread and the length that they were drawn for."""
    for seed in range(20):
        for spread in SPREADS:
            for n in (SHORTEST, LONGEST):
                yield LEVELS[shape](np.random.default_rng(seed), n, spread), spread, n


@pytest.mark.parametrize("shape", LEVELS)
def test_every_level_is_positive_and_has_an_answer_that_fits(shape: Shape) -> None:
    for level, _, n in drawn(shape):
        assert level.values.shape == (n,)
        assert level.values.min() > 0
        if shape in NEVER_SHAPES:
            assert level.steady_start == level.within_spread == NEVER
        else:
            assert 0 <= level.within_spread <= level.steady_start <= 0.72 * n


@pytest.mark.parametrize("shape", ["step-down", "step-up", "steps"])
def test_the_last_step_is_where_the_answer_is(shape: Shape) -> None:
    for level, spread, _ in drawn(shape):
        start = level.steady_start

        assert (level.values[start:] == 1).all()
        before = level.values[start - 1]
        assert max(before, 1 / before) >= 1 + STEP * spread


def test_steps_are_two_to_four() -> None:
    counts = {int(np.count_nonzero(np.diff(level.values))) for level, *_ in drawn("steps")}

    assert counts == {2, 3, 4}


def test_a_flat_level_is_steady_from_the_first_iteration() -> None:
    for level, *_ in drawn("flat"):
        assert level.steady_start == 0
        assert (level.values == 1).all()


@pytest.mark.parametrize("shape", DECAYS)
def test_a_decay_ends_where_a_tenth_of_the_spread_is_left(shape: Shape) -> None:
    for level, spread, _ in drawn(shape):
        off = np.abs(level.values - 1)
        start, within_start = level.steady_start, level.within_spread

        assert level.exactness == "threshold"
        assert (np.diff(off[: start + 1]) < 0).all()
        assert off[start:].max() == off[start]
        assert off[start] <= NOTHING_LEFT * spread < off[start - 1]
        assert off[within_start] <= spread < off[within_start - 1]
        assert off[0] > 0.9 * spread


@pytest.mark.parametrize("shape", DECAYS)
def test_what_is_left_of_a_decay_moves_the_mean_by_less_than_the_noise_does(shape: Shape) -> None:
    for level, spread, n in drawn(shape):
        after = level.values[level.steady_start :]

        assert abs(after.mean() - 1) < spread / sqrt(n - level.steady_start)


def test_cycles_are_the_same_before_and_after_the_step_and_short() -> None:
    for level, spread, n in drawn("cycles"):
        start = level.steady_start
        period = int(level.why.split("cycles of ")[1].split()[0])
        after, before = level.values[start:], level.values[:start]

        assert np.array_equal(after[period:], after[:-period])
        assert 4 <= period <= n / 25
        if start >= period:
            least = 1 + STEP * spread
            assert before[-period:].mean() >= least * after[:period].mean()


def test_spikes_are_single_and_lie_on_both_sides_of_the_step() -> None:
    both_sides = 0
    for level, _, n in drawn("spikes"):
        start = level.steady_start
        after = np.flatnonzero(level.values[start:] != 1)
        assert (level.values[start:][after] >= 2).all()
        assert after.size <= max(0.015 * n, 3)
        both_sides += bool(after.size) and level.values[:start].max() > 1.5 * np.median(
            level.values[:start]
        )

    assert both_sides > 60


@pytest.mark.parametrize("shape", ["drift-down", "drift-up"])
def test_a_drift_moves_to_the_last_iteration(shape: Shape) -> None:
    for level, spread, _ in drawn(shape):
        moves = np.diff(level.values)
        assert (moves < 0).all() if shape == "drift-down" else (moves > 0).all()
        assert level.values.max() / level.values.min() >= 1 + MOVE * spread


def test_a_random_walk_moves_by_several_spreads_and_to_the_last_iteration() -> None:
    reaches = []
    for level, spread, _ in drawn("random-walk"):
        assert np.diff(level.values)[-1] != 0
        reaches.append(np.ptp(level.values) / spread)

    assert np.median(reaches) > MOVE


def test_a_height_is_at_least_what_is_asked_for() -> None:
    random = np.random.default_rng(0)
    heights = [height(random, 0.3) for _ in range(500)]

    assert 0.3 <= min(heights) < 0.4
    assert 2.5 < max(heights) <= 3.2
