"""Changes of level on which people agree: hand-worked cases."""

from __future__ import annotations

import pytest

from annotate.recipes.agreed_changes import AgreedChange, agreed_changes, rule_sentence
from annotate.recipes.parameters import RecipeParameterError


def test_each_cluster_of_enough_people_is_a_change() -> None:
    answers = {"a1": [100, 500], "a2": [104, 520], "a3": [98], "a4": [90, 510, 900], "a5": []}

    assert agreed_changes(answers) == (
        AgreedChange(100, ("a1", "a2", "a3", "a4"), 90, 104),
        AgreedChange(510, ("a1", "a2", "a4"), 500, 520),
    )


def test_several_marks_of_one_person_are_one_voice() -> None:
    answers = {"a1": [100, 110, 120], "a2": [115]}

    assert agreed_changes(answers) == ()
    (change,) = agreed_changes(answers, {"min_samples": 2})
    assert (change.people, change.position) == (("a1", "a2"), 115)  # the third of four


@pytest.mark.parametrize("answers", [{}, {"a1": []}, {"a1": [], "a2": [], "a3": []}, {"a1": [7]}])
def test_without_marks_of_enough_people_nothing_changes(answers: dict[str, list[int]]) -> None:
    assert agreed_changes(answers) == ()


def test_parameters_decide_what_is_close() -> None:
    answers = {"a1": [100], "a2": [110], "a3": [120]}

    assert [change.position for change in agreed_changes(answers, {"eps": 10})] == [110]
    assert agreed_changes(answers, {"eps": 9}) == ()
    assert "9 iterations" in rule_sentence({"eps": 9})
    with pytest.raises(RecipeParameterError):
        agreed_changes(answers, {"penalty": 3})
