"""Recipes over many series at once: the answers of `aggregate`, in arrays.

What-if questions ask a recipe hundreds of thousands of times. Clusters on a line of few marks
need no tree: `near` compares every pair of a row. A test holds each rule against its recipe and
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
        says: Bools = self.start > NEVER
        return says

    @property
    def never(self) -> Bools:
        says: Bools = self.start == NEVER
        return says


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
    at_a_time = max(1, CELLS_AT_A_TIME // max(1, votes.shape[1] ** 2))
    for first in range(0, max(1, len(votes)), at_a_time):
        yield votes[first : first + at_a_time]


def _truths(rule: Rule, votes: Floats, params: Mapping[str, int]) -> RecipeAnswers:
    """The vote first, as `votes.judge` has it: half never is undecided, more is never."""
    steady = (votes > NEVER).sum(axis=1)
    nevers = (votes == NEVER).sum(axis=1)
    start = np.where(nevers > steady, float(NEVER), np.nan)
    clustered = np.zeros(len(votes), np.bool_)
    members = np.zeros(len(votes), np.int64)
    rows = np.flatnonzero(steady > nevers)
    if rows.size:
        marks = votes[rows]
        chosen = rule(found_in(np.where(marks == NEVER, np.nan, marks), **params))
        start[rows], clustered[rows], members[rows] = chosen
    return RecipeAnswers(start, clustered, members)


# --- clusters -------------------------------------------------------------------------------------
def found_in(marks: Floats, *, eps: int, min_samples: int) -> MarkClusters:
    """DBSCAN on every row of `marks` (NaN for none): core marks, chains of them, border marks."""
    place = np.argsort(marks, axis=1, kind="stable")  # NaN goes last
    ranked = np.take_along_axis(marks, place, axis=1)
    near = np.abs(ranked[:, :, None] - ranked[:, None, :]) <= eps  # never of a NaN
    core = near.sum(axis=2) >= min_samples
    label = _joined(near, core, _chains(ranked, core, eps))
    k = marks.shape[1]
    sizes = (label[:, :, None] == np.arange(k)).sum(axis=1)
    return MarkClusters(ranked, place, label, sizes, (~np.isnan(marks)).sum(axis=1))


def _chains(ranked: Floats, core: Bools, eps: int) -> Indices:
    """Number of the chain of each core mark: a new one begins more than eps after the last."""
    label = np.full(ranked.shape, NO_CLUSTER, dtype=np.int64)
    last = np.full(len(ranked), -np.inf)
    number = np.full(len(ranked), NO_CLUSTER, dtype=np.int64)
    for column in range(ranked.shape[1]):
        is_core, marks = core[:, column], ranked[:, column]
        number += is_core & (marks - last > eps)
        label[is_core, column] = number[is_core]
        last = np.where(is_core, marks, last)
    return label


def _joined(near: Bools, core: Bools, label: Indices) -> Indices:
    """Add border marks: each joins the lowest core mark near it, so the lower of two clusters."""
    beside = near & core[:, None, :]
    lowest = beside.argmax(axis=2)
    borders = ~core & beside.any(axis=2)
    joined: Indices = np.where(borders, np.take_along_axis(label, lowest, axis=1), label)
    return joined


# --- rules ----------------------------------------------------------------------------------------
def _jagt(mark_clusters: MarkClusters) -> ChosenIterations:
    clustered = mark_clusters.largest != NO_CLUSTER
    inside = mark_clusters.label == mark_clusters.largest[:, None]
    inside[~clustered] = ~np.isnan(mark_clusters.ranked[~clustered])
    members = np.where(clustered, inside.sum(axis=1), 0)
    return ChosenIterations(_upper_middle(mark_clusters.ranked, inside), clustered, members)


def _upper_middle(ranked: Floats, inside: Bools) -> Floats:
    """Choose, of the marks inside, number n // 2 from 0: the middle, or the later of two."""
    nth = inside.cumsum(axis=1) - 1
    is_middle = inside & (nth == inside.sum(axis=1)[:, None] // 2)
    middle: Floats = np.take_along_axis(ranked, is_middle.argmax(axis=1)[:, None], axis=1)[:, 0]
    return middle


def _jagt_published(mark_clusters: MarkClusters) -> ChosenIterations:
    """Five marks with one cluster of an even size are what differs from `jagt`."""
    start, clustered, members = _jagt(mark_clusters)
    alone = (mark_clusters.steady == jagt_published.PUBLISHED_MARKS) & (
        (mark_clusters.sizes > 0).sum(axis=1) == 1
    )
    four, two = alone & (members == 4), alone & (members == 2)
    start[four] = _third_in_order(mark_clusters, four)
    start[two] = _whole_middle(mark_clusters.ranked[two], mark_clusters.label[two] == 0)
    return ChosenIterations(start, clustered, members)


def _third_in_order(mark_clusters: MarkClusters, rows: Bools) -> Floats:
    """The third member of the cluster in the order of the annotators."""
    inside = np.zeros(mark_clusters.label[rows].shape, np.bool_)
    marks = np.zeros(inside.shape)
    np.put_along_axis(inside, mark_clusters.place[rows], mark_clusters.label[rows] == 0, axis=1)
    np.put_along_axis(marks, mark_clusters.place[rows], mark_clusters.ranked[rows], axis=1)
    third = inside & (inside.cumsum(axis=1) == 3)
    third_marks: Floats = np.take_along_axis(marks, third.argmax(axis=1)[:, None], axis=1)[:, 0]
    return third_marks


def _whole_middle(ranked: Floats, inside: Bools) -> Floats:
    """Whole part of the mean of two marks."""
    middle: Floats = np.floor(np.where(inside, ranked, 0).sum(axis=1) / 2)
    return middle


def _median(mark_clusters: MarkClusters) -> ChosenIterations:
    """The middle of all marks, with the class and cluster of `jagt`."""
    _, clustered, members = _jagt(mark_clusters)
    return ChosenIterations(
        _upper_middle(mark_clusters.ranked, ~np.isnan(mark_clusters.ranked)), clustered, members
    )


def _majority_cluster(mark_clusters: MarkClusters) -> ChosenIterations:
    """`jagt` where the largest cluster has more than half of the marks, else nothing."""
    start, clustered, members = _jagt(mark_clusters)
    most = clustered & (2 * members > mark_clusters.steady)
    return ChosenIterations(np.where(most, start, np.nan), most, np.where(most, members, 0))


Rule = Callable[[MarkClusters], ChosenIterations]

RULES: Final[Mapping[str, Rule]] = {
    jagt.RECIPE.slug: _jagt,
    jagt_published.RECIPE.slug: _jagt_published,
    median.RECIPE.slug: _median,
    majority_cluster.RECIPE.slug: _majority_cluster,
}
"""One for each recipe of the registry; a test sees to it."""
