"""PELT: what Plateau adds to the package, and that the package is asked as promised."""

from __future__ import annotations

import math

import numpy as np
import pytest
import ruptures

from detectors.contract import Context, Detection, Events, Levels, TooShort, as_series
from detectors.methods.ruptures_pelt import RupturesPelt
from detectors.rules.segments.ruptures_search import scale_by_noise
from detectors.simulated.synthetic import simulate

STEP = simulate("step", n=600)


@pytest.mark.parametrize("cost", ["normal", "l2", "l1"])
def test_steady_from_the_last_change_point(cost: str) -> None:
    detection = RupturesPelt(cost=cost).answer(STEP.values)

    assert detection.published_index == detection.steady_start
    assert abs(detection.steady_start - STEP.steady_start) <= RupturesPelt().params.jump


def test_the_pages_example() -> None:
    noise = 0.01 * np.random.default_rng(0).standard_normal(300)

    detection = RupturesPelt().answer(np.repeat([2.0, 1.0], [100, 200]) + noise)

    assert detection == Detection(100, published_index=100)


def test_no_change_point_is_steady_from_the_start() -> None:
    assert RupturesPelt().answer(simulate("flat", n=600).values) == Detection(0, 0)


@pytest.mark.parity("ruptures-pelt")
def test_is_the_packages_answer_on_values_in_units_of_noise() -> None:
    scaled_values = (STEP.values - np.median(STEP.values)) / (
        np.median(np.abs(np.diff(STEP.values))) / 0.954
    )
    peer = ruptures.Pelt(model="l2", min_size=20, jump=5).fit(scaled_values)

    expected = peer.predict(pen=30 * math.log(600))

    detector = RupturesPelt(cost="l2", min_size=20, jump=5, penalty=30.0)
    events, levels = detector.evidence(STEP.values, Context())
    assert events == Events(tuple(expected[:-1]), label="change points")
    assert isinstance(levels, Levels)
    assert [piece[:2] for piece in levels.pieces] == list(
        zip([0, *expected[:-1]], expected, strict=True)
    )
    assert levels.pieces[-1][2] == STEP.values[expected[-2] :].mean()


@pytest.mark.parametrize("factor", [1e-9, 2.0**40])
def test_the_unit_does_not_matter(factor: float) -> None:
    expected = RupturesPelt().answer(STEP.values)

    assert RupturesPelt().answer(factor * STEP.values) == expected
    assert RupturesPelt().answer(STEP.values + 1.0) == expected


def test_noise_of_a_series_of_few_values_is_one() -> None:
    assert scale_by_noise(as_series([5.0, 5.0, 5.0, 9.0])).tolist() == [0, 0, 0, 4]
    assert scale_by_noise(as_series([5.0])).tolist() == [0]


def test_two_segments_must_fit() -> None:
    assert RupturesPelt(min_size=50).answer(STEP.values[:100]).steady_start in {0, 50}
    with pytest.raises(TooShort, match="needs at least 100 values; got 99"):
        RupturesPelt(min_size=50).answer(STEP.values[:99])
