"""Average ranks, tests on them, and the bars of the diagram."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from analysis.statistics.answers import Answers
from analysis.statistics.multiple_comparisons import NoRankTest, RankTest, cliques, holm, rank_test
from analysis.statistics.signed_ranks import signed_rank

TRUTH = Answers.constant(12, 1000)


def off_by(*sizes: float | None) -> Answers:
    """Answers that err by these sizes; None misses the plateau."""
    return Answers.from_list([-1 if size is None else 1000 + size for size in sizes])


def rank_methods(**methods: Answers) -> RankTest:
    test_result = rank_test(methods, TRUTH)
    assert isinstance(test_result, RankTest)
    return test_result


GOOD = off_by(*range(12))
MIDDLE = off_by(*(10 + 3 * size for size in range(12)))
BAD = off_by(*(200 + 7 * size for size in range(12)))


def test_bars_join_neighbours_of_which_no_pair_differs() -> None:
    bars, further_pairs = cliques("ABCD", {("A", "B"), ("B", "C"), ("A", "D")})

    assert bars == (("A", "B"), ("B", "C"))
    assert further_pairs == (("A", "D"),)


def test_a_bar_inside_a_longer_one_is_not_drawn() -> None:
    bars, further_pairs = cliques("ABC", {("B", "A"), ("B", "C"), ("A", "C")})

    assert (bars, further_pairs) == ((("A", "B", "C"),), ())


def test_methods_far_apart_are_told_apart() -> None:
    result = rank_methods(bad=BAD, good=GOOD, middle=MIDDLE)

    assert [(method.method, method.average_rank) for method in result.methods] == [
        ("good", 1.0),
        ("middle", 2.0),
        ("bad", 3.0),
    ]
    assert (result.n, result.friedman, result.bars, result.also) == (12, 24.0, (), ())
    assert result.p == pytest.approx(np.exp(-12))  # chi-square with two degrees of freedom
    first = result.pairs[0]
    assert (first.first, first.second, first.differ) == ("good", "middle", True)
    assert (first.median_difference, first.rank_biserial) == (-21.0, 1.0)
    assert first.p == pytest.approx(2 / 2**12)  # exact: all twelve differences of one sign
    assert first.p_holm == pytest.approx(3 * 2 / 2**12)
    assert result.sentence == (
        "good has the best average rank, different from all others; 3 of 3 pairs differ at 0.05."
    )


def test_a_miss_is_worse_than_any_error_and_two_misses_are_equal() -> None:
    one_misses, two_misses = off_by(*[None] * 12), off_by(*[None] * 12)

    test_result = rank_methods(far=off_by(*[900] * 12), one=one_misses, two=two_misses)

    assert [rank.average_rank for rank in test_result.methods] == [1.0, 2.5, 2.5]
    assert [pair.differ for pair in test_result.pairs] == [True, True, False]
    assert test_result.pairs[0].median_difference is None
    assert (test_result.pairs[2].p, test_result.pairs[2].rank_biserial) == (1.0, None)
    assert test_result.bars == (("one", "two"),)


def test_a_miss_by_one_alone_speaks_for_the_other() -> None:
    exact_answers = off_by(*[None] * 2, *[0] * 10)
    late_answers = off_by(*[5] * 10, None, None)

    pair = rank_methods(mostly=exact_answers, seldom=late_answers, bad=BAD).pairs[0]

    # Differences: twice a miss against, eight times 5, twice a miss in favour. Ranks 4.5 and 10.5.
    assert (pair.first, pair.second) == ("mostly", "seldom")
    assert pair.rank_biserial == pytest.approx((8 * 4.5 + 2 * 10.5 - 2 * 10.5) / 78)
    assert pair.median_difference == -5.0


def test_methods_that_always_tie_are_not_told_apart() -> None:
    result = rank_methods(a=GOOD, b=GOOD, c=GOOD)

    assert (result.friedman, result.p, result.bars) == (None, None, (("a", "b", "c"),))
    assert result.sentence == (
        "By Friedman's test the methods do not differ at 0.05; 0 of 3 pairs differ at 0.05."
    )


def test_rivals_of_the_best_are_named() -> None:
    near_answers = off_by(*(size + (-1) ** size for size in range(12)))

    assert rank_methods(good=GOOD, near=near_answers, bad=BAD).sentence.startswith(
        "good has the best average rank, not significantly different from near; 2 of 3"
    ) or rank_methods(good=GOOD, near=near_answers, bad=BAD).sentence.startswith(
        "near has the best average rank, not significantly different from good; 2 of 3"
    )


@pytest.mark.parametrize(
    ("methods", "series_count", "count_words"),
    [
        ({"a": GOOD, "b": BAD}, 12, "2 methods and 12 series"),
        ({"a": GOOD, "b": BAD, "c": MIDDLE}, 9, "3 methods and 9 series"),
    ],
)
def test_too_few_is_said_instead_of_drawn(
    methods: dict[str, Answers], series_count: int, count_words: str
) -> None:
    first = np.arange(series_count)
    shortened_methods = {name: answers.take(first) for name, answers in methods.items()}

    test_result = rank_test(shortened_methods, TRUTH.take(first))

    assert isinstance(test_result, NoRankTest)
    assert test_result.sentence == (
        "Average ranks need at least 3 methods and 10 series that all have answered; "
        f"found {count_words}."
    )


def test_series_without_an_answer_of_every_method_do_not_count() -> None:
    gap = Answers.from_list([None, *[1001] * 11])

    assert rank_methods(a=GOOD, b=BAD, c=gap).n == 11


def test_holm_by_hand() -> None:
    # 0.01 · 4, then max(0.04, 0.02 · 3), max(0.06, 0.03 · 2), max(0.06, 0.04 · 1).
    assert holm([0.02, 0.01, 0.04, 0.03]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_wilcoxon_and_effect_of_the_published_examples() -> None:
    """Kerby 2014: sums of ranks in favour and against, over all of them."""
    difference = np.array([2.0, 3.0, 1.0, 6.0, 9.0, 6.0]) - np.arange(1.0, 7.0)

    test_result = signed_rank(difference)

    assert test_result.p == pytest.approx(0.375)
    assert test_result.rank_biserial == pytest.approx(8 / 15)


@given(st.integers(0, 6), st.data())
def test_bars_and_pairs_are_all_that_is_alike(size: int, data: st.DataObject) -> None:
    order = "ABCDEF"[:size]
    pairs = list(combinations(order, 2))
    equal_pairs = set(data.draw(st.lists(st.sampled_from(pairs), unique=True))) if pairs else set()

    bars, further_pairs = cliques(order, equal_pairs)

    bar_pairs = {pair for bar in bars for pair in combinations(bar, 2)}
    assert bar_pairs | set(further_pairs) == equal_pairs
    assert not bar_pairs & set(further_pairs)
    assert all("".join(bar) in order for bar in bars)
    assert not any("".join(a) in "".join(b) for a in bars for b in bars if a != b)


@given(st.lists(st.lists(st.integers(0, 9), min_size=15, max_size=15), min_size=3, max_size=4))
def test_friedman_is_that_of_scipy_on_the_errors(sizes: list[list[int]]) -> None:
    methods = {str(i): off_by(*errors) for i, errors in enumerate(sizes)}

    test_result = rank_test(methods, Answers.constant(15, 1000))

    assert isinstance(test_result, RankTest)
    if test_result.friedman is not None:
        expected = stats.friedmanchisquare(*sizes)
        assert test_result.friedman == pytest.approx(expected.statistic)
        assert test_result.p == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("n", [2, 7, 13, 14, 30, 50, 51])
@pytest.mark.parametrize("most", [4, 10_000])
def test_the_signed_rank_test_is_that_of_scipy(n: int, most: int) -> None:
    """With ties and without, on each side of where SciPy changes its way."""
    integers = np.random.default_rng(n).integers(-most, most + 1, n)
    difference = integers.astype(np.float64) + 0.5

    assert signed_rank(difference).p == pytest.approx(stats.wilcoxon(difference).pvalue)
