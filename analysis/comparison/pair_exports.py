"""Tables of a comparison in which two methods share a row, and bins of histograms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from analysis.comparison import bars, pairs, plots
from analysis.comparison.table import ComparisonResult, rank_pairs
from analysis.statistics.histograms import histogram
from analysis.statistics.pairs import adjusted_over_all
from analysis.statistics.ranks import Nemenyi, NoRankTest
from formats.tables import Cell, picked

Row = tuple[Cell, ...]
Rows = Iterator[Row]

TESTS: Final = (
    "first",
    "second",
    "question",
    "test",
    "of",
    "default",
    "n",
    "statistic",
    "p",
    "p_adjusted",
    "p_adjusted_all",
    "p_of_five",
    "differ",
    "sentence",
)
EFFECTS: Final = (
    "first",
    "second",
    "n",
    "rank_biserial",
    "a12",
    "skewness",
    "shapiro",
    "shapiro_p",
    "symmetric",
    "sentence",
)
DIFFERENCES: Final = (
    "first",
    "second",
    "figure",
    "of_first",
    "of_second",
    "difference",
    "low",
    "high",
)
JOINT: Final = ("first", "second", "n", "both_right", "first_right", "second_right", "both_wrong")
DIRECTIONS: Final = ("method", "n", "under", "exact", "over")
BINS: Final = ("method", "from", "up_to", "series")
MANY: Final = ("test", "methods", "n", "statistic", "degrees", "p", "sentence")
RANKS: Final = (
    "first",
    "second",
    "median_difference",
    "low",
    "high",
    "rank_biserial",
    "p",
    "p_holm",
    "differ",
    "p_nemenyi",
)


def tests(compared: ComparisonResult) -> Rows:
    """Every test of every pair; adjusted within the pair, and over all pairs."""
    found = pairs.every_pair(compared)
    over_all = adjusted_over_all(list(found.values()))
    for (pair, one), adjusted in zip(found.items(), over_all, strict=True):
        for result, p in zip(one.results, adjusted, strict=True):
            yield picked(TESTS, pair, result, p_adjusted_all=p)


def effects(compared: ComparisonResult) -> Rows:
    """How large the difference of each pair is, and whether it is symmetric."""
    for pair, found in pairs.every_pair(compared).items():
        skew = found.skew["absolute"]
        yield picked(EFFECTS, pair, found, found.effect, skew, shapiro_p=skew.p)


def differences(compared: ComparisonResult) -> Rows:
    """Every figure of every pair with the interval of its difference."""
    for pair in pairs.all_pairs(compared):
        for one in pairs.shown_differences(compared, pair).values():
            yield picked(DIFFERENCES, pair, one, of_first=one.first, of_second=one.second)


def joint(compared: ComparisonResult) -> Rows:
    for pair in pairs.all_pairs(compared):
        counts = pairs.joint_counts(compared, pair)
        yield (pair.first, pair.second, sum(counts), *counts)


def directions(compared: ComparisonResult) -> Rows:
    """Series on which each row is too early, exact and too late, without tolerance."""
    for entry in compared.entries:
        yield (entry.name, entry.row.distances.n, *bars.directions(compared, entry))


def bins(compared: ComparisonResult) -> Rows:
    """The histogram of the signed error of each row."""
    for entry in compared.entries:
        if not entry.row.distances.n:
            continue
        found = histogram(plots.signed_errors(compared, entry.name))
        for low, high, count in zip(found.edges, found.edges[1:], found.counts, strict=False):
            yield entry.name, low, high, count


def many(compared: ComparisonResult) -> Rows:
    """Tests over all methods at once."""
    alpha = compared.asked.alpha
    ranked, right = rank_pairs(compared.inputs, alpha), pairs.cochran_of_methods(compared)
    if not isinstance(ranked, NoRankTest):
        methods = len(ranked.methods)
        yield "friedman", methods, ranked.n, ranked.friedman, methods - 1, ranked.p, ranked.sentence
    nemenyi = pairs.by_average_rank(compared.inputs, alpha)
    if isinstance(nemenyi, Nemenyi):
        apart = nemenyi.critical_difference
        yield "nemenyi", len(right.methods), nemenyi.n, apart, None, None, nemenyi.sentence
    n, degrees = len(right.methods), right.degrees
    yield "cochran-q", n, right.n, right.statistic, degrees, right.p, right.sentence


def ranks(compared: ComparisonResult) -> Rows:
    """Every pair of the rank test, Nemenyi's p beside it."""
    test = rank_pairs(compared.inputs, compared.asked.alpha)
    if isinstance(test, NoRankTest):
        return
    by_ranks = pairs.p_by_average_rank(compared.inputs)
    for pair in test.pairs:
        yield picked(RANKS, pair, p_nemenyi=by_ranks.get((pair.first, pair.second)))


PAIR_TABLES: Final = {
    "ranks": (RANKS, ranks),
    "tests": (TESTS, tests),
    "effects": (EFFECTS, effects),
    "differences": (DIFFERENCES, differences),
    "many": (MANY, many),
    "joint": (JOINT, joint),
    "directions": (DIRECTIONS, directions),
    "histograms": (BINS, bins),
}
