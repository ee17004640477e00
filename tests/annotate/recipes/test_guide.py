"""The guide's words and worked answers are the recipes' own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from annotate.recipes import NEVER, RECIPES, Agreement, aggregate
from tests.annotate.recipes.test_jagt import answers

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "ground-truth.md"
WORKED = re.compile(r"^\| ([0-9nu, ]+) \| ([a-z-]+)[^|]* \| (\w+) \| (\w+) \|$", re.MULTILINE)


def answer_text(value: int | None) -> str:
    if value is None:
        return "undecided"
    return "never" if value == NEVER else str(value)


def test_every_recipe_parameter_and_agreement_is_explained() -> None:
    text = GUIDE.read_text(encoding="utf-8")

    assert all(f"| `{word}` |" in text for word in get_args(Agreement))
    for recipe in RECIPES.values():
        assert f"(`{recipe.slug}`" in text
        for parameter in recipe.parameters:
            bounds = f"{parameter.low} … {parameter.high}"
            cells = (parameter.default, bounds, parameter.unit, parameter.help)
            assert f"| `{parameter.name}` | {' | '.join(map(str, cells))} |" in text


def test_worked_answers_of_the_other_recipes() -> None:
    row = re.compile(r"^\| ([0-9nu, ]+) \| (\d+) \| (\w+) \| (\w+) \|$", re.MULTILINE)
    rows = row.findall(GUIDE.read_text(encoding="utf-8"))

    assert len(rows) == 7
    for text, *expected in rows:
        marks = answers(text.replace(",", ""))
        truths = [
            aggregate(slug, marks, complete=True) for slug in ("jagt", "median", "majority-cluster")
        ]
        assert [answer_text(truth.value) for truth in truths] == expected


def test_worked_answers_are_what_the_recipes_give() -> None:
    rows = WORKED.findall(GUIDE.read_text(encoding="utf-8"))

    assert len(rows) == 15
    for text, agreement, jagt, published_text in rows:
        marks = answers(text.replace(",", ""))
        truth = aggregate("jagt", marks, complete=True)
        published_answer = aggregate("jagt-published", marks, complete=True)
        assert (truth.agreement, answer_text(truth.value)) == (agreement, jagt)
        assert answer_text(published_answer.value) == published_text
