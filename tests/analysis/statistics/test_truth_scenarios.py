"""Scenarios of a small campaign, and who beats whom in them."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics.answers import NEVER, Answers
from analysis.statistics.comparison import compare
from analysis.statistics.truth_scenarios import (
    EPS,
    MIN_SAMPLES,
    RELIABILITY,
    Scenario,
    ScenarioPlacing,
    ScenarioRanking,
    make_scenarios,
    recipe_settings,
    resample_count,
    scenario_duels,
    scenario_placings,
    scenario_ranking,
    vote_matrix,
    without_each,
)
from annotate.recipes import RecipeMark, aggregate, get

PARAMS = get("jagt").clean()
NAN = float("nan")


def drawn_answers(series_count: int = 12, person_count: int = 5) -> dict[str, Answers]:
    generator = np.random.default_rng(5)
    votes = generator.integers(0, 300, (series_count, person_count)).astype(float)
    votes[generator.random(votes.shape) < 0.2] = NEVER
    is_given = generator.random(votes.shape) > 0.05
    return {
        f"a{person_index + 1}": Answers.from_arrays(
            votes[:, person_index], is_given[:, person_index]
        )
        for person_index in range(person_count)
    }


def test_every_combination_is_there_once() -> None:
    scenarios = make_scenarios(drawn_answers(), "jagt", PARAMS, times=7)

    families = [scenario.family for scenario in scenarios.scenarios]
    settings_count = 3 * len(EPS) * len(MIN_SAMPLES) + 2
    assert families.count("settings") == settings_count == len(list(recipe_settings("")))
    assert families.count("without") == settings_count * 5
    assert families.count("resampled") == 7
    assert len(set(scenarios.scenarios)) == len(scenarios.scenarios) == len(scenarios.starts)
    assert scenarios.own == Scenario("settings", "jagt", 50, 3)
    assert {RELIABILITY, "median"} <= {
        scenario.recipe for scenario in scenarios.scenarios if scenario.eps is None
    }


def test_a_scenario_is_what_the_recipe_makes_of_its_marks() -> None:
    people = drawn_answers()
    scenarios = make_scenarios(people, "jagt", PARAMS, times=1)

    scenario = Scenario("without", "majority-cluster", 30, 2, "a2")
    starts = scenarios.starts[scenarios.scenarios.index(scenario)]

    for position, start in enumerate(starts):
        marks = [
            RecipeMark(name, "never") if value == NEVER else RecipeMark(name, "steady", int(value))
            for name, answers in people.items()
            if name != "a2" and (value := answers.value(position)) is not None
        ]
        truth = aggregate("majority-cluster", marks, {"eps": 30, "min_samples": 2}, complete=True)
        assert (None if np.isnan(start) else start) == truth.value


def test_settings_of_a_campaign_that_no_scenario_has_come_first() -> None:
    scenarios = make_scenarios(drawn_answers(), "jagt", {"eps": 77, "min_samples": 3}, times=1)

    assert scenarios.scenarios[0] == scenarios.own == Scenario("settings", "jagt", 77, 3)
    assert scenarios.scenarios[-1] == Scenario("resampled", "jagt", 77, 3, draw=0)


def test_resamples_by_another_recipe_take_its_defaults() -> None:
    scenarios = make_scenarios(
        drawn_answers(), "jagt", {"eps": 77, "min_samples": 3}, times=2, drawn_recipe="median"
    )

    assert scenarios.scenarios[-1] == Scenario("resampled", "median", draw=1)


def test_without_each_person() -> None:
    people = drawn_answers()
    scenarios = make_scenarios(people, "jagt", PARAMS, times=1)

    starts_without = dict(without_each(people, "jagt", PARAMS, list(people)))

    for name, starts in starts_without.items():
        scenario_index = scenarios.scenarios.index(Scenario("without", "jagt", 50, 3, name))
        assert np.array_equal(starts, scenarios.starts[scenario_index], equal_nan=True)
    assert list(starts_without) == list(people)


def test_one_person_leaves_nobody_out() -> None:
    scenarios = make_scenarios(drawn_answers(person_count=1), "jagt", PARAMS, times=3)

    assert not scenarios.family_mask("without").any()
    assert scenarios.family_mask("resampled").sum() == 3
    assert scenarios.family_mask(None).all()


METHODS = {
    "near": Answers.from_list([10, 20, 30, NEVER, 50]),
    "far": Answers.from_list([13, 28, 10, 40, 50]),
    "silent": Answers.from_list([None] * 5),
}
STARTS = np.array([[10, 20, 30, 40, 50], [13, 28, 10, NEVER, 50], [NEVER, NAN, NAN, NEVER, NAN]])


@pytest.mark.usefixtures("few_rank")
def test_ranks_are_on_common_series() -> None:
    ranking = scenario_ranking(METHODS, STARTS, deciding_names=("near", "far"))

    assert ranking.n.tolist() == [[4, 4, 0], [4, 4, 0], [0, 0, 0]]
    assert ranking.figures[:2, :2].tolist() == [[0, 5.5], [5.5, 0]]
    assert np.isnan(ranking.figures[2]).all()
    assert np.isnan(ranking.figures[:, 2]).all()
    assert ranking.ranks.tolist() == [[1, 2, 0], [2, 1, 0], [0, 0, 0]]


def test_means_and_own_series() -> None:
    ranking = scenario_ranking(METHODS, STARTS, deciding_names=None, figure="mean_abs")

    assert ranking.n[0].tolist() == [4, 5, 0]
    assert ranking.figures[0, :2].tolist() == [0, 31 / 5]
    with pytest.raises(KeyError):
        scenario_ranking(METHODS, STARTS, deciding_names=("unknown",))


def test_figures_are_those_of_the_comparison() -> None:
    people = drawn_answers(40)
    scenarios = make_scenarios(people, "jagt", PARAMS, times=1)
    rng = np.random.default_rng(8)
    methods = {name: Answers.from_arrays(rng.integers(-1, 250, 40)) for name in ("p", "q", "r")}
    truth = Answers.from_list(
        [None if np.isnan(own_start) else own_start for own_start in scenarios.own_starts]
    )

    table = compare(methods, truth, tolerance=10)
    own_index = scenarios.scenarios.index(scenarios.own)

    for figure in ("median_abs", "mean_abs"):
        ranking = scenario_ranking(
            methods, scenarios.starts, deciding_names=tuple(methods), figure=figure
        )
        rows = table.rows.values()
        expected_figures = [row[figure] for row in rows]
        assert ranking.figures[own_index].tolist() == pytest.approx(expected_figures)
        assert ranking.n[own_index].tolist() == [row["n"] for row in rows]


@pytest.mark.usefixtures("few_rank")
def test_placings_and_duels_count_scenarios() -> None:
    ranking = scenario_ranking(METHODS, STARTS, deciding_names=("near", "far"))
    full_mask = np.ones(3, np.bool_)

    assert scenario_placings(ranking, full_mask) == (
        ScenarioPlacing("near", 2, 1, 1, 1.5, 2),
        ScenarioPlacing("far", 2, 1, 1, 1.5, 2),
        ScenarioPlacing("silent", 0, 0, None, None, None),
    )
    duels = scenario_duels(ranking, full_mask)
    assert (duels.share(0, 1), duels.share(1, 0), duels.count_together(0, 1)) == (0.5, 0.5, 2)
    assert duels.share(0, 2) is None
    assert scenario_placings(ranking, full_mask)[0].first_share == 0.5


@pytest.mark.usefixtures("few_rank")
def test_equal_methods_tie() -> None:
    equal_methods = {"p": METHODS["far"], "q": METHODS["far"]}
    ranking = scenario_ranking(equal_methods, STARTS, deciding_names=("p", "q"))

    duels = scenario_duels(ranking, np.ones(3, np.bool_))

    assert ranking.ranks[0].tolist() == [1, 1]
    assert (duels.share(0, 1), int(duels.ties[0, 1])) == (0.0, 2)


def test_many_series_and_methods_get_fewer_resamples() -> None:
    assert resample_count(586, 26, 5) == 1000
    assert 50 <= resample_count(5860, 30, 5) < 1000
    assert resample_count(100_000, 30, 5) == 50
    assert vote_matrix([]).size == 0


def test_a_placing_counts_first_places_of_scenarios_with_a_rank() -> None:
    ranks = np.array([[1], [3], [0], [1], [1], [2]])
    ranking = ScenarioRanking(("a",), np.zeros((6, 1)), ranks, np.ones((6, 1), np.int64))

    [placing] = scenario_placings(ranking, np.ones(6, np.bool_))

    assert placing == ScenarioPlacing("a", 5, 3, 1, 1.0, 3)
