"""Features and steps of `plateau`: an independent program's figures, and an oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from detectors.contract import Values, as_series
from detectors.kernels.place_features import step_strengths
from detectors.panel.panel_grid import GRID, grid_places, normalised, quantile_of, running_maximum
from detectors.panel.prefix_estimates import snap_to_step
from detectors.panel.series_features import (
    LONG,
    MIDDLE,
    SHORT,
    LookedAtSeries,
    SeriesFeatures,
    StepStrengths,
    centre_by_range,
    looked_at,
    medians_of_five,
    strongest_steps,
    usual_strength,
)
from detectors.simulated.synthetic import simulate
from evidence.oracles import plateau_oracle as oracle
from tests.published_data import carried_vectors


def formula(n: int) -> Values:
    """The series of the vectors."""
    i = np.arange(n)
    steps = 1 + np.exp(-i / 120) + 0.3 * (i < 0.24 * n) + 0.02 * np.sin(1.7 * i)
    return as_series(1e-6 * (steps + 0.01 * ((7919 * i % 13) - 6) / 6 + 2 * (i % 397 == 5)))


@pytest.fixture(scope="module")
def vectors() -> Any:
    return carried_vectors("plateau")


def assert_near(features: Any, expected: Any) -> None:
    """The tolerance that the vectors name."""
    np.testing.assert_allclose(features, expected, rtol=1e-6, atol=1e-9)


PUBLISHED_FEATURES = np.r_[2:6, 8:23, 41:48]
"""Features that are exactly those of the program; other windows are of pieces, or wider."""
SERIES_FEATURES = np.delete(np.arange(30), [3, 17, 20])
"""The same of the whole series, but for a ratio of spreads and two thresholds."""


def test_features_are_those_of_an_independent_program(vectors: Any) -> None:
    vector = vectors["series"][0]
    y = normalised(formula(vector["n"])) - 1  # the program reads distances from 1 in this unit

    rows = LookedAtSeries.from_values(y).rows(grid_places(GRID, y.size))

    series_features = np.array(vector["global_48_77"])
    assert_near(rows[:, 48:][:, SERIES_FEATURES], [series_features[SERIES_FEATURES]] * 64)
    assert_near(rows[0, 51], series_features[1] - series_features[0])
    for row in vector["rows"]:
        features = rows[row["grid_index"], PUBLISHED_FEATURES]
        assert_near(features, np.array(row["features_0_47"])[PUBLISHED_FEATURES])


def test_quantiles_are_those_of_an_independent_program(vectors: Any) -> None:
    curves = {
        "(k/40)^2, at most 1, k = 0..63": np.minimum(1, (np.arange(64) / 40) ** 2),
        "0.6 everywhere": np.full(64, 0.6),
        "0.4 k/63": 0.4 * np.arange(64) / 63,
    }

    for vector in vectors["quantile"]:
        assert_near(quantile_of(curves[vector["cdf"]], GRID, vector["q"]), vector["answer"])


def drawn_series() -> dict[str, Values]:
    noisy_values = np.random.default_rng(7).lognormal(0, 0.1, 3000)
    return {
        "step": simulate("step").values,
        "decay, 100": simulate("decay", n=100).values,
        "two steps, 161": simulate("two-steps", n=161).values,
        "spikes, 997": simulate("spikes", n=997).values,
        "constant": as_series(np.full(300, 0.1)),
        "giant": as_series(np.r_[1e6, noisy_values[1:400]]),
        "tiny": as_series(noisy_values[:700] * 1e-9),
        "few digits": as_series(np.round(noisy_values, 1)),
    }


@pytest.mark.parametrize("name", drawn_series())
def test_features_and_oracle_agree(name: str) -> None:
    y = centre_by_range(drawn_series()[name])
    places = grid_places(GRID, y.size)

    np.testing.assert_allclose(
        LookedAtSeries.from_values(y).rows(places), oracle.features(y, places), rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize("window", [SHORT, MIDDLE, LONG])
@pytest.mark.parametrize("n", [100, 161, 700])
def test_strengths_are_those_of_the_definition(window: tuple[int, int], n: int) -> None:
    y = simulate("two-steps", n=n).values
    sums = np.append(0.0, np.cumsum(medians_of_five(np.arcsinh(y))))

    strengths = step_strengths(sums, *window)

    np.testing.assert_allclose(strengths, oracle.strengths(y, *window), atol=1e-12)


def test_strongest_steps_are_apart_and_in_order_of_strength() -> None:
    strength = np.zeros(100)
    strength[[10, 14, 50, 90]] = 3.0, 5.0, 7.0, 1.0

    assert strongest_steps(strength, 5, 0, 100, 9).tolist() == [50, 14, 90]
    assert strongest_steps(strength, 3, 0, 100, 9).tolist() == [50, 14, 10, 90]
    assert strongest_steps(strength, 5, 0, 90, 1).tolist() == [50]


def test_a_step_is_a_candidate_and_nothing_is_stronger() -> None:
    y = np.where(np.arange(1000) < 333, 2.0, 1.0) + 0.01 * np.sin(np.arange(1000.0) ** 2)
    strengths = StepStrengths.from_values(centre_by_range(as_series(y)))

    row = strengths.rows(np.array([333]))[0]

    assert 333 in strengths.tops[0]
    assert row[3:7].tolist() == [pytest.approx(1), pytest.approx(1), 0, 0]
    assert row[11] == pytest.approx(np.log(np.arcsinh(1)), abs=0.02)


def test_the_mean_nearness_about_a_candidate_weighs_others_by_their_distance() -> None:
    features = SeriesFeatures.from_values(simulate("step", n=1500).values)
    near = np.random.default_rng(1).random(features.candidates.size)

    means = features.mean_nearness(near)

    for candidate, mean in zip(features.candidates, means, strict=True):
        weights = np.exp(-2 * np.abs(features.candidates - candidate) / 40)  # half of 3,000 values
        assert mean == pytest.approx(np.average(near, weights=weights))


@pytest.mark.parametrize(
    "values",
    [
        np.full(100, 0.1),
        np.full(10, 0.1),
        np.r_[1e6, np.ones(149)],
        np.r_[-1e308, np.full(99, 1e308)],
        simulate("decay", n=137).values * 1e-300,
        np.r_[np.zeros(80), np.ones(80)],
        np.arange(31.0),
        -np.arange(7001.0),
    ],
)
def test_features_of_odd_series_are_finite_and_their_places_inside(values: Values) -> None:
    features = SeriesFeatures.from_values(as_series(values))

    assert np.isfinite(features.steps).all()
    assert (np.diff(features.candidates) > 0).all()
    assert 0 < features.candidates[0] <= features.candidates[-1] < values.size


def test_one_value_more_or_less_of_a_round_length_is_not_looked_at() -> None:
    for length in (100, 500, 1000, 3000, 10_000, 100_000):
        sizes = {looked_at(np.ones(length + step))[0].size for step in (-1, 0, 1)}

        assert len(sizes) == 1
        assert 0.98 * length <= sizes.pop() * looked_at(np.ones(length))[1] < length


@pytest.mark.parametrize("offset", [-0.5, 1.0, 1000.0])
def test_features_are_those_of_the_series_with_an_offset_to_the_bit(offset: float) -> None:
    values = simulate("decay", n=3000).values

    rows = SeriesFeatures.from_values(as_series(values)).steps
    moved_rows = SeriesFeatures.from_values(as_series(values + offset * np.median(values))).steps

    assert rows.tobytes() == moved_rows.tobytes()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.full(40, 0.1), np.zeros(40)),
        (np.r_[7.0, np.ones(99)], np.r_[1.0, np.zeros(99)]),  # the middle 96 % are equal
        (np.arange(101.0), (np.arange(101) - 75) / 96),
    ],
)
def test_values_are_distances_from_the_later_level_in_ranges(
    values: Values, expected: Values
) -> None:
    np.testing.assert_allclose(centre_by_range(as_series(values)), expected, atol=2**-21)


def test_distances_beyond_any_range_are_cut_off() -> None:
    centred = centre_by_range(as_series(np.r_[1e308, np.arange(99.0), -1e308]))

    assert centred[[0, -1]].tolist() == [2.0**30, -(2.0**30)]


def test_a_long_series_is_looked_at_by_medians_of_pieces() -> None:
    y, size = looked_at(np.arange(9000.0))

    assert size == 3
    assert y[:2].tolist() == [0.5, 2.0]  # in another unit


def test_a_distribution_never_falls() -> None:
    assert running_maximum(np.array([0.1, 0.3, 0.2, 0.5])).tolist() == [0.1, 0.3, 0.3, 0.5]


@pytest.mark.parametrize(
    ("values", "unit"), [([4.0, 2, 2, 2], 2.0), ([-3.0, 1, 0, 0], 3.0), ([0.0, 0, 0, 0], 0.0)]
)
def test_the_unit_is_the_median_of_the_second_half_or_the_largest(
    values: list[float], unit: float
) -> None:
    expected = np.array(values) / unit if unit else np.ones(4)

    assert normalised(as_series(values)).tolist() == expected.tolist()


def test_values_far_beyond_the_unit_are_cut_off() -> None:
    normalised_values = normalised(as_series([1e300, -1e300, 1e-300, 1e-300]))

    assert normalised_values.tolist() == [1e100, -1e100, 1, 1]


def test_of_two_steps_the_nearer_may_be_lower() -> None:
    strength = np.zeros(3000)
    strength[[480, 600]] = 8.0, 10.0

    assert snap_to_step(strength, 500, 0.3, 3.0, 0.0) == 600
    assert snap_to_step(strength, 500, 0.3, 3.0, 1.0) == 480


def test_too_few_places_for_a_step_leave_the_answer() -> None:
    strength = np.zeros(250)
    strength[100] = 9.0

    assert usual_strength(strength) == np.inf
    assert snap_to_step(strength, 95, 0.2, 3.0, 0.0) == 95
