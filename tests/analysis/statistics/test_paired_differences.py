"""What is said about two methods: one default a question, p-values adjusted together, sentences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.statistics.answers import Answers
from analysis.statistics.effect_sizes import magnitude_either_way
from analysis.statistics.multiple_comparisons import (
    Nemenyi,
    NoRankTest,
    benjamini_hochberg,
    nemenyi,
    nemenyi_p,
    rank_test,
)
from analysis.statistics.paired_differences import (
    PAIR_TESTS,
    QUESTIONS,
    TESTS,
    PairTests,
    adjusted_p_values,
    cochran,
    from_errors,
    p_words,
    pair_tests,
)
from analysis.statistics.paired_tests import sign_test

TRUTH = Answers.from_list([100] * 12 + [-1, -1, None])
NEAR = Answers.from_list([98, 103, 99, 104, 100, 97, 101, 102, 95, 106, 100, -1, -1, 5, 7])
FAR = Answers.from_list([60, 150, 80, 170, 40, 99, 190, 100, 30, 220, 70, 90, 8, 5, 7])


@pytest.fixture(scope="module")
def pair() -> PairTests:
    return pair_tests(("NEAR", NEAR), ("FAR", FAR), TRUTH)


def test_every_question_has_one_default(pair: PairTests) -> None:
    assert [result.question for result in pair.defaults] == list(QUESTIONS)
    assert [(r.question, r.test, r.of) for r in pair.results] == list(PAIR_TESTS)


def test_only_series_that_both_call_steady_have_a_distance(pair: PairTests) -> None:
    assert (pair.n, pair.n_yes_no) == (11, 14)
    is_inside = np.arange(15) < 5
    tests_inside = pair_tests(("N", NEAR), ("F", FAR), TRUTH, distances=is_inside, yes_no=is_inside)
    assert (tests_inside.n, tests_inside.n_yes_no) == (5, 5)


def test_p_values_are_adjusted_together(pair: PairTests) -> None:
    adjusted_ps = benjamini_hochberg([result.p for result in pair.results])

    assert [result.p_adjusted for result in pair.results] == adjusted_ps
    for result in pair.results:
        assert result.differ == (result.p_adjusted is not None and result.p_adjusted < 0.05)


FIVE_BY_NAME = ("sign", "cramer-von-mises", "kolmogorov-smirnov", "anderson-darling", "levene")


def test_the_five_tests_of_the_paper_are_a_family_of_their_own(pair: PairTests) -> None:
    five_results = [result for result in pair.results if result.p_of_five is not None]

    assert {test_result.test for test_result in five_results} == set(FIVE_BY_NAME)
    assert {test_result.of for test_result in five_results} == {"signed"}
    assert [test_result.p_of_five for test_result in five_results] == pytest.approx(
        stats.false_discovery_control([test_result.p for test_result in five_results])
    )
    assert [test_result.p_of_five for test_result in five_results] != [
        test_result.p_adjusted for test_result in five_results
    ]


def test_levene_is_what_the_paper_calls_so_and_names_its_centre(pair: PairTests) -> None:
    near_differences = [-2, 3, -1, 4, 0, -3, 1, 2, -5, 6, 0]
    far_differences = [-40, 50, -20, 70, -60, -1, 90, 0, -70, 120, -30]
    statistic_by_test = {
        result.test: result.statistic for result in pair.results if result.of == "signed"
    }

    assert statistic_by_test["levene"] == pytest.approx(
        stats.levene(near_differences, far_differences, center="median").statistic
    )
    assert statistic_by_test["levene-mean"] == pytest.approx(
        stats.levene(near_differences, far_differences, center="mean").statistic
    )
    assert TESTS["levene"] == "Levene (distances from the median)"


def test_sentences_say_what_the_figures_are(pair: PairTests) -> None:
    sentence_by_question = {result.question: result.sentence for result in pair.defaults}

    # |Δ| is 2 3 1 4 0 3 1 2 5 6 0 against 40 50 20 70 60 1 90 0 70 120 30: nine times less.
    assert sentence_by_question["closer"].startswith(
        "NEAR is closer on 9 series, FAR on 2: no more than chance can give (p = 0."
    )
    assert sentence_by_question["sooner"].startswith("NEAR answers sooner on 5 series, FAR on 6")
    assert sentence_by_question["spread"].startswith(
        "The errors of NEAR have a standard deviation of 3.1 iterations, those of FAR of 60.5"
    )
    assert sentence_by_question["distribution"].startswith("The errors of NEAR and FAR ")
    assert sentence_by_question["decision"].startswith(
        "NEAR alone is right on 1 series, FAR alone on 1: no more"
    )
    assert pair.joint[:4] == (11, 1, 1, 1)


def test_the_default_of_closer_is_the_sign_test(pair: PairTests) -> None:
    closer = pair.defaults[0]

    assert closer.p == sign_test(np.array([-1.0] * 9 + [1.0] * 2)).p
    assert closer.statistic == pytest.approx(2 / 11)


def test_effects_favour_the_first_when_positive(pair: PairTests) -> None:
    near_values = np.array([2, 3, 1, 4, 0, 3, 1, 2, 5, 6, 0.0])
    far_values = np.array([40, 50, 20, 70, 60, 1, 90, 0, 70, 120, 30.0])

    u = stats.mannwhitneyu(far_values, near_values).statistic
    assert pair.effect.a12 == pytest.approx(u / 121)
    assert pair.effect.rank_biserial is not None
    assert pair.effect.rank_biserial > 0.8
    assert "NEAR errs less than FAR in 85 % of cases (A12 = 0.85, large)" in pair.effect.sentence


@pytest.mark.parametrize(
    ("a12", "word"),
    [(0.5, "negligible"), (0.45, "negligible"), (0.6, "small"), (0.3, "medium"), (0.9, "large")],
)
def test_magnitudes_do_not_depend_on_the_side(a12: float, word: str) -> None:
    assert magnitude_either_way(a12) == magnitude_either_way(1 - a12) == word


def test_two_alike_leave_nothing_to_test_and_say_so() -> None:
    pair = pair_tests(("A", NEAR), ("B", NEAR), TRUTH)

    result_by_question = {result.question: result for result in pair.defaults}
    assert result_by_question["closer"].p is None
    assert result_by_question["closer"].sentence == (
        "The errors of A and B leave nothing to test: they do not vary."
    )
    assert result_by_question["decision"].sentence.startswith(
        "A and B are right and wrong on the same series"
    )
    assert pair.effect.a12 == 0.5
    assert "do not vary" in pair.skew_sentence


def test_without_a_series_every_figure_is_none() -> None:
    no_errors = np.empty(0)

    pair = from_errors(("A", "B"), (no_errors, no_errors), (no_errors > 0, no_errors > 0))

    assert {result.p for result in pair.results} == {None}
    assert {result.sentence for result in pair.results[:-2]} == {
        "0 series with two errors are too few to test."
    }
    assert pair.effect.sentence == "Without a series there is no effect."


def test_skewed_differences_send_to_the_sign_test() -> None:
    first, second = np.r_[np.zeros(20), 900.0], np.arange(21.0)

    pair = from_errors(("A", "B"), (first, second), (first > 0, first > 0))

    assert pair.skew["absolute"].symmetric is False
    assert "so the sign test is the one to read" in pair.skew_sentence


def test_p_values_in_words() -> None:
    assert [p_words(p) for p in (0.0002, 0.0123, 1.0)] == ["p < 0.001", "p = 0.012", "p = 1.000"]


def test_over_all_pairs_as_over_one_list(pair: PairTests) -> None:
    reversed_pair = pair_tests(("FAR", FAR), ("NEAR", NEAR), TRUTH)

    adjusted_ps = adjusted_p_values([pair, reversed_pair])

    flat_ps = benjamini_hochberg(
        [result.p for tests in (pair, reversed_pair) for result in tests.results]
    )
    assert [*adjusted_ps[0], *adjusted_ps[1]] == flat_ps


def test_a_p_that_is_the_level_is_not_below_it(pair: PairTests) -> None:
    adjusted_ps = (result.p_adjusted for result in pair.results)
    smallest_p = min(p for p in adjusted_ps if p is not None)

    at_level = pair_tests(("NEAR", NEAR), ("FAR", FAR), TRUTH, alpha=smallest_p)

    assert any(result.differ for result in pair.results)
    assert not any(result.differ for result in at_level.results)


def test_many_are_right_on_the_series_that_all_have_answered() -> None:
    third_answers = Answers.from_list([-1] * 12 + [-1, 4, None])

    right_test = cochran({"near": NEAR, "far": FAR, "never": third_answers}, TRUTH)

    assert (right_test.n, right_test.degrees) == (14, 2)
    assert right_test.sentence.startswith("By Cochran's Q the 3 methods differ in steady or never")
    short_test = cochran({"near": NEAR}, TRUTH)
    assert (short_test.p, short_test.sentence[:11]) == (None, "Cochran's Q")
    assert (short_test.degrees, cochran({}, TRUTH).degrees) == (0, 0)
    equal_test = cochran({"a": NEAR, "b": NEAR}, TRUTH)
    assert equal_test.sentence == "All 2 methods are right and wrong on the same series."


# --- Nemenyi ----------------------------------------------------------------------------------
def test_nemenyi_is_demsars_example() -> None:
    """Four methods on 14 data sets: the critical difference is 2.569 · √(4 · 5 / (6 · 14))."""
    generator = np.random.default_rng(3)
    truth = Answers.from_list([1000] * 14)
    methods = {
        name: Answers.from_arrays(1000 + shift + generator.integers(0, 40, 14))
        for name, shift in (("a", 0), ("b", 5), ("c", 20), ("d", 60))
    }

    test_result = nemenyi(methods, truth)

    assert isinstance(test_result, Nemenyi)
    assert test_result.critical_difference == pytest.approx(2.569 * np.sqrt(20 / 84), abs=5e-4)
    rank_result = rank_test(methods, truth)
    assert not isinstance(rank_result, NoRankTest)
    average_ranks = {method.method: method.average_rank for method in rank_result.methods}
    p_values = nemenyi_p(methods, truth)
    assert len(p_values) == test_result.pairs == 6
    for (first, second), p in p_values.items():
        assert average_ranks[first] <= average_ranks[second]
        assert (p < 0.05) == ((first, second) in test_result.differing)
    assert test_result.sentence.startswith(
        "By Nemenyi's test average ranks differ from 1.25 on at 0.05"
    )


def test_nemenyi_needs_as_much_as_the_diagram() -> None:
    two_methods = {"near": NEAR, "far": FAR}

    assert isinstance(nemenyi(two_methods, TRUTH), NoRankTest)
    assert nemenyi_p(two_methods, TRUTH) == {}
