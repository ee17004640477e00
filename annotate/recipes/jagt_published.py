"""JAGT as the published comparison computes it, for reproducing its figures.

The same clusters as `jagt`, but of four clustered marks the published program takes the third
in the order of the annotators, not by value (MartinBeseda/steady-state, folder analysis-v2).
It knows exactly five marks and one cluster; everything else is answered as `jagt` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from annotate.recipes import jagt
from annotate.recipes.clusters import clusters, steady_indices
from annotate.recipes.contract import ChosenIteration, Recipe, RecipeMark, mark_order

PUBLISHED_MARKS = 5


def choose(marks: Sequence[RecipeMark], params: Mapping[str, int]) -> ChosenIteration:
    """The published rule for five marks with one cluster, else the rule of `jagt`."""
    mark_clusters = clusters(marks, **params)
    if len(marks) != PUBLISHED_MARKS or len(mark_clusters) != 1:
        return jagt.answer_from_clusters(marks, mark_clusters, params)

    sorted_marks = sorted(mark_clusters[0], key=mark_order)
    start, rule = _reference(sorted_marks)
    return ChosenIteration(
        start,
        jagt.members(sorted_marks),
        jagt.cluster_words(mark_clusters, sorted_marks, params),
        rule,
    )


def _reference(sorted_marks: Sequence[RecipeMark]) -> tuple[int, str]:
    """`sorted_marks` in annotator order; the integer part of a median is the publication's."""
    third_index = sorted_marks[2].index if len(sorted_marks) == 4 else None
    if third_index is not None:
        return third_index, "third in the order of the annotators"
    rule = "middle one" if len(sorted_marks) % 2 else "whole part of the median"
    return int(median(steady_indices(sorted_marks))), rule


RECIPE = Recipe(
    slug="jagt-published",
    version="1",
    title="JAGT, as published",
    about=(
        "As JAGT, but of four clustered marks the third in the order of the annotators. "
        "For reproducing the published figures."
    ),
    rule=(
        "As published for five people: the middle of a group of {min_samples} or more marks within "
        "{eps} iterations, else of all."
    ),
    parameters=jagt.RECIPE.parameters,
    choose=choose,
)
