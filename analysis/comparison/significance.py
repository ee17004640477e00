"""Sentences of the page about two methods: do they really differ?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from analysis.comparison import pairs
from analysis.comparison.columns import head_at, write, write_difference, write_interval
from analysis.comparison.gallery import RowChoices, paired_histograms
from analysis.comparison.table import ComparisonResult, rank_pairs
from analysis.statistics.leaderboard_figures import FIGURES
from analysis.statistics.multiple_comparisons import NoRankTest
from analysis.statistics.paired_bootstrap import DIFFERENCES, FigureDifference
from analysis.statistics.paired_differences import QUESTIONS, TESTS, PairedTestResult, PairTests
from analysis.web.figures import WebFigure
from people.templatetags.writing import HARD

PairedQuestion = tuple[str, PairedTestResult, str]
"""A question or what is tested, the result, and what the test is called."""


@dataclass(frozen=True, slots=True)
class PairPage:
    """The page: two methods chosen, and what is said about many.

    method_sentences  sentences over all chosen methods: Friedman, Nemenyi, Cochran's Q
    tests             None where there are not two methods
    """

    choices: RowChoices
    first_name: str = ""
    second_name: str = ""
    codes: tuple[str, str] = ("", "")
    method_sentences: Sequence[str] = ()
    tests: PairTests | None = None
    answered_questions: Sequence[PairedQuestion] = ()
    all_tests: Sequence[PairedQuestion] = ()
    differences: Sequence[Mapping[str, Any]] = ()
    repeats: int = DIFFERENCES.repeats
    histograms: Sequence[WebFigure] = ()


SIZES: Final = frozenset({"manhattan", "median_abs", "mean_abs", "sd_error"})
"""Columns with a zero that means nothing is left: a share of such a figure says something."""

OF_WORDS: Final[Mapping[str, str]] = {"absolute": "|Δ|", "signed": "Δ", "yes/no": "steady or never"}


def pair_page(
    comparison: ComparisonResult, first_name: str = "", second_name: str = ""
) -> PairPage:
    """The page for two rows, by default the two best. Raises UnknownCell."""
    row_names = pairs.choices(comparison)
    choices = [(name, comparison.entry(name).title) for name in row_names]
    pair = pairs.chosen_pair(
        comparison, first_name, second_name if second_name != first_name else ""
    )
    if pair is None:
        return PairPage(choices)
    tests = pairs.tests_of_pair(comparison.inputs, pair, comparison.asked.alpha)
    return PairPage(
        choices=choices,
        first_name=pair.first,
        second_name=pair.second,
        codes=(tests.first, tests.second),
        method_sentences=many_sentences(comparison),
        tests=tests,
        answered_questions=[
            (QUESTIONS[default_test.question], default_test, TESTS[default_test.test])
            for default_test in tests.defaults
        ],
        all_tests=[
            (OF_WORDS[test_result.of], test_result, TESTS[test_result.test])
            for test_result in tests.results
        ],
        differences=list(_differences(comparison, pair)),
        histograms=paired_histograms(comparison, pair, "tests"),
    )


def many_sentences(comparison: ComparisonResult) -> list[str]:
    """Sentences over all methods at once, where there are enough of them."""
    alpha = comparison.asked.alpha
    rank_test = rank_pairs(comparison.inputs, alpha)
    cochran_test = pairs.cochran_of_methods(comparison.inputs, alpha)
    if isinstance(rank_test, NoRankTest):
        return [cochran_test.sentence] if cochran_test.p is not None else []
    nemenyi_test = pairs.nemenyi_of_methods(comparison.inputs, alpha)
    nemenyi_sentences = [] if isinstance(nemenyi_test, NoRankTest) else [nemenyi_test.sentence]
    return [*nemenyi_sentences, cochran_test.sentence]


def _differences(comparison: ComparisonResult, pair: pairs.ChosenPair) -> Iterator[dict[str, Any]]:
    """Figures of both and their differences, as text."""
    for key, difference in pairs.shown_differences(comparison, pair).items():
        figure = FIGURES[key]
        yield {
            "head": head_at(figure, comparison.one_tolerance),
            "title": figure.title,
            "first": write(figure, difference.first),
            "second": write(figure, difference.second),
            "difference": write_difference(figure, difference.difference),
            "relative": relative_words(difference),
            "interval": write_interval(figure, difference.low, difference.high) or "–",
            "clear": difference.clear,
        }


def relative_words(figure_difference: FigureDifference) -> str:
    """`14.5 % lower`: the first beside the second, of figures that are sizes and no shares."""
    if (
        figure_difference.figure not in SIZES
        or not figure_difference.second
        or figure_difference.difference is None
    ):
        return ""
    percent = 100 * figure_difference.difference / figure_difference.second
    return f"{abs(percent):.1f}{HARD}% {'lower' if percent < 0 else 'higher'}"
