"""JAGT as its papers word it: the middle of the marks that lie together.

Judgment-aggregated ground truth, Beseda et al. 2025: five people mark a series, DBSCAN looks
for marks that lie together, and one of them is the reference. Of four clustered marks the
papers take the third by value, the later and so more careful of the two middle ones. They say
nothing of other even numbers, of several clusters, or of other than five people: here an even
number always takes its upper middle, the largest cluster counts, and of equal ones the later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotate.recipes.clusters import Clusters, clusters, steady_indices
from annotate.recipes.contract import ChosenIteration, Recipe, RecipeMark, annotator_order
from annotate.recipes.parameters import RecipeParameter

EPS = RecipeParameter(
    "eps",
    default=50,
    low=1,
    high=1_000_000,
    unit="iterations",
    help="Two marks at most this far apart are neighbours.",
)
MIN_SAMPLES = RecipeParameter(
    "min_samples",
    default=3,
    low=1,
    high=1000,
    unit="marks",
    help="A mark with at least this many neighbours, itself included, starts a cluster.",
)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def choose(marks: Sequence[RecipeMark], params: Mapping[str, int]) -> ChosenIteration:
    """One mark: the middle of the largest cluster, or of all marks when there is none."""
    return answer_from_clusters(marks, clusters(marks, **params), params)


def answer_from_clusters(
    marks: Sequence[RecipeMark], mark_clusters: Clusters, params: Mapping[str, int]
) -> ChosenIteration:
    """The rule once the clusters, lowest first, are known."""
    if not mark_clusters:
        start, rule = upper_middle(steady_indices(marks))
        rule_words = rule if len(marks) == 1 else f"{rule} of all"
        return ChosenIteration(start, (), f"no cluster {settings(params)}", rule_words)

    # The last of the largest: clusters come lowest first, and of equal ones the later counts.
    largest_cluster = max(reversed(mark_clusters), key=len)
    start, rule = upper_middle(steady_indices(largest_cluster))
    return ChosenIteration(
        start, members(largest_cluster), cluster_words(mark_clusters, largest_cluster, params), rule
    )


def upper_middle(sorted_indices: Sequence[int]) -> tuple[int, str]:
    """The middle of sorted indices; of an even number the (k + 1)-th of 2k. Always a mark."""
    index = len(sorted_indices) // 2
    if len(sorted_indices) == 1:
        return sorted_indices[0], "the only one"
    if len(sorted_indices) % 2:
        return sorted_indices[index], "middle one"
    ordinal = ORDINALS[index] if index < len(ORDINALS) else f"number {index + 1}"
    return sorted_indices[index], f"{ordinal} by value"


def members(marks: Sequence[RecipeMark]) -> tuple[str, ...]:
    return tuple(sorted((mark.annotator for mark in marks), key=annotator_order))


def settings(params: Mapping[str, int]) -> str:
    return "(" + ", ".join(f"{name} {value}" for name, value in params.items()) + ")"


def cluster_words(
    mark_clusters: Clusters, chosen_marks: Sequence[RecipeMark], params: Mapping[str, int]
) -> str:
    cluster = f"cluster of {len(chosen_marks)}"
    if len(mark_clusters) == 1:
        return f"{cluster} {settings(params)}"
    is_tied = sum(len(mark_cluster) == len(chosen_marks) for mark_cluster in mark_clusters) > 1
    chosen_words = "the last of the largest" if is_tied else "the largest"
    return f"{len(mark_clusters)} clusters {settings(params)}, {chosen_words}: {cluster}"


RECIPE = Recipe(
    slug="jagt",
    version="1",
    title="JAGT",
    about=(
        "DBSCAN over the steady marks. The middle mark of the largest cluster, the upper middle "
        "of an even number; without a cluster, the middle of all marks."
    ),
    rule=(
        "The middle of the largest group of marks: {min_samples} or more within {eps} iterations. "
        "Where no group forms, the middle of all."
    ),
    parameters=(EPS, MIN_SAMPLES),
    choose=choose,
)
