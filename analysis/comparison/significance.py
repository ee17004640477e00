"""Sentences of the page about two methods: do they really differ?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.comparison import pairs
from analysis.comparison.columns import ALL_COLUMNS, LeaderboardColumn
from analysis.comparison.gallery import RowChoices, paired_histograms
from analysis.comparison.table import ComparisonResult, rank_pairs
from analysis.statistics.multiple_comparisons import NoRankTest
from analysis.statistics.paired_bootstrap import DIFFERENCES, FigureDifference
from analysis.statistics.paired_differences import QUESTIONS, TESTS, PairedTestResult, PairTests
from analysis.web.figures import WebFigure
from people.templatetags.writing import HARD

PairedQuestion = tuple[str, PairedTestResult, str]
"""A question or what is tested, the result, and what the test is called."""


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One figure of both and its difference, as text."""

    head: str
    title: str
    first: str
    second: str
    difference: str
    relative: str
    interval: str
    clear: bool


@dataclass(frozen=True, slots=True)
class PairPage:
    """The page: two methods chosen, and what is said about many.

    many       sentences over all chosen methods: Friedman, Nemenyi, Cochran's Q
    tests      None where there are not two methods
    """

    choices: RowChoices
    first: str = ""
    second: str = ""
    codes: tuple[str, str] = ("", "")
    many: Sequence[str] = ()
    tests: PairTests | None = None
    answered: Sequence[PairedQuestion] = ()
    every: Sequence[PairedQuestion] = ()
    differences: Sequence[DifferenceRow] = ()
    repeats: int = DIFFERENCES.repeats
    histograms: Sequence[WebFigure] = ()


SIZES: Final = frozenset({"manhattan", "median_abs", "mean_abs", "sd_error"})
"""Columns with a zero that means nothing is left: a share of such a figure says something."""

OF_WORDS: Final[Mapping[str, str]] = {
    "absolute": "|Δ|",
    "signed": "Δ",
    "yes/no": "steady or never",
}


def pair_page(compared: ComparisonResult, first: str = "", second: str = "") -> PairPage:
    """The page for two rows, by default the two best. Raises UnknownCell."""
    there = pairs.choices(compared)
    choices = [(name, compared.entry(name).title) for name in there]
    pair = pairs.chosen_pair(compared, first, second if second != first else "")
    if pair is None:
        return PairPage(choices)
    tests = pairs.tests_of_pair(compared.inputs, pair, compared.asked.alpha)
    return PairPage(
        choices=choices,
        first=pair.first,
        second=pair.second,
        codes=(tests.first, tests.second),
        many=many_sentences(compared),
        tests=tests,
        answered=[(QUESTIONS[each.question], each, TESTS[each.test]) for each in tests.defaults],
        every=[(OF_WORDS[each.of], each, TESTS[each.test]) for each in tests.results],
        differences=_differences(compared, pair),
        histograms=paired_histograms(compared, pair, "tests"),
    )


def many_sentences(compared: ComparisonResult) -> list[str]:
    """What is said over all methods at once, where there are enough of them."""
    alpha = compared.asked.alpha
    ranked = rank_pairs(compared.inputs, alpha)
    right = pairs.cochran_of_methods(compared.inputs, alpha)
    if isinstance(ranked, NoRankTest):
        return [right.sentence] if right.p is not None else []
    other = pairs.by_average_rank(compared.inputs, alpha)
    nemenyi = [] if isinstance(other, NoRankTest) else [other.sentence]
    return [*nemenyi, right.sentence]


def _differences(compared: ComparisonResult, pair: pairs.ChosenPair) -> list[DifferenceRow]:
    found = pairs.shown_differences(compared, pair)
    at = compared.one_tolerance
    return [_compare(ALL_COLUMNS[column], at, each) for column, each in found.items()]


def relative_words(column: LeaderboardColumn, found: FigureDifference) -> str:
    """`14.5 % lower`: the first beside the second, of figures that are sizes and no shares."""
    if column.key not in SIZES or not found.second or found.difference is None:
        return ""
    percent = 100 * found.difference / found.second
    return f"{abs(percent):.1f}{HARD}% {'lower' if percent < 0 else 'higher'}"


def _compare(
    column: LeaderboardColumn, tolerance: int | None, found: FigureDifference
) -> DifferenceRow:
    return DifferenceRow(
        column.head_at(tolerance),
        column.title,
        column.write(found.first),
        column.write(found.second),
        column.difference(found.difference),
        relative_words(column, found),
        column.interval(found.low, found.high) or "–",
        found.clear,
    )
