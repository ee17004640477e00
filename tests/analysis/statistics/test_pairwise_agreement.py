"""Pairwise agreement and the order of the heat map."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from analysis.statistics.answers import Answers
from analysis.statistics.pairwise_agreement import agreement, agreement_matrix, leaf_order

A = Answers.from_list([10, -1, 50, None, 100])
B = Answers.from_list([14, -1, -1, 3, 106])


def test_both_never_or_both_near_is_agreement() -> None:
    agreements = agreement(A, B, 5)

    assert (agreements.agree_count, agreements.answered_count, agreements.share) == (2, 4, 0.5)


def test_nothing_in_common_has_no_share() -> None:
    assert agreement(Answers.from_list([None]), Answers.from_list([3]), 5).share is None


def test_tolerance_may_differ_by_series() -> None:
    assert agreement(A, B, [4, 0, 0, 0, 6]).agree_count == 3


def test_a_cell_is_found_by_names() -> None:
    matrix = agreement_matrix({"a": A, "b": B}, 5)

    assert (matrix.cell("a", "b"), matrix.order) == (agreement(A, B, 5), (0, 1))
    assert matrix.cell("b", "a") == matrix.cell("a", "b")


def test_sources_that_agree_stand_together() -> None:
    shares = np.array(
        [[1.0, 0.1, 0.9, 0.1], [0.1, 1.0, 0.1, 0.8], [0.9, 0.1, 1.0, 0.2], [0.1, 0.8, 0.2, 1.0]]
    )

    assert leaf_order(shares) in {(0, 2, 3, 1), (1, 3, 2, 0)}
    assert leaf_order(shares) == leaf_order(shares.copy())


sources = st.lists(
    st.lists(st.one_of(st.none(), st.integers(-1, 20)), min_size=8, max_size=8),
    min_size=1,
    max_size=5,
)


@given(sources)
def test_every_source_agrees_with_itself_and_mutually(columns: list[list[int | None]]) -> None:
    matrix = agreement_matrix(
        {str(i): Answers.from_list(column) for i, column in enumerate(columns)}, 3
    )

    assert (matrix.agree == matrix.agree.T).all()
    assert (matrix.agree <= matrix.of).all()
    assert (matrix.agree.diagonal() == matrix.of.diagonal()).all()
    assert sorted(matrix.order) == list(range(len(columns)))
