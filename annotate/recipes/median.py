"""The middle of all steady marks, whether they lie together or not.

It has no parameter that moves the answer: `eps` and `min_samples` only tell the class, as `jagt`
does, so that comparisons can be split by it. What `jagt` gains by clusters shows beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotate.recipes import jagt
from annotate.recipes.clusters import clusters, steady_indices
from annotate.recipes.contract import ChosenIteration, Recipe, RecipeMark


def choose(marks: Sequence[RecipeMark], params: Mapping[str, int]) -> ChosenIteration:
    """The upper middle of all marks; the cluster of `jagt` is told, not used."""
    jagt_choice = jagt.answer_from_clusters(marks, clusters(marks, **params), params)
    start, rule = jagt.upper_middle(steady_indices(marks))
    rule_words = rule if len(marks) == 1 else f"{rule} of all"
    return ChosenIteration(start, jagt_choice.cluster, jagt_choice.found, rule_words)


RECIPE = Recipe(
    slug="median",
    version="1",
    title="Median",
    about=(
        "The middle of all steady marks, the upper middle of an even number. Clusters tell the "
        "class only."
    ),
    rule="The middle of all marks.",
    parameters=jagt.RECIPE.parameters,
    choose=choose,
)
