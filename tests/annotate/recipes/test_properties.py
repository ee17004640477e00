"""What holds for every multiset of marks, and DBSCAN against its definition on a line."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given, strategies as st

from annotate.recipes import RECIPES, Agreement, RecipeMark, aggregate, explain, marks_digest
from annotate.recipes.clusters import _labels, clusters, steady_indices

annotators = st.sampled_from([f"a{place}" for place in range(1, 13)])
marks = st.lists(
    st.one_of(
        st.builds(RecipeMark, annotators, st.just("steady"), st.integers(0, 400)),
        st.builds(RecipeMark, annotators, st.just("never")),
        st.builds(RecipeMark, annotators, st.just("unclear")),
    ),
    max_size=12,
    unique_by=lambda mark: mark.annotator,
)
params = st.fixed_dictionaries({"eps": st.integers(1, 120), "min_samples": st.integers(1, 6)})
recipes = st.sampled_from(sorted(RECIPES))


@given(recipe=recipes, given_marks=marks, settings=params, is_complete=st.booleans())
def test_every_multiset_of_marks_has_an_answer_with_a_reason(
    *, recipe: str, given_marks: list[RecipeMark], settings: dict[str, int], is_complete: bool
) -> None:
    truth = aggregate(recipe, given_marks, settings, complete=is_complete)

    assert truth.agreement in get_args(Agreement)
    assert (truth.steady_start is not None) == (truth.steady is True)
    is_scattered = recipe == "majority-cluster" and truth.agreement == "scattered"
    assert (truth.agreement in {"tied", "too-few"} or is_scattered) == (truth.steady is None)
    assert (truth.agreement == "clustered") == bool(truth.cluster)
    assert truth.provisional is not is_complete
    assert truth.settled().value is None or is_complete


@given(recipes, marks, params, st.randoms(use_true_random=False))
def test_the_order_of_the_marks_is_of_no_account(
    recipe: str,
    given_marks: list[RecipeMark],
    settings: dict[str, int],
    shuffle_random: random.Random,
) -> None:
    shuffled_marks = given_marks.copy()
    shuffle_random.shuffle(shuffled_marks)

    assert aggregate(recipe, shuffled_marks, settings, complete=True) == aggregate(
        recipe, given_marks, settings, complete=True
    )
    assert explain(recipe, shuffled_marks, complete=True) == explain(
        recipe, given_marks, complete=True
    )
    assert marks_digest(shuffled_marks) == marks_digest(given_marks)


@given(marks, params)
def test_the_iteration_of_jagt_is_one_that_somebody_marked(
    given_marks: list[RecipeMark], settings: dict[str, int]
) -> None:
    truth = aggregate("jagt", given_marks, settings, complete=True)

    assert truth.steady_start is None or truth.steady_start in {mark.index for mark in given_marks}


@given(marks, params)
def test_an_unclear_answer_changes_nothing_but_the_sentence(
    given_marks: list[RecipeMark], settings: dict[str, int]
) -> None:
    votes = [mark for mark in given_marks if mark.kind != "unclear"]

    assert aggregate("jagt", given_marks, settings, complete=True) == aggregate(
        "jagt", votes, settings, complete=True
    )


def clusters_by_definition(line: Sequence[int], eps: int, min_samples: int) -> list[list[int]]:
    """DBSCAN on a line, said without it: chains of core marks, with what lies within eps."""
    core_indices = [x for x in line if sum(abs(x - y) <= eps for y in line) >= min_samples]
    chains: list[list[int]] = []
    for x in core_indices:
        if chains and x - chains[-1][-1] <= eps:
            chains[-1].append(x)
        else:
            chains.append([x])
    free_indices = [x for x in line if x not in core_indices]
    clusters = []
    for chain in chains:
        near_indices = [x for x in free_indices if any(abs(x - y) <= eps for y in chain)]
        free_indices = [x for x in free_indices if x not in near_indices]
        clusters.append(sorted(chain + near_indices))
    return clusters


@given(st.lists(st.integers(0, 300), max_size=12), params)
def test_clusters_are_those_of_the_definition(line: list[int], settings: dict[str, int]) -> None:
    mark_clusters = clusters(
        [RecipeMark(f"a{mark_index}", "steady", x) for mark_index, x in enumerate(line)], **settings
    )

    expected = clusters_by_definition(sorted(line), **settings)
    assert [steady_indices(cluster) for cluster in mark_clusters] == expected


def test_only_steady_marks_are_clustered() -> None:
    with pytest.raises(ValueError, match="mark of a1: found never, expected a steady mark"):
        clusters([RecipeMark("a1", "never")] * 3, eps=50, min_samples=3)


def test_the_same_marks_are_clustered_once_whoever_made_them() -> None:
    settings = {"eps": 50, "min_samples": 3}
    lines = [[7, 900, 12, 30], [30, 12, 900, 7]]
    _labels.cache_clear()

    clusterings = [
        clusters(
            [RecipeMark(f"a{mark_index}", "steady", x) for mark_index, x in enumerate(line)],
            **settings,
        )
        for line in lines
    ]

    assert [[mark.index for mark in cluster] for [cluster] in clusterings] == [[7, 12, 30]] * 2
    assert clusterings[0] != clusterings[1]  # of other people
    assert _labels.cache_info().misses == 1


def test_two_marks_of_one_name_have_one_digest_in_both_orders() -> None:
    two_marks = [RecipeMark("a1", "steady", 7), RecipeMark("a1", "steady", 3)]

    assert marks_digest(two_marks) == marks_digest(two_marks[::-1])
