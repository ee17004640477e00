"""Ground truth of only what most people marked together: the careful recipe.

As `jagt`, but a cluster counts only if it holds more than half of the steady marks. Where there
is none the series is undecided: no iteration is made up for marks that lie apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotate.recipes import jagt
from annotate.recipes.clusters import clusters
from annotate.recipes.contract import ChosenIteration, Recipe, RecipeMark


def choose(marks: Sequence[RecipeMark], params: Mapping[str, int]) -> ChosenIteration:
    """The middle of the cluster of more than half of the marks; no iteration without one."""
    majority_clusters = [
        cluster for cluster in clusters(marks, **params) if 2 * len(cluster) > len(marks)
    ]
    if majority_clusters:
        return jagt.answer_from_clusters(marks, majority_clusters, params)
    words = f"no cluster of more than half {jagt.settings(params)}"
    return ChosenIteration(None, (), words, "undecided")


RECIPE = Recipe(
    slug="majority-cluster",
    version="1",
    title="Majority cluster",
    about=(
        "As JAGT, but only if more than half of the steady marks lie in one cluster; "
        "else the series is undecided."
    ),
    rule=(
        "The middle of a group of more than half of the marks, within {eps} iterations. Without "
        "such a group, undecided."
    ),
    parameters=jagt.RECIPE.parameters,
    choose=choose,
)
