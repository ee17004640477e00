"""Recipes: from the marks of several people to one ground truth. Pure; imports no Django."""

from __future__ import annotations

from annotate.recipes.clusters import preload
from annotate.recipes.contract import (
    NEVER,
    Agreement,
    Answer,
    GroundTruth,
    Kind,
    Mark,
    Recipe,
    annotator_order,
    marks_digest,
)
from annotate.recipes.parameters import Parameter, ParameterError
from annotate.recipes.registry import (
    DEFAULT,
    RECIPES,
    UnknownRecipe,
    aggregate,
    explain,
    get,
    reason,
)
from annotate.recipes.votes import Reasoned

__all__ = [
    "DEFAULT",
    "NEVER",
    "RECIPES",
    "Agreement",
    "Answer",
    "GroundTruth",
    "Kind",
    "Mark",
    "Parameter",
    "ParameterError",
    "Reasoned",
    "Recipe",
    "UnknownRecipe",
    "aggregate",
    "annotator_order",
    "explain",
    "get",
    "marks_digest",
    "preload",
    "reason",
]
