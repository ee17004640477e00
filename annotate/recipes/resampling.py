"""Resampling of a ground truth: marks drawn anew from those there are.

The votes of one series are drawn with replacement, as many as there are, and the recipe answers
again. Of few votes every multiset has a known probability, so nothing is left to chance; of more
than EXACT_UP_TO votes, DRAWN multisets are drawn with a fixed seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final, NamedTuple

import numpy as np

from annotate.recipes.contract import RecipeMark
from annotate.recipes.vectorised import Bools, Floats, Indices, ground_truths_of, votes_of

EXACT_UP_TO: Final = 6  # votes; 462 multisets
DRAWN: Final = 1000
SEED: Final = 0
LOW, HIGH = 0.1, 0.9
ROUNDING: Final = 1e-9  # of sums of probabilities
SHARE_DIGITS: Final = 4  # of a share in files: more would be rounding


class VotePatterns(NamedTuple):
    """Multisets of m votes: int64 (p, m) places in ascending order, and their probabilities."""

    places: Indices
    weights: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ResampledAnswers:
    """The recipe's answers to resampled votes, one entry a row of votes.

    low, high  10 % and 90 % quantile of the start over the resamples that say steady: iterations
               that somebody marked; NaN where none says steady
    steady     share of the resamples that say steady; NaN without votes
    """

    low: Floats
    high: Floats
    steady: Floats


@dataclass(frozen=True, slots=True)
class ResampledInterval:
    """The ground truth of one series under resampled votes: a cell of tables and files.

    low, high  iterations; None where no resample says steady
    steady     share of the resamples that say steady
    """

    low: int | None
    high: int | None
    steady: float


@lru_cache(maxsize=64)
def patterns(m: int) -> VotePatterns:
    """Every multiset of m of m votes with its probability, or DRAWN of them for a large m."""
    if m > EXACT_UP_TO:
        drawn_indices = np.random.default_rng([SEED, m]).integers(0, m, size=(DRAWN, m))
        vote_indices, counts = np.unique(np.sort(drawn_indices, axis=1), axis=0, return_counts=True)
        return VotePatterns(vote_indices, counts / DRAWN)
    multisets = list(combinations_with_replacement(range(m), m))
    weights = [
        factorial(m) / prod(factorial(multiset.count(vote)) for vote in range(m))
        for multiset in multisets
    ]
    return VotePatterns(np.array(multisets, dtype=np.int64), np.array(weights) / float(m) ** m)


def resample_answers(slug: str, votes: Floats, params: Mapping[str, int]) -> ResampledAnswers:
    """Interval and share of each row of `votes` (`many.votes_of`), under one recipe."""
    low, high, share = (np.full(len(votes), np.nan) for _ in range(3))
    for rows, starts, weights in _pattern_answers(slug, votes, params):
        low[rows] = _quantile(starts, weights, LOW)
        high[rows] = _quantile(starts, weights, HIGH)
        share[rows] = ((starts >= 0) * weights).sum(axis=1)
    return ResampledAnswers(low, high, share)


def intervals(
    slug: str,
    rows: Sequence[Sequence[RecipeMark]],
    people: Sequence[str],
    params: Mapping[str, int],
) -> list[ResampledInterval | None]:
    """An interval for the marks of each series; None for one without a vote.

    `people` are the annotators in annotator order.
    """
    answers = resample_answers(slug, votes_of(rows, people), params)
    return [
        None
        if np.isnan(steady)
        else ResampledInterval(
            _integer_or_none(low), _integer_or_none(high), round(float(steady), SHARE_DIGITS)
        )
        for low, high, steady in zip(answers.low, answers.high, answers.steady, strict=True)
    ]


def _integer_or_none(start: float) -> int | None:
    return None if np.isnan(start) else int(start)


def resampled_starts(
    slug: str, votes: Floats, params: Mapping[str, int], *, times: int, seed: int = SEED
) -> Floats:
    """Starts of `times` scenarios, float64 (times, rows): in each, rows draw votes of their own.

    An iteration, NEVER, or NaN for undecided and for a row without votes.
    """
    generator = np.random.default_rng(seed)
    scenarios = np.full((times, len(votes)), np.nan)
    for rows, starts, weights in _pattern_answers(slug, votes, params):
        drawn_patterns = generator.choice(len(weights), size=(times, starts.shape[0]), p=weights)
        scenarios[:, np.flatnonzero(rows)] = starts[np.arange(starts.shape[0]), drawn_patterns]
    return scenarios


def _pattern_answers(
    slug: str, votes: Floats, params: Mapping[str, int]
) -> Iterator[tuple[Bools, Floats, Floats]]:
    """Yield, for each number of votes: its rows, their answers to every pattern, and
    probabilities.
    """
    has_vote = ~np.isnan(votes)
    counts = has_vote.sum(axis=1)
    for m in np.unique(counts[counts > 0]).tolist():
        rows: Bools = counts == m
        # The votes themselves, still in the order of the annotators.
        order = np.argsort(~has_vote[rows], axis=1, kind="stable")[:, :m]
        own_votes = np.take_along_axis(votes[rows], order, axis=1)
        places, weights = patterns(m)
        drawn_votes = own_votes[:, places].reshape(-1, m)
        yield (
            rows,
            ground_truths_of(slug, drawn_votes, params).start.reshape(len(own_votes), -1),
            weights,
        )


def _quantile(starts: Floats, weights: Floats, level: float) -> Floats:
    """The least start that at least `level` of the steady weight does not exceed."""
    steady_starts = np.where(starts >= 0, starts, np.inf)
    order = np.argsort(steady_starts, axis=1, kind="stable")
    sorted_starts = np.take_along_axis(steady_starts, order, axis=1)
    cumulative_weights = np.where(np.isfinite(sorted_starts), weights[order], 0.0).cumsum(axis=1)
    total = cumulative_weights[:, -1:]
    quantile_index = (cumulative_weights < level * total - ROUNDING).sum(axis=1)
    quantile = np.take_along_axis(sorted_starts, quantile_index[:, None], axis=1)[:, 0]
    return np.where(np.isfinite(quantile), quantile, np.nan)
