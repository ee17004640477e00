"""Recipes: from the marks of several people to one ground truth. Pure; imports no Django."""

from __future__ import annotations

from annotate.recipes.clusters import preload
from annotate.recipes.contract import (
    NEVER,
    Agreement,
    Answer,
    Kind,
    Recipe,
    RecipeAnswer,
    RecipeMark,
    annotator_order,
    marks_digest,
)
from annotate.recipes.parameters import RecipeParameter, RecipeParameterError
from annotate.recipes.registry import (
    DEFAULT,
    RECIPES,
    UnknownRecipe,
    aggregate,
    explain,
    get,
    reason,
)
from annotate.recipes.votes import ExplainedAnswer

__all__ = [
    "DEFAULT",
    "NEVER",
    "RECIPES",
    "Agreement",
    "Answer",
    "ExplainedAnswer",
    "Kind",
    "Recipe",
    "RecipeAnswer",
    "RecipeMark",
    "RecipeParameter",
    "RecipeParameterError",
    "UnknownRecipe",
    "aggregate",
    "annotator_order",
    "explain",
    "get",
    "marks_digest",
    "preload",
    "reason",
]
