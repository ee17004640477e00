"""Recipes over many series at once: the answers of `aggregate`, in arrays.

What-if questions ask a recipe hundreds of thousands of times. Clusters on a line of few marks
need no tree: `is_near` is of every pair of a row. A test holds each rule against its recipe and
scikit-learn's DBSCAN, row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.recipes import jagt, jagt_published, majority_cluster, median
from annotate.recipes.contract import NEVER, RecipeMark

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Indices = NDArray[np.int64]

CELLS_AT_A_TIME: Final = 4_000_000  # pairs of marks compared at once: some 40 MB
NO_CLUSTER: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class RecipeAnswers:
    """Ground truth of many rows.

    start      float64 (rows,): first steady iteration, NEVER, or NaN for undecided
    clustered  bool (rows,): the steady marks lie together, as the recipe tells; only where the
               vote was for steady
    members    int64 (rows,): marks in the cluster, 0 without one
    """

    start: Floats
    clustered: Bools
    members: Indices

    @property
    def steady(self) -> Bools:
        says_steady: Bools = self.start > NEVER
        return says_steady

    @property
    def never(self) -> Bools:
        says_never: Bools = self.start == NEVER
        return says_never


class ChosenIterations(NamedTuple):
    """Choice of a rule from rows with a vote for steady: NaN where it takes nothing."""

    start: Floats
    clustered: Bools
    members: Indices


class MarkClusters(NamedTuple):
    """Clusters of rows of marks, lowest first within a row; NaN after the last mark.

    ranked     float64 (rows, k): marks by value
    place      int64 (rows, k): the column that each came from
    label      int64 (rows, k): number of its cluster from 0, NO_CLUSTER for noise
    sizes      int64 (rows, k): marks in cluster 0, 1, …
    steady     int64 (rows,): marks in the row
    """

    ranked: Floats
    place: Indices
    label: Indices
    sizes: Indices
    steady: Indices

    @property
    def largest(self) -> Indices:
        """The number of the largest cluster, of equal ones the later; NO_CLUSTER without one."""
        k = self.sizes.shape[1]
        rank = self.sizes * k + np.arange(k)
        return np.where(self.sizes.any(axis=1), rank.argmax(axis=1), NO_CLUSTER)


def votes_of(rows: Sequence[Sequence[RecipeMark]], people: Sequence[str]) -> Floats:
    """float64 (rows, people): an iteration, NEVER, or NaN for no vote; columns as `people`."""
    column_of_person = {name: column for column, name in enumerate(people)}
    votes = np.full((len(rows), len(people)), np.nan)
    for row, marks in enumerate(rows):
        for mark in marks:
            if mark.kind != "unclear":
                votes[row, column_of_person[mark.annotator]] = (
                    NEVER if mark.index is None else mark.index
                )
    return votes


def ground_truths_of(slug: str, votes: Floats, params: Mapping[str, int]) -> RecipeAnswers:
    """Ground truth of every row of `votes`, whose columns are people in annotator order.

    `params` are cleaned ones (`Recipe.clean`). Raises KeyError for a recipe that is none.
    """
    rule = RULES[slug]
    parts = [_truths(rule, vote_rows, params) for vote_rows in _parts(votes)]
    return RecipeAnswers(
        *(
            np.concatenate([getattr(answers, name) for answers in parts])
            for name in RecipeAnswers.__slots__
        )
    )


def _parts(votes: Floats) -> Iterator[Floats]:
    chunk_size = max(1, CELLS_AT_A_TIME // max(1, votes.shape[1] ** 2))
    for first in range(0, max(1, len(votes)), chunk_size):
        yield votes[first : first + chunk_size]


def _truths(rule: Rule, votes: Floats, params: Mapping[str, int]) -> RecipeAnswers:
    """The vote first, as `votes.judge` has it: half never is undecided, more is never."""
    steady_counts = (votes > NEVER).sum(axis=1)
    never_counts = (votes == NEVER).sum(axis=1)
    start = np.where(never_counts > steady_counts, float(NEVER), np.nan)
    is_clustered = np.zeros(len(votes), np.bool_)
    sizes = np.zeros(len(votes), np.int64)
    rows = np.flatnonzero(steady_counts > never_counts)
    if rows.size:
        marks = votes[rows]
        chosen_iterations = rule(find_clusters(np.where(marks == NEVER, np.nan, marks), **params))
        start[rows], is_clustered[rows], sizes[rows] = chosen_iterations
    return RecipeAnswers(start, is_clustered, sizes)


# --- clusters -------------------------------------------------------------------------------------
def find_clusters(marks: Floats, *, eps: int, min_samples: int) -> MarkClusters:
    """DBSCAN on every row of `marks` (NaN for none): core marks, chains of them, border marks."""
    place = np.argsort(marks, axis=1, kind="stable")  # NaN goes last
    sorted_marks = np.take_along_axis(marks, place, axis=1)
    is_near = np.abs(sorted_marks[:, :, None] - sorted_marks[:, None, :]) <= eps  # never of a NaN
    core = is_near.sum(axis=2) >= min_samples
    label = _join_border_marks(is_near, core, _chains(sorted_marks, core, eps))
    k = marks.shape[1]
    sizes = (label[:, :, None] == np.arange(k)).sum(axis=1)
    return MarkClusters(sorted_marks, place, label, sizes, (~np.isnan(marks)).sum(axis=1))


def _chains(sorted_marks: Floats, core: Bools, eps: int) -> Indices:
    """Number of the chain of each core mark: a new one begins more than eps after the last."""
    label = np.full(sorted_marks.shape, NO_CLUSTER, dtype=np.int64)
    last = np.full(len(sorted_marks), -np.inf)
    number = np.full(len(sorted_marks), NO_CLUSTER, dtype=np.int64)
    for column in range(sorted_marks.shape[1]):
        is_core, marks = core[:, column], sorted_marks[:, column]
        number += is_core & (marks - last > eps)
        label[is_core, column] = number[is_core]
        last = np.where(is_core, marks, last)
    return label


def _join_border_marks(is_near: Bools, core: Bools, label: Indices) -> Indices:
    """Add border marks: each joins the lowest core mark near it, so the lower of two clusters."""
    core_neighbours = is_near & core[:, None, :]
    neighbour = core_neighbours.argmax(axis=2)
    borders = ~core & core_neighbours.any(axis=2)
    joined_labels: Indices = np.where(borders, np.take_along_axis(label, neighbour, axis=1), label)
    return joined_labels


# --- rules ----------------------------------------------------------------------------------------
def _jagt(mark_clusters: MarkClusters) -> ChosenIterations:
    is_clustered = mark_clusters.largest != NO_CLUSTER
    in_largest = mark_clusters.label == mark_clusters.largest[:, None]
    in_largest[~is_clustered] = ~np.isnan(mark_clusters.ranked[~is_clustered])
    sizes = np.where(is_clustered, in_largest.sum(axis=1), 0)
    return ChosenIterations(_upper_middle(mark_clusters.ranked, in_largest), is_clustered, sizes)


def _upper_middle(sorted_marks: Floats, in_cluster: Bools) -> Floats:
    """Choose, of the marks inside, number n // 2 from 0: the middle, or the later of two."""
    nth = in_cluster.cumsum(axis=1) - 1
    is_middle = in_cluster & (nth == in_cluster.sum(axis=1)[:, None] // 2)
    middle: Floats = np.take_along_axis(sorted_marks, is_middle.argmax(axis=1)[:, None], axis=1)[
        :, 0
    ]
    return middle


def _jagt_published(mark_clusters: MarkClusters) -> ChosenIterations:
    """Five marks with one cluster of an even size are what differs from `jagt`."""
    start, is_clustered, sizes = _jagt(mark_clusters)
    is_only_cluster = (mark_clusters.steady == jagt_published.PUBLISHED_MARKS) & (
        (mark_clusters.sizes > 0).sum(axis=1) == 1
    )
    has_four, has_two = is_only_cluster & (sizes == 4), is_only_cluster & (sizes == 2)
    start[has_four] = _third_marks(mark_clusters, has_four)
    start[has_two] = _integer_middle(
        mark_clusters.ranked[has_two], mark_clusters.label[has_two] == 0
    )
    return ChosenIterations(start, is_clustered, sizes)


def _third_marks(mark_clusters: MarkClusters, rows: Bools) -> Floats:
    """The third member of the cluster in the order of the annotators."""
    in_cluster = np.zeros(mark_clusters.label[rows].shape, np.bool_)
    marks = np.zeros(in_cluster.shape)
    np.put_along_axis(in_cluster, mark_clusters.place[rows], mark_clusters.label[rows] == 0, axis=1)
    np.put_along_axis(marks, mark_clusters.place[rows], mark_clusters.ranked[rows], axis=1)
    is_third = in_cluster & (in_cluster.cumsum(axis=1) == 3)
    third_marks: Floats = np.take_along_axis(marks, is_third.argmax(axis=1)[:, None], axis=1)[:, 0]
    return third_marks


def _integer_middle(sorted_marks: Floats, in_cluster: Bools) -> Floats:
    """Whole part of the mean of two marks."""
    middle: Floats = np.floor(np.where(in_cluster, sorted_marks, 0).sum(axis=1) / 2)
    return middle


def _median(mark_clusters: MarkClusters) -> ChosenIterations:
    """The middle of all marks, with the class and cluster of `jagt`."""
    _, is_clustered, sizes = _jagt(mark_clusters)
    return ChosenIterations(
        _upper_middle(mark_clusters.ranked, ~np.isnan(mark_clusters.ranked)), is_clustered, sizes
    )


def _majority_cluster(mark_clusters: MarkClusters) -> ChosenIterations:
    """`jagt` where the largest cluster has more than half of the marks, else nothing."""
    start, is_clustered, sizes = _jagt(mark_clusters)
    has_majority = is_clustered & (2 * sizes > mark_clusters.steady)
    return ChosenIterations(
        np.where(has_majority, start, np.nan), has_majority, np.where(has_majority, sizes, 0)
    )


Rule = Callable[[MarkClusters], ChosenIterations]

RULES: Final[Mapping[str, Rule]] = {
    jagt.RECIPE.slug: _jagt,
    jagt_published.RECIPE.slug: _jagt_published,
    median.RECIPE.slug: _median,
    majority_cluster.RECIPE.slug: _majority_cluster,
}
"""One for each recipe of the registry; a test sees to it."""
