"""Average ranks of methods, and which of them can be told apart.

Friedman's test asks whether any differ; Wilcoxon's signed-rank test, adjusted by Holm over all
pairs, asks which. Demšar 2006 introduced the diagram; Benavoli, Corani & Mangili 2016 argue for
Wilcoxon instead of a test on average ranks, whose verdict on a pair depends on the other methods.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from analysis.statistics.answers import Answers, Floats, errors, same_series
from analysis.statistics.bootstrap import BootstrapSettings, median_interval
from analysis.statistics.signed_ranks import friedman, method_ranks, signed_rank

LEAST_METHODS: Final = 3
LEAST_SERIES: Final = 10
ALPHA: Final = 0.05


@dataclass(frozen=True, slots=True)
class RankedPair:
    """Two methods, the better average rank first.

    median_difference  of |error| first - second, over series that neither misses; None without
    low, high          its 95 % bootstrap interval
    rank_biserial      -1 to 1, positive: the first errs less (Kerby 2014); None if all equal
    p, p_holm          Wilcoxon signed rank, two-sided; raw and adjusted over all pairs
    differ             p_holm < alpha
    """

    first: str
    second: str
    median_difference: float | None
    low: float | None
    high: float | None
    rank_biserial: float | None
    p: float
    p_holm: float
    differ: bool


@dataclass(frozen=True, slots=True)
class MethodRank:
    method: str
    average_rank: float


@dataclass(frozen=True, slots=True)
class RankTest:
    """Methods from the best average rank to the worst.

    bars  maximal runs of neighbours of which no pair differs
    also  pairs that do not differ and lie in no bar
    """

    methods: tuple[MethodRank, ...]
    n: int
    alpha: float
    friedman: float | None
    p: float | None
    pairs: tuple[RankedPair, ...]
    bars: tuple[tuple[str, ...], ...]
    also: tuple[tuple[str, str], ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class NoRankTest:
    """Reason why no diagram of ranks is drawn."""

    sentence: str


def rank_test(
    methods: Mapping[str, Answers], truth: Answers, *, alpha: float = ALPHA
) -> RankTest | NoRankTest:
    """Average ranks of |error| over the series that the yardstick calls steady and all answered.

    Rank 1 is the least error; ties share their mean rank; a missed series is worse than any
    error, and two misses are equal.
    """
    sizes = _error_sizes(methods, truth)
    return sizes if isinstance(sizes, NoRankTest) else _test_ranks(tuple(methods), sizes, alpha)


def _error_sizes(methods: Mapping[str, Answers], truth: Answers) -> Floats | NoRankTest:
    """|error| of each method (row) on the series that count (columns), infinite where it misses."""
    same_series([truth, *methods.values()])
    is_counted = np.all([truth.steady, *(answers.given for answers in methods.values())], axis=0)
    if len(methods) < LEAST_METHODS or is_counted.sum() < LEAST_SERIES:
        return NoRankTest(
            f"Average ranks need at least {LEAST_METHODS} methods and {LEAST_SERIES} series that "
            f"all have answered; found {len(methods)} methods and {is_counted.sum()} series."
        )
    sizes = [
        np.where(answers.never, np.inf, np.abs(errors(answers, truth)))
        for answers in methods.values()
    ]
    return np.array(sizes)[:, is_counted]


def _test_ranks(names: Sequence[str], sizes: Floats, alpha: float) -> RankTest:
    ranks = method_ranks(sizes)
    mean_ranks = ranks.mean(axis=1)
    ranked_indices = np.argsort(mean_ranks, kind="stable")
    ranking = [names[i] for i in ranked_indices]
    pairs = _ranked_pairs(ranking, sizes[ranked_indices], alpha)
    same_pairs = {(pair.first, pair.second) for pair in pairs if not pair.differ}
    bars, further_pairs = cliques(ranking, same_pairs)
    statistic, p = friedman(ranks)
    return RankTest(
        tuple(MethodRank(names[i], float(mean_ranks[i])) for i in ranked_indices),
        sizes.shape[1],
        alpha,
        statistic,
        p,
        pairs,
        bars,
        further_pairs,
        _sentence(ranking, pairs, p, alpha),
    )


def _ranked_pairs(ranking: Sequence[str], sizes: Floats, alpha: float) -> tuple[RankedPair, ...]:
    index_pairs = list(combinations(range(len(ranking)), 2))
    signed_ranks = [signed_rank(_differences(sizes[i], sizes[j])) for i, j in index_pairs]
    adjusted_ps = holm([p for p, _ in signed_ranks])
    return tuple(
        RankedPair(
            ranking[i],
            ranking[j],
            *_median_difference(sizes[i], sizes[j]),
            rank_biserial,
            p,
            p_holm,
            differ=p_holm < alpha,
        )
        for (i, j), (p, rank_biserial), p_holm in zip(
            index_pairs, signed_ranks, adjusted_ps, strict=True
        )
    )


def _differences(first: Floats, second: Floats) -> Floats:
    """|error| of the second minus the first, so that positive favours the first.

    A miss by one alone outweighs every finite difference, and two misses are equal.
    """
    both_finite = np.isfinite(first) & np.isfinite(second)
    difference = np.zeros(first.size)
    difference[both_finite] = second[both_finite] - first[both_finite]
    fill_size = 1.0 + np.abs(difference).max(initial=0.0)
    difference[np.isfinite(first) & ~both_finite] = fill_size
    difference[np.isfinite(second) & ~both_finite] = -fill_size
    return difference


def _median_difference(
    first: Floats, second: Floats
) -> tuple[float | None, float | None, float | None]:
    """The median and the bounds of its interval."""
    both_finite = np.isfinite(first) & np.isfinite(second)
    difference = first[both_finite] - second[both_finite]
    interval = median_interval(difference, BootstrapSettings())
    if interval is None:
        return None, None, None
    return float(np.median(difference)), *interval


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment: from the least p up, times what is left, never falling."""
    adjusted_ps = [0.0] * len(p_values)
    largest_p = 0.0
    for step, p_index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest_p = max(largest_p, min(1.0, (len(p_values) - step) * p_values[p_index]))
        adjusted_ps[p_index] = largest_p
    return adjusted_ps


