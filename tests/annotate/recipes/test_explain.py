"""The sentence beside a ground truth, to the letter."""

from __future__ import annotations

import pytest

from annotate.recipes import RecipeMark, annotator_order, explain
from tests.annotate.recipes.test_jagt import answers

SET = "(eps 50, min_samples 3)"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "318 320 322 322 340",
            f"Marks 318, 320, 322, 322, 340 · cluster of 5 {SET} · middle one → 322.",
        ),
        ("8 7 736 6 7", f"Marks 6, 7, 7, 8, 736 · cluster of 4 {SET} · third by value → 7."),
        (
            "1 1000 2000 2500 2990",
            f"Marks 1, 1000, 2000, 2500, 2990 · no cluster {SET} · middle one of all → 2000.",
        ),
        (
            "10 20 30 500 510 520",
            (
                f"Marks 10, 20, 30, 500, 510, 520 · 2 clusters {SET}, "
                "the last of the largest: cluster of 3 · middle one → 510."
            ),
        ),
        (
            "10 20 30 500 510 520 530",
            (
                f"Marks 10, 20, 30, 500, 510, 520, 530 · 2 clusters {SET}, "
                "the largest: cluster of 4 · third by value → 520."
            ),
        ),
        (
            "n n 10 60 110",
            f"Marks 10, 60, 110 · 2 of 5 say never · cluster of 3 {SET} · middle one → 60.",
        ),
        (
            "u n u 10 60",
            (
                "Marks 10, 60 · 2 unclear · 1 of 3 say never · "
                f"no cluster {SET} · second by value of all → 60."
            ),
        ),
        ("7 u u u u", f"Mark 7 · 4 unclear · no cluster {SET} · the only one → 7."),
        ("n n n n u", "1 unclear · 4 of 4 say never · never steady."),
        ("n n n 10 20", "Marks 10, 20 · 3 of 5 say never · never steady."),
        ("n n 10 60 u", "Marks 10, 60 · 1 unclear · 2 of 4 say never, exactly half · undecided."),
        ("u u", "2 unclear · nobody voted · undecided."),
        ("", "Nobody voted · undecided."),
    ],
)
def test_jagt_explains_its_answer(text: str, sentence: str) -> None:
    assert explain("jagt", answers(text), complete=True) == sentence


def test_the_published_recipe_says_whose_mark_it_takes() -> None:
    assert explain("jagt-published", answers("8 7 736 6 7"), complete=True) == (
        f"Marks 6, 7, 7, 8, 736 · cluster of 4 {SET} · third in the order of the annotators → 6."
    )


def test_two_clustered_marks_give_the_whole_part_of_their_median() -> None:
    marks = answers("10 21 500 1000 2000")

    assert explain("jagt-published", marks, {"min_samples": 2}, complete=True).endswith(
        "cluster of 2 (eps 50, min_samples 2) · whole part of the median → 15."
    )


@pytest.mark.parametrize(
    ("recipe", "text", "sentence"),
    [
        (
            "median",
            "100 150 200 900 1500",
            f"Marks 100, 150, 200, 900, 1500 · cluster of 3 {SET} · middle one of all → 200.",
        ),
        (
            "majority-cluster",
            "100 150 201 900 1500",
            (f"Marks 100, 150, 201, 900, 1500 · no cluster of more than half {SET} · undecided."),
        ),
        (
            "majority-cluster",
            "100 150 200 900 1500",
            f"Marks 100, 150, 200, 900, 1500 · cluster of 3 {SET} · middle one → 150.",
        ),
    ],
)
def test_the_other_recipes_say_what_they_take(recipe: str, text: str, sentence: str) -> None:
    assert explain(recipe, answers(text), complete=True) == sentence


def test_a_large_even_cluster_is_counted_in_figures() -> None:
    assert explain("jagt", answers(" ".join(["5"] * 20)), complete=True).endswith(
        "number 11 by value → 5."
    )


def test_a_provisional_answer_begins_with_so_far() -> None:
    assert explain("jagt", answers("n"), complete=False) == (
        "So far · 1 of 1 say never · never steady."
    )


def test_annotators_stand_in_natural_order() -> None:
    assert sorted(["a10", "B2", "a2", "A1", "7", "a"], key=annotator_order) == [
        "7",
        "a",
        "A1",
        "a2",
        "a10",
        "B2",
    ]


def test_the_middle_of_several_marks_is_said_to_be_of_all() -> None:
    marks = [RecipeMark("a1", "steady", 10), RecipeMark("a2", "steady", 90)]

    one_explanation, text_of_two = (explain("median", marks[:n], complete=True) for n in (1, 2))

    assert "of all" in text_of_two
    assert "of all" not in one_explanation
