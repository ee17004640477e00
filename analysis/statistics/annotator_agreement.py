"""People as instruments: against each other, over the order of work, and by their absence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from analysis.statistics.answers import Answers, Bools, Floats, Indices, errors, same_series
from analysis.statistics.leaderboard_figures import mean_sd_median, share_of
from analysis.statistics.pairwise_agreement import agreements
from analysis.statistics.people_consensus import consensus

LEAST_FOR_DRIFT: Final = 10


@dataclass(frozen=True, slots=True)
class PairOfPeople:
    """Two people on the series that both have answered.

    n, same            series with a vote of both; those with the same yes/no, None if untold
    n_steady           series that both call steady; the distances are over these
    mean_abs           mean |first - second|, in iterations; None without
    median_abs         median of the same
    within             of the n_steady, those at most the tolerance apart
    """

    first: str
    second: str
    n: int
    same: int | None
    n_steady: int
    mean_abs: float | None
    median_abs: float | None
    within: int

    @property
    def same_share(self) -> float | None:
        return None if self.same is None else share_of(self.same, self.n)

    @property
    def within_share(self) -> float | None:
        return share_of(self.within, self.n_steady)


@dataclass(frozen=True, slots=True)
class SpreadBand:
    """Series whose spread lies in [low, high); `high` is None for the last band."""

    low: int
    high: int | None
    n: int


@dataclass(frozen=True, slots=True)
class MarkDrift:
    """Movement of one person's marks in the order in which they worked.

    Distances are signed: mark - middle of the others' marks, positive is later than the others.

    n          series with a mark of theirs and of somebody else, in a known order
    first      median distance in the first third of them; None below LEAST_FOR_DRIFT
    last       median distance in the last third
    rho, p     Spearman's correlation of distance and order; None where undefined
    """

    person: str
    n: int
    first: float | None
    last: float | None
    rho: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class AnnotatorAbsence:
    """Change of the ground truth when one person's answers are left out.

    n          series with a ground truth, with or without them
    changed    series whose answer changes
    yes_no     of these, where steady, never and undecided change
    shifted    series that stay steady, from another iteration
    median_abs median |without - with| over the shifted ones; None without
    mean_shift mean of without - with over all that stay steady; None without
    """

    person: str
    n: int
    changed: int
    yes_no: int
    shifted: int
    median_abs: float | None
    mean_shift: float | None

    @property
    def changed_share(self) -> float | None:
        return share_of(self.changed, self.n)


def anybody_says_never(people: Iterable[Answers]) -> bool:
    """True where a person answers never: people shown steady series only agree by construction."""
    return any(answers.never.any() for answers in people)


def yes_no_counts(people: Sequence[Answers]) -> Indices:
    """int64 (series, 2): how many say steady, how many say never."""
    n = same_series(people)
    if not people:
        return np.zeros((n, 2), dtype=np.int64)
    steady_counts = np.array([answers.steady for answers in people]).sum(axis=0)
    never_counts = np.array([answers.never for answers in people]).sum(axis=0)
    return np.stack([steady_counts, never_counts], axis=1).astype(np.int64)


def marks_called_steady(people: Sequence[Answers]) -> Floats:
    """float64 (people, series): marks of the series that nobody calls never; NaN elsewhere."""
    n = same_series(people)
    if not people:
        return np.empty((0, n))
    has_no_never = ~np.array([answers.never for answers in people]).any(axis=0)
    return np.array(
        [np.where(answers.steady & has_no_never, answers.index, np.nan) for answers in people]
    )


def pairs_of_people(
    people: Mapping[str, Answers], tolerance: ArrayLike
) -> tuple[PairOfPeople, ...]:
    """Every pair; `tolerance` in iterations, one or one a series."""
    same_series(list(people.values()))
    pairs = []
    for (first_person, a), (second_person, b) in combinations(people.items(), 2):
        answered_mask, steady_mask = a.given & b.given, a.steady & b.steady
        distances = np.abs(errors(a, b))[steady_mask]
        mean, _, median = mean_sd_median(distances)
        pairs.append(
            PairOfPeople(
                first_person,
                second_person,
                int(answered_mask.sum()),
                int((answered_mask & (a.steady == b.steady)).sum()),
                distances.size,
                mean,
                median,
                int((agreements(a, b, tolerance) & steady_mask).sum()),
            )
        )
    return tuple(pairs)


def spreads(people: Sequence[Answers]) -> Floats:
    """float64 (series,): largest minus smallest steady mark; NaN with fewer than two marks."""
    n = same_series(people)
    if not people:
        return np.full(n, np.nan)
    steady_masks = np.array([answers.steady for answers in people])
    starts = np.array([answers.index for answers in people])
    latest_start = np.where(steady_masks, starts, -np.inf).max(axis=0)
    earliest_start = np.where(steady_masks, starts, np.inf).min(axis=0)
    return np.where(steady_masks.sum(axis=0) > 1, latest_start - earliest_start, np.nan)


def bands(spread: Floats, limits: Sequence[int]) -> tuple[SpreadBand, ...]:
    """Counts of spreads from 0 to the first limit, between limits, and from the last on."""
    edges = [0, *limits]
    band_ends: list[int | None] = [*limits, None]
    return tuple(
        SpreadBand(low, high, int(in_band(spread, low, high).sum()))
        for low, high in zip(edges, band_ends, strict=True)
    )


def in_band(spread: Floats, low: int, high: int | None) -> Bools:
    """Spreads in [low, high); a NaN is in none."""
    is_inside: Bools = (spread >= low) & (spread < (np.inf if high is None else high))
    return is_inside


@dataclass(frozen=True, slots=True)
class MarkOffsets:
    """Position of one person's marks against the middle of the others' marks, in iterations.

    quantiles  5, 25, 50, 75 and 95 % of the person's marks minus that middle; positive is later
    """

    person: str
    n: int
    quantiles: tuple[float, float, float, float, float]

    @property
    def median(self) -> float:
        return self.quantiles[2]


def mark_offsets(person: str, people: Mapping[str, Answers]) -> MarkOffsets | None:
    """Quantiles of the distances to the others; None without a series that others mark, too."""
    distances = _distances_to_others(person, people)
    finite_distances = distances[~np.isnan(distances)]
    if not finite_distances.size:
        return None
    q05, q25, median, q75, q95 = np.quantile(
        finite_distances, (0.05, 0.25, 0.5, 0.75, 0.95)
    ).tolist()
    return MarkOffsets(person, finite_distances.size, (q05, q25, median, q75, q95))


def _distances_to_others(person: str, people: Mapping[str, Answers]) -> Floats:
    own_answers = people[person]
    others_consensus = consensus(
        [answers for name, answers in people.items() if name != person], own_answers.n
    )
    return errors(own_answers, others_consensus)


def drift(person: str, people: Mapping[str, Answers], work_order: Floats) -> MarkDrift:
    """`work_order`: float64 (series,), when this person answered each; NaN where unknown."""
    distances = _distances_to_others(person, people)
    is_timed = ~np.isnan(distances) & ~np.isnan(work_order)
    ordered_distances = distances[is_timed][np.argsort(work_order[is_timed], kind="stable")]
    if ordered_distances.size < LEAST_FOR_DRIFT:
        return MarkDrift(person, ordered_distances.size, None, None, None, None)
    third_length = ordered_distances.size // 3
    rho, p = _rank_correlation(ordered_distances)
    return MarkDrift(
        person,
        ordered_distances.size,
        float(np.median(ordered_distances[:third_length])),
        float(np.median(ordered_distances[-third_length:])),
        rho,
        p,
    )


def _rank_correlation(ordered_distances: Floats) -> tuple[float | None, float | None]:
    if np.ptp(ordered_distances) == 0:
        return None, None
    # Imported here: SciPy's statistics take a second to load.
    from scipy.stats import spearmanr  # noqa: PLC0415

    correlation = spearmanr(np.arange(ordered_distances.size), ordered_distances)
    return float(correlation.statistic), float(correlation.pvalue)


def absence(person: str, full_truth: Floats, reduced_truth: Floats) -> AnnotatorAbsence:
    """Ground truth with and without one person: starts, -1 never, NaN undecided."""
    is_counted = ~np.isnan(full_truth) | ~np.isnan(reduced_truth)
    answer_kinds = [
        np.where(np.isnan(starts), -2, np.minimum(starts, 0))
        for starts in (full_truth, reduced_truth)
    ]
    is_other_kind = is_counted & (answer_kinds[0] != answer_kinds[1])
    steady_mask = is_counted & (answer_kinds[0] == 0) & (answer_kinds[1] == 0)
    shifts = (reduced_truth - full_truth)[steady_mask]
    shift_sizes = np.abs(shifts[shifts != 0])
    return AnnotatorAbsence(
        person,
        int(is_counted.sum()),
        int(is_other_kind.sum()) + shift_sizes.size,
        int(is_other_kind.sum()),
        shift_sizes.size,
        mean_sd_median(shift_sizes)[2],
        mean_sd_median(shifts)[0],
    )


def changed_mask(full_truth: Floats, reduced_truth: Floats) -> Bools:
    """Series whose answer differs; undecided twice is the same."""
    is_same = (full_truth == reduced_truth) | (np.isnan(full_truth) & np.isnan(reduced_truth))
    is_different: Bools = ~is_same
    return is_different
