"""Differences of figures, distances of distributions and other forks, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.contract import Values, as_series
from detectors.methods.plateau import Plateau
from detectors.panel.panel_grid import GRID
from detectors.panel.panel_models import SHIPPED, models_named
from detectors.panel.series_features import SeriesFeatures
from detectors.simulated.synthetic import simulate
from detectors.training.labels.panel_answers import PanelAnswers, ShownSeries
from detectors.training.panel import PanelFeatures
from evidence.replication.plateau_ablations import (
    CALIBRATIONS,
    blank_columns,
    blended_answers,
    calibrated_odds,
    differences,
    distances,
    steady_odds,
)
from tests.detectors.training.test_plateau import panel


def mean(values: Values) -> float:
    return float(values.mean())


def test_a_difference_is_of_the_same_systems_and_draws_whole_ones() -> None:
    errors = np.array([10.0, 20.0, 30.0, 40.0])
    systems = np.array(["a", "a", "b", "b"])

    assert differences(errors + 5, errors, systems, mean).tolist() == [5, 5]
    bounds = differences(errors + np.array([8, 8, 0, 0]), errors, systems, mean)
    assert bounds.tolist() == [0, 8]  # both systems drawn from one


def test_a_certain_distribution_is_as_far_off_as_its_place() -> None:
    start = float(GRID[40])
    certain_cdf = (GRID[None] >= start) * 1.0

    right_distance, late_distance = distances(
        np.repeat(certain_cdf, 2, axis=0), np.array([start, GRID[45]])
    ).tolist()

    assert right_distance == 0
    assert late_distance == pytest.approx(GRID[45] - start, rel=0.1)


def test_columns_that_are_taken_away_hold_nothing_and_others_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("detectors.training.plain.LENGTHS", (300,))
    features = PanelFeatures.from_panel(panel(10))

    reduced_features = blank_columns(features, (13, 38))

    assert not reduced_features.rows[:, :, 13:38].any()
    assert not reduced_features.shown_rows[:, :, 13:38].any()
    assert (reduced_features.rows[:, :, 38:] == features.rows[:, :, 38:]).all()
    assert features.rows[:, :, 13:38].any()


def test_without_a_share_another_fork_changes_nothing() -> None:
    method = Plateau(chance=0.0)
    values = as_series(simulate("step", seed=3, n=300).values)
    reading = method.read(SeriesFeatures.from_values(values), models_named(SHIPPED).whole)
    late_distribution = np.where(GRID >= 2800, 1.0, 0.0)

    lone_answer, shared_answer = (
        blended_answers([reading], [late_distribution], share, method.params.worth)
        for share in (0.0, 0.9)
    )

    assert lone_answer.tolist() == [reading.start]
    assert shared_answer[0] > lone_answer[0]


def labelled_panel() -> PanelAnswers:
    """Three systems, each with 30 series that are called steady and 30 that drift."""
    shown_series = [
        ShownSeries(f"system {number}", simulate(kind, seed=seed, n=200).values, (), kind == "step")
        for number in range(3)
        for kind in ("step", "drift")
        for seed in range(30 * number, 30 * number + 30)
    ]
    return replace(panel(12), shown=shown_series)


def test_odds_are_mended_by_the_training_systems_of_each_fold() -> None:
    features = PanelFeatures.from_panel(labelled_panel())

    odds_by_calibration = calibrated_odds(features, None)
    raw_odds = steady_odds(features, None)

    assert odds_by_calibration.keys() == CALIBRATIONS.keys()
    odds_factors = odds_by_calibration["odds count more, as fitted"] / raw_odds
    assert 1 < len(set(odds_factors.round(9).tolist())) <= 3  # one number a fold
    assert (np.abs(odds_by_calibration["isotonic"]) <= np.log(49) + 1e-9).all()
