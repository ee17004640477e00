"""Objectives of a tuning: the figures of the comparison table, for many sets at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from analysis.statistics.answers import Answers
from analysis.statistics.comparison import compare
from analysis.statistics.tuning_objectives import (
    OBJECTIVES,
    Objective,
    ObjectiveFigures,
    TuningValidation,
    cross_validated,
    figures,
    figures_of_set,
    held_out_systems,
    pareto_front,
    score,
    set_scales,
)
from detectors.parameter_sets.evaluation import NO_ANSWER, Table

tables = arrays(np.int32, st.tuples(st.integers(1, 6), st.just(8)), elements=st.integers(-2, 9))
truths = st.lists(st.one_of(st.none(), st.integers(-1, 9)), min_size=8, max_size=8)


@settings(max_examples=50)
@given(tables, truths)
def test_figures_are_those_of_the_comparison_table(
    table: Table, known_starts: list[int | None]
) -> None:
    truth = Answers.from_list(known_starts)

    set_figures = figures(table, truth)

    for set_index, answers in enumerate(table):
        assert figures_of_set(set_figures, set_index) == pytest.approx(
            table_figures(answers, truth), nan_ok=True
        )


def table_figures(set_answers: Table, truth: Answers) -> dict[str, float]:
    method = Answers.from_arrays(set_answers, set_answers != NO_ANSWER)
    figures = compare({"m": method}, truth, tolerance=1, common=False).rows["m"]
    cells: dict[str, Any] = {key: np.nan if cell is None else cell for key, cell in figures.items()}
    return {
        "n": cells["n"],
        "answers": cells["n_yes_no"],
        "manhattan": cells["manhattan"] if cells["n"] else np.nan,
        "fp": cells["fp"],
        "fn": cells["fn"],
        "bias": abs(cells["mean_error"]),
        "variance": cells["sd_error"] ** 2,
        "mean_abs": cells["mean_abs"],
        "median_abs": cells["median_abs"],
        "machine_time": np.nan,
        "result_error": np.nan,
    }


TRUTH = Answers.from_list([10, 10, -1, 30])
TABLE = np.array([[10, 14, 5, 30], [12, -1, -1, 36], [-1, -1, -1, -1]], np.int32)


def test_figures_worked_by_hand() -> None:
    set_figures = figures(TABLE, TRUTH)

    assert set_figures["manhattan"].tolist()[:2] == [4, 8]
    assert set_figures["fp"].tolist() == [1, 0, 0]
    assert set_figures["fn"].tolist() == [0, 1, 3]
    assert set_figures["median_abs"].tolist()[:2] == [0, 4]
    assert set_figures["variance"].tolist()[:2] == pytest.approx([32 / 9, 4])
    assert np.isnan(set_figures["mean_abs"][2])


def test_some_series_only() -> None:
    rows = np.array([True, False, True, False])

    assert figures(TABLE, TRUTH, rows)["manhattan"].tolist()[:2] == [0, 2]


def test_scales_make_one_of_each_objective_of_the_set_that_they_are_taken_from() -> None:
    set_figures = figures(TABLE, TRUTH)
    scales = set_scales(set_figures, 1)

    assert score(set_figures, {"manhattan": 1.0, "fn": 1.0}, scales).tolist() == [0.5, 2.0, np.inf]
    assert scales["fp"] == 1.0  # there are none: one is counted as one


def test_a_set_without_any_error_to_judge_is_the_worst() -> None:
    assert score(figures(TABLE, TRUTH), {"mean_abs": 2.0}).tolist() == [8 / 3, 8.0, np.inf]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"speed": 1.0}, "^objectives: found speed, expected some of: manhattan, fp, "),
        ({}, "^objectives: found none"),
        ({"fp": -1.0}, "^weights: found .*, expected none below 0"),
        ({"fp": 0.0}, "^weights: found .*, expected none below 0 and at least one above"),
    ],
)
def test_weights_that_say_nothing_are_refused(weights: dict[Any, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score(figures(TABLE, TRUTH), weights)


def partial_figures(**columns: Sequence[float]) -> ObjectiveFigures:
    """Figures of which only some are said."""
    k = len(next(iter(columns.values())))
    names = ("n", "answers", *OBJECTIVES)
    return {name: np.array(columns.get(name, [0.0] * k), dtype=np.float64) for name in names}


def test_the_front_by_hand() -> None:
    set_figures = partial_figures(fp=[3, 1, 2, 1, 2, 0], mean_abs=[1, 4, 2, 4, 3, np.nan])

    assert pareto_front(set_figures, ["fp", "mean_abs"]).tolist() == [1, 3, 2, 0]


def test_of_sets_within_a_limit_none_is_beaten_by_one_beyond_it() -> None:
    set_figures = partial_figures(fp=[3, 1, 2], mean_abs=[3, 1, 2], result_error=[1.0, 5.0, np.nan])

    assert pareto_front(set_figures, ["fp", "mean_abs"]).tolist() == [1]
    assert pareto_front(set_figures, ["fp", "mean_abs"], 1.0).tolist() == [0]
    assert pareto_front(set_figures, ["fp", "mean_abs"], 0.5).tolist() == []


@settings(max_examples=50)
@given(arrays(np.float64, st.tuples(st.integers(1, 12), st.just(3)), elements=st.integers(0, 4)))
def test_the_front_is_what_no_other_beats(points: Any) -> None:
    names: list[Objective] = ["fp", "fn", "bias"]
    set_figures = partial_figures(
        **{name: points[:, figure_index] for figure_index, name in enumerate(names)}
    )

    front = set(pareto_front(set_figures, names).tolist())

    beaten_sets = {
        set_index
        for set_index, point in enumerate(points)
        if any((rival <= point).all() and (rival < point).any() for rival in points)
    }
    assert front == set(range(len(points))) - beaten_sets


GROUPS = ("a", "a", "b", "b", "c", "c")


def tuning_validation(
    table: Any, truth: Answers, weights: dict[Objective, float], **options: Any
) -> TuningValidation:
    parts = held_out_systems(table, truth, GROUPS, folds=options.pop("folds"))
    return cross_validated(table, truth, figures(table, truth), parts, weights, **options)


def test_a_system_is_answered_by_the_set_that_the_others_choose() -> None:
    """Set 0 is right on a, set 1 on b, set 2 is 2 off on all; c likes none of the first two."""
    truth = Answers.from_list([10] * 6)
    table = np.array([[10, 10, 20, 20, 16, 16], [20, 20, 10, 10, 16, 16], [12] * 6], np.int32)

    validation = tuning_validation(table, truth, {"mean_abs": 1.0}, baseline=0, folds=3)

    assert [fold.held_out for fold in sorted(validation.folds, key=lambda f: f.held_out)] == [
        ("a",), ("b",), ("c",),
    ]  # fmt: skip
    assert validation.best == 2
    assert validation.answers.tolist() == [12] * 6
    assert validation.figures["mean_abs"] == 2.0
    assert validation.baseline_figures is not None
    assert validation.baseline_figures["mean_abs"] == pytest.approx(16 / 3)
    assert validation.score == pytest.approx(2 / (16 / 3))
    assert validation.baseline_score == 1.0


def test_what_is_tuned_on_itself_promises_too_much() -> None:
    """Each set is perfect on one system and far off elsewhere: the others mislead."""
    truth = Answers.from_list([10] * 6)
    table = np.full((3, 6), 100, np.int32)
    for system in range(3):
        table[system, 2 * system : 2 * system + 2] = 10 + 10 * (system > 0)

    validation = tuning_validation(table, truth, {"mean_abs": 1.0}, folds=3)

    assert (validation.best, validation.optimistic) == (0, 60.0)
    assert validation.score > validation.optimistic
    assert validation.baseline_score is None


def test_series_without_an_answer_of_the_yardstick_are_in_no_fold() -> None:
    truth = Answers.from_list([10, 10, 10, 10, None, None])
    table = np.full((1, 6), 12, np.int32)

    validation = tuning_validation(table, truth, {"fn": 1.0}, folds=6)

    assert [fold.held_out for fold in validation.folds] in ([("a",), ("b",)], [("b",), ("a",)])
    assert validation.answers.tolist() == [12, 12, 12, 12, NO_ANSWER, NO_ANSWER]


def test_one_system_cannot_be_held_out() -> None:
    with pytest.raises(ValueError, match=r"^systems: found 1, expected at least 2"):
        held_out_systems(TABLE, TRUTH, ["a"] * 4)
