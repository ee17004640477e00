"""Recipes over arrays give what recipes give one by one, for every kind of row."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings as hypothesis_settings, strategies as st

from annotate.recipes import NEVER, RECIPES, RecipeAnswer, RecipeMark, aggregate, get
from annotate.recipes.vectorised import RULES, RecipeAnswers, ground_truths_of, votes_of

PEOPLE = [f"a{place}" for place in range(1, 8)]
votes = st.one_of(st.integers(0, 60), st.sampled_from([NEVER, None]))
rows = st.lists(st.lists(votes, min_size=7, max_size=7), min_size=1, max_size=6)
params = st.fixed_dictionaries({"eps": st.integers(1, 20), "min_samples": st.integers(1, 5)})


def marks(row: list[int | None]) -> list[RecipeMark]:
    return [
        RecipeMark(name, "never") if answer == NEVER else RecipeMark(name, "steady", answer)
        for name, answer in zip(PEOPLE, row, strict=False)
        if answer is not None
    ]


def assert_same(recipe_answers: RecipeAnswers, row_index: int, truth: RecipeAnswer) -> None:
    start = (
        None if np.isnan(recipe_answers.start[row_index]) else int(recipe_answers.start[row_index])
    )
    assert start == truth.value
    assert recipe_answers.clustered[row_index] == (truth.agreement == "clustered")
    assert recipe_answers.members[row_index] == len(truth.cluster)


def test_every_recipe_has_a_rule_for_arrays() -> None:
    assert set(RULES) == set(RECIPES)


@pytest.mark.parametrize("recipe", RECIPES)
@hypothesis_settings(max_examples=40)
@given(vote_table=rows, chosen_params=params)
def test_rows_get_what_their_marks_get(
    recipe: str, vote_table: list[list[int | None]], chosen_params: dict[str, int]
) -> None:
    rows_of_marks = [marks(row) for row in vote_table]

    ground_truths = ground_truths_of(recipe, votes_of(rows_of_marks, PEOPLE), chosen_params)

    for row_index, row in enumerate(rows_of_marks):
        assert_same(ground_truths, row_index, aggregate(recipe, row, chosen_params, complete=True))


@pytest.mark.parametrize(("recipe", "min_samples"), list(product(RECIPES, (2, 3))))
def test_every_arrangement_of_five_close_marks(recipe: str, min_samples: int) -> None:
    """All 3,125 orders of five marks on five places, neighbours and not: borders, ties, chains."""
    indices = (0, 10, 20, 25, 41)
    grid = np.array(list(product(indices, repeat=5)), dtype=np.float64)
    chosen_params = get(recipe).clean({"eps": 15, "min_samples": min_samples})

    ground_truths = ground_truths_of(recipe, grid, chosen_params)

    for row_index in range(0, len(grid), 41):  # every 41st: scikit-learn takes a while for all
        row = marks([int(value) for value in grid[row_index]])
        assert_same(ground_truths, row_index, aggregate(recipe, row, chosen_params, complete=True))


def test_parts_of_a_large_table_make_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_votes = np.random.default_rng(1).integers(0, 200, (40, 5)).astype(float)
    ground_truths = ground_truths_of("jagt", drawn_votes, get("jagt").clean())

    monkeypatch.setattr("annotate.recipes.vectorised.CELLS_AT_A_TIME", 100)
    part_truths = ground_truths_of("jagt", drawn_votes, get("jagt").clean())

    assert part_truths.start.tolist() == ground_truths.start.tolist()
    assert part_truths.members.tolist() == ground_truths.members.tolist()


def test_no_rows_give_no_answers() -> None:
    assert ground_truths_of("jagt", np.empty((0, 5)), get("jagt").clean()).start.size == 0


def test_two_of_five_marks_that_lie_together_have_the_whole_part_of_their_mean() -> None:
    row: list[int | None] = [500, 13, 900, 10, 1500]
    chosen_params = get("jagt-published").clean({"eps": 50, "min_samples": 2})

    ground_truths = ground_truths_of(
        "jagt-published", votes_of([marks(row)], PEOPLE[:5]), chosen_params
    )

    assert (ground_truths.start.tolist(), ground_truths.members.tolist()) == ([11], [2])
    assert_same(
        ground_truths, 0, aggregate("jagt-published", marks(row), chosen_params, complete=True)
    )
