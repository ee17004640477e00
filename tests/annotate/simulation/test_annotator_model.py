"""The model of five annotators: its numbers are those of the fit, its answers those of a series."""

from __future__ import annotations

import numpy as np
import pytest

from annotate.simulation import annotator_model as model
from annotate.simulation.annotator_model import AnnotatorHabits
from detectors.contract import NEVER
from detectors.simulated.synthetic import simulate
from evidence.replication import annotator_habits as fit

SURE = (AnnotatorHabits(careful=1.0, bias=0.0),) * 2


def test_the_numbers_are_those_that_the_fit_gives() -> None:
    habits = fit.fit_habits()

    assert (habits.people, habits.spread) == (model.PEOPLE, model.SPREAD)
    assert fit.never_shares() == (model.NEVER_IF_LEVEL, model.NEVER_IF_LATE)
    assert fit.misclicks() == model.MISCLICKS


def test_the_fit_is_near_to_what_was_published() -> None:
    trial_result = fit.trial(model.PEOPLE, model.SPREAD)

    assert trial_result.clustered == pytest.approx(fit.CLUSTERED / fit.SERIES, abs=0.05)
    assert trial_result.quartiles[1] == pytest.approx(fit.QUARTILES[1], rel=0.1)
    assert np.argsort(trial_result.medians).tolist() == np.argsort(fit.MEDIANS).tolist()


@pytest.mark.parametrize("seed", range(3))
def test_a_step_is_level_from_where_it_falls(seed: int) -> None:
    simulation = simulate("step", n=1500, seed=seed)

    assert abs(model.level_from(simulation.values) - simulation.steady_start) <= model.MEDIAN_OF


@pytest.mark.parametrize(
    "values", [np.linspace(2.0, 1.0, 900), np.r_[np.full(700, 2.0), np.ones(200)]]
)
def test_a_series_that_changes_in_its_last_third_is_never_level(values: np.ndarray) -> None:
    assert model.level_from(values) == NEVER


@pytest.mark.parametrize("n", [0, 1, 2, 99])
def test_too_few_values_are_never_level(n: int) -> None:
    assert model.level_from(np.ones(n)) == NEVER


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9])
def test_a_constant_is_level_at_once_in_any_unit(scale: float) -> None:
    assert model.level_from(np.full(100, scale)) == 0


def test_a_spike_is_forgiven() -> None:
    values = np.ones(900)
    values[700:710] = 50.0

    assert model.level_from(values) == 0


def test_answers_are_iterations_of_the_series_or_never() -> None:
    for seed in range(50):
        simulated_answers = model.simulated_answers(np.ones(40), np.random.default_rng(seed))
        assert len(simulated_answers) == len(model.PEOPLE)
        assert all(answer == NEVER or 0 <= answer < 40 for answer in simulated_answers)


def test_whoever_marks_with_care_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "MISCLICKS", 0.0)
    drawn_marks = model.simulated_marks(np.full(500, 300), 3000, np.random.default_rng(0), SURE)

    assert drawn_marks.std() == pytest.approx(model.CAREFUL_SPREAD, rel=0.1)
    assert drawn_marks.mean() == pytest.approx(300, abs=2)