Bars = tuple[tuple[str, ...], ...]
Pairs = tuple[tuple[str, str], ...]


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted for the false discovery rate, in the order given; None stays None."""
    p_indices = [p_index for p_index, p in enumerate(p_values) if p is not None]
    adjusted_ps: list[float | None] = [None] * len(p_values)
    if p_indices:
        from scipy import stats  # noqa: PLC0415  # seconds to load

        adjusted_values = stats.false_discovery_control([p for p in p_values if p is not None])
        for p_index, p in zip(p_indices, adjusted_values.tolist(), strict=True):
            adjusted_ps[p_index] = p
    return adjusted_ps


def cliques(ranking: Sequence[str], same_pairs: Collection[tuple[str, str]]) -> tuple[Bars, Pairs]:
    """Bars of the diagram, and the pairs that do not differ but that no bar joins.

    `same_pairs` holds pairs that do not differ, in either order. A bar is a run of neighbours in
    rank order of which no pair differs, and that no longer run contains.
    """
    alike_pairs = {frozenset(pair) for pair in same_pairs}
    bar_ends = [_bar_end(ranking, start, alike_pairs) for start in range(len(ranking))]
    bars = tuple(
        tuple(ranking[start:end])
        for start, end in enumerate(bar_ends)
        if end - start > 1 and (start == 0 or bar_ends[start - 1] < end)
    )
    joined_pairs = {frozenset(pair) for bar in bars for pair in combinations(bar, 2)}
    further_pairs = tuple(
        pair
        for pair in combinations(ranking, 2)
        if frozenset(pair) in alike_pairs and frozenset(pair) not in joined_pairs
    )
    return bars, further_pairs


def _bar_end(ranking: Sequence[str], start: int, alike_pairs: Collection[frozenset[str]]) -> int:
    """End of the longest run from `start` in which every pair is alike."""
    end = start + 1
    while end < len(ranking) and all(
        frozenset((ranking[i], ranking[end])) in alike_pairs for i in range(start, end)
    ):
        end += 1
    return end


# --- Nemenyi ----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Nemenyi:
    """Nemenyi's test of average ranks: one critical difference for every pair.

    pairs                every pair, the better average rank first
    differing            those whose average ranks are further apart than the critical difference
    critical_difference  at alpha
    """

    alpha: float
    n: int
    critical_difference: float
    pairs: int
    differing: tuple[tuple[str, str], ...]
    sentence: str


def nemenyi(
    methods: Mapping[str, Answers], truth: Answers, *, alpha: float = ALPHA
) -> Nemenyi | NoRankTest:
    """The other test of every pair, on the ranks and series of `rank_test`."""
    sizes = _error_sizes(methods, truth)
    if isinstance(sizes, NoRankTest):
        return sizes
    from analysis.statistics import scipy_rank_tests  # noqa: PLC0415

    mean_ranks = method_ranks(sizes).mean(axis=1)
    critical_difference = scipy_rank_tests.critical_difference(len(methods), sizes.shape[1], alpha)
    pairs = _ordered_pairs(mean_ranks)
    far_pairs = tuple(
        (i, j) for i, j in pairs if mean_ranks[j] - mean_ranks[i] > critical_difference
    )
    names = tuple(methods)
    sentence = (
        f"By Nemenyi's test average ranks differ from {critical_difference:.2f} on at {alpha:g}: "
        f"{len(far_pairs)} of {len(pairs)} pairs do."
    )
    differing_pairs = tuple((names[i], names[j]) for i, j in far_pairs)
    return Nemenyi(
        alpha, sizes.shape[1], critical_difference, len(pairs), differing_pairs, sentence
    )


def nemenyi_p(methods: Mapping[str, Answers], truth: Answers) -> Mapping[tuple[str, str], float]:
    """Nemenyi's p of every pair, the better average rank first; nothing where there are too few."""
    sizes = _error_sizes(methods, truth)
    if isinstance(sizes, NoRankTest):
        return {}
    from analysis.statistics import scipy_rank_tests  # noqa: PLC0415

    ranks, names = method_ranks(sizes), tuple(methods)
    p_values = scipy_rank_tests.nemenyi(ranks)
    pairs = _ordered_pairs(ranks.mean(axis=1))
    return {(names[i], names[j]): float(p_values[i, j]) for i, j in pairs}


def _ordered_pairs(mean_ranks: Floats) -> list[tuple[int, int]]:
    """Places of every pair, the better average rank first."""
    return list(combinations(np.argsort(mean_ranks, kind="stable").tolist(), 2))


def _sentence(
    ranking: Sequence[str], pairs: Sequence[RankedPair], p: float | None, alpha: float
) -> str:
    best_name = ranking[0]
    rivals = [pair.second for pair in pairs if pair.first == best_name and not pair.differ]
    differing_count = sum(pair.differ for pair in pairs)
    if p is None or p >= alpha:
        claim = f"By Friedman's test the methods do not differ at {alpha:g}"
    else:
        claim = f"{best_name} has the best average rank"
        claim += (
            f", not significantly different from {', '.join(rivals)}"
            if rivals
            else ", different from all others"
        )
    return f"{claim}; {differing_count} of {len(pairs)} pairs differ at {alpha:g}."
