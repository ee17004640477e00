"""Recipes by name, and the two questions that the application asks of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from annotate.recipes import jagt, jagt_published, majority_cluster, median
from annotate.recipes.contract import Recipe, RecipeAnswer, RecipeMark
from annotate.recipes.votes import ExplainedAnswer, judge

DEFAULT: Final = jagt.RECIPE.slug

RECIPES: Final[Mapping[str, Recipe]] = MappingProxyType(
    {
        recipe.slug: recipe
        for recipe in (jagt.RECIPE, jagt_published.RECIPE, median.RECIPE, majority_cluster.RECIPE)
    }
)


class UnknownRecipe(LookupError):
    """No recipe has this name."""


def get(slug: str) -> Recipe:
    try:
        return RECIPES[slug]
    except KeyError:
        raise UnknownRecipe(f"no recipe {slug!r}; there are: {', '.join(RECIPES)}") from None


def reason(
    slug: str,
    marks: Sequence[RecipeMark],
    params: Mapping[str, object] | None = None,
    *,
    complete: bool,
) -> ExplainedAnswer:
    """Ground truth of one series and the sentence that explains it, in one go.

    `marks` holds each annotator's latest answer. `complete` is false while somebody has yet to
    answer and the campaign is open; the answer is then provisional.
    Raises UnknownRecipe and ParameterError.
    """
    recipe = get(slug)
    return judge(recipe, marks, recipe.clean(params), complete=complete)


def aggregate(
    slug: str,
    marks: Sequence[RecipeMark],
    params: Mapping[str, object] | None = None,
    *,
    complete: bool,
) -> RecipeAnswer:
    """Ground truth of one series: `reason` without the sentence."""
    return reason(slug, marks, params, complete=complete).truth


def explain(
    slug: str,
    marks: Sequence[RecipeMark],
    params: Mapping[str, object] | None = None,
    *,
    complete: bool,
) -> str:
    """The sentence alone: ``Marks 318, 320, 322 · cluster of 3 (…) · middle one → 320.``"""
    return reason(slug, marks, params, complete=complete).sentence
