"""Noise of the last half: each reason alone, none of it, and figures against their definitions."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy.stats import kendalltau, theilslopes

from detectors.command.shape_rows import pieces, shape_row
from detectors.contract import BadSeries
from detectors.intervals.autocorrelation import correlations, integrated_time
from detectors.shapes.noise import NoiseFacts, robust_deviations, shape_and_noise, straight_trends
from detectors.shapes.series_shape import LEAST, Shape, shape_of
from detectors.shapes.shape_examples import LEVELS, example
from detectors.shapes.shape_words import noise_figures, noise_sentence, shape_figures

RANDOM = np.random.default_rng(4)
WHITE = 1 + 0.02 * RANDOM.standard_normal(2000)


def noise_facts(values: ArrayLike) -> NoiseFacts:
    return shape_and_noise(values)[1]


def autoregression(phi: float, n: int) -> np.ndarray:
    values = np.zeros(n)
    shocks = RANDOM.standard_normal(n)
    for i in range(1, n):
        values[i] = phi * values[i - 1] + shocks[i]
    return values


def test_white_noise_is_quiet() -> None:
    noise = noise_facts(WHITE)

    assert (noise.noise, noise.reasons) == ("quiet", ())
    assert noise.spread == pytest.approx(0.02, rel=0.1)
    assert abs(noise.lag_one) < 0.1
    assert noise.time < 1.5


@pytest.mark.parametrize(
    ("reason", "values"),
    [
        ("outliers", np.where(np.arange(2000) % 10 == 3, 1.5, WHITE)),
        ("dependence", 1 + 0.004 * autoregression(0.95, 2000)),
        ("drift", WHITE * np.linspace(1, 1.04, 2000)),
        ("spread", 1 + 0.2 * np.clip(RANDOM.standard_normal(2000), -3, 3)),
    ],
)
def test_each_reason_alone_makes_a_series_noisy(reason: str, values: np.ndarray) -> None:
    noise = noise_facts(values)

    assert noise.noise == "noisy"
    assert noise.reasons == (reason,)


def test_only_the_last_half_counts() -> None:
    wild_values = np.r_[1 + np.abs(RANDOM.standard_normal(1000)), WHITE[:1000]]

    assert noise_facts(wild_values).noise == "quiet"
    assert noise_facts(wild_values[::-1]).noise == "noisy"


def test_a_late_step_is_no_noise() -> None:
    assert noise_facts(np.where(np.arange(2000) < 1500, 1.5, 1.0) * WHITE).noise == "quiet"


@pytest.mark.parametrize("shape", LEVELS)
def test_rates_are_as_noisy_as_their_times(shape: Shape) -> None:
    values = example(shape)
    time, rate = noise_facts(values), noise_facts(1 / values)

    assert (rate.noise, rate.reasons) == (time.noise, time.reasons)
    assert rate.time == pytest.approx(time.time)


@pytest.mark.parametrize("n", [0, 1, 2, LEAST - 1])
def test_few_values_have_no_noise(n: int) -> None:
    assert noise_facts(np.arange(n) + 1.0).noise == ""


@pytest.mark.parametrize("value", [0.0, -1.0, 1e300])
def test_a_constant_is_quiet(value: float) -> None:
    assert noise_facts(np.full(100, value)).noise == "quiet"


def test_a_half_that_is_constant_is_quiet() -> None:
    assert noise_facts(np.r_[np.arange(100) + 1.0, np.full(100, 7.0)]).noise == "quiet"


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(BadSeries, match="finite"):
        noise_facts([np.nan] * 100)


def test_the_shape_beside_the_noise_is_the_shape_alone() -> None:
    for shape in LEVELS:
        values = example(shape, n=400)

        assert shape_and_noise(values)[0] == shape_of(values)


# --- figures ----------------------------------------------------------------------------------
@pytest.mark.parametrize("points", [RANDOM.normal(size=40), RANDOM.integers(0, 4, 40) * 1.0])
def test_the_trend_is_the_slope_of_sen_and_the_test_of_kendall(points: np.ndarray) -> None:
    ((change, p),) = straight_trends(points[None])
    time = np.arange(points.size)

    assert change == pytest.approx(theilslopes(points).slope * (points.size - 1))
    # Kendall's has no correction of continuity.
    assert p == pytest.approx(kendalltau(time, points, method="asymptotic").pvalue, abs=0.05)


def test_points_that_are_all_equal_have_no_trend() -> None:
    assert straight_trends(np.ones((1, 20))) == [(0.0, 1.0)]


def test_the_deviation_of_mostly_equal_values_rests_on_the_mean_distance() -> None:
    distances = np.r_[np.zeros(90), np.ones(10)]

    assert robust_deviations(distances[None]) == pytest.approx([0.1253314])


def test_the_integrated_time_of_an_autoregression_is_that_of_its_formula() -> None:
    values = autoregression(0.8, 200_000)

    assert integrated_time(correlations(values, 1000)) == pytest.approx(1.8 / 0.2, rel=0.05)
    assert integrated_time(np.array([1.0, -0.5, 0.0])) == 1.0


# --- words ------------------------------------------------------------------------------------
@pytest.mark.parametrize("shape", LEVELS)
def test_every_number_is_said_beside_its_limit(shape: Shape) -> None:
    shape_facts, noise = shape_and_noise(example(shape))
    names = [figure.name for figure in shape_figures(shape_facts)]

    assert names[0] == "Best model of the level"
    assert "Spikes" in names
    assert len(noise_figures(noise)) == 5
    assert noise_sentence(noise).startswith(noise.noise)


@pytest.mark.parametrize(("n", "name"), [(0, "Values"), (LEAST, "Values")])
def test_what_has_no_numbers_says_why(n: int, name: str) -> None:
    shape_facts, _ = shape_and_noise(np.ones(n))

    assert [figure.name for figure in shape_figures(shape_facts)] == [name]


def test_rows_are_a_table_a_file_or_json() -> None:
    rows = [shape_row("a.csv", name, example("spikes")) for name in ("one", "two")]
    table, csv, lines = ("".join(pieces(rows, form)) for form in ("table", "csv", "jsonl"))

    assert table.splitlines()[1].split() == ["one", "3,000", "spikes", "quiet"]
    assert csv.splitlines()[2] == "a.csv,two,3000,spikes,spikes,quiet,"
    assert json.loads(lines.splitlines()[0])["numbers"]["outliers"] < 0.05
