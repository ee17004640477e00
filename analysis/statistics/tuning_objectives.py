"""Objectives of tuning: figures, weights, front, unseen systems.

All over a table of answers (sets, series) against one yardstick. Every figure is one to make
small. They are those of the comparison table (`rows`), computed for all sets at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from analysis.statistics.answers import NEVER, Answers, Bools, Floats, Indices
from analysis.statistics.start_outcomes import StartOutcomes
from detectors.parameter_sets.evaluation import NO_ANSWER, Table

Objective = Literal[
    "manhattan",
    "fp",
    "fn",
    "bias",
    "variance",
    "mean_abs",
    "median_abs",
    "machine_time",
    "result_error",
]

OBJECTIVES: Final[Mapping[Objective, str]] = {
    "manhattan": "total deviation: sum of |error|, iterations",
    "fp": "false positives: steady where the yardstick says never",
    "fn": "false negatives: never where the yardstick says steady",
    "bias": "|mean error|, iterations",
    "variance": "variance of the errors, iterations²",
    "mean_abs": "mean of |error|, iterations",
    "median_abs": "median of |error|, iterations",
    "machine_time": "machine time: warm-up and measurement of all series",
    "result_error": "error of the result: median of |measured mean / steady mean − 1|, %",
}
"""What can be made small, and what it is.

Errors are over series that both call steady, so a set that says never wherever it would be wrong
has small ones: give the false negatives a weight beside them. The last two need the values of the
series (`StartOutcomes`).
"""

COSTS: Final[tuple[Objective, ...]] = ("machine_time", "result_error")
FOLDS: Final = 6
AT_ONCE: Final = 512  # sets whose errors are held in memory at the same time
EXACT: Final = 1 + 1e-9  # factor that lets a limit count as met despite rounding


ObjectiveFigures = Mapping[str, Floats]
"""Figures of every set by name: float64 (k,) each, NaN where there is no error to judge.

n        series that both the set and the yardstick call steady: those with an error
answers  series with an answer of both; the others are those of OBJECTIVES
"""


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutSystems:
    """Some systems, which series are theirs (bool), and every set's figures on all others."""

    systems: tuple[str, ...]
    rows: Bools
    seen: ObjectiveFigures


@dataclass(frozen=True, slots=True)
class TuningFold:
    """Systems that were held out, and the set that the others chose."""

    held_out: tuple[str, ...]
    chosen: int
    seen: float
    unseen: float


@dataclass(frozen=True, slots=True, eq=False)
class TuningValidation:
    """Quality of a tuning on systems that it has not seen, beside what it promises.

    best        the set chosen on all series, `optimistic` its score and figures on these
    answers     int32 (series,): each series answered by the set that the other folds chose
    score, figures  of these answers: what may be expected of a system not seen
    baseline_score, baseline_figures  of the set to stand beside (the defaults), if one is named
    """

    best: int
    optimistic: float
    optimistic_figures: dict[str, float]
    answers: NDArray[np.int32]
    score: float
    figures: dict[str, float]
    folds: tuple[TuningFold, ...]
    baseline_score: float | None
    baseline_figures: dict[str, float] | None


def figures(
    table: Table, truth: Answers, mask: Bools | None = None, outcomes: StartOutcomes | None = None
) -> ObjectiveFigures:
    """The figures of every set of `table` int32 (k, series), on some series or on all.

    outcomes  what tests of the series cost; without, machine time and error of the result are NaN
    """
    is_judged = truth.given if mask is None else truth.given & mask
    answers, judged_truth = table[:, is_judged], truth.take(is_judged)
    judged_outcomes = None if outcomes is None else outcomes.take(is_judged)
    batches = [
        _figures(answers[first_index : first_index + AT_ONCE], judged_truth, judged_outcomes)
        for first_index in range(0, max(len(answers), 1), AT_ONCE)
    ]
    return {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}


def figures_of_set(set_figures: ObjectiveFigures, set_index: int) -> dict[str, float]:
    """The figures of one set by name."""
    return {name: float(values[set_index]) for name, values in set_figures.items()}


def _figures(answers: Table, truth: Answers, outcomes: StartOutcomes | None) -> dict[str, Floats]:
    steady_mask, has_answer = answers > NEVER, answers != NO_ANSWER
    steady_in_both = steady_mask & truth.steady
    n = steady_in_both.sum(axis=1).astype(np.float64)
    errors = np.where(steady_in_both, answers - np.where(truth.steady, truth.index, 0.0), np.nan)
    error_sizes = np.abs(errors)
    error_sums = np.nansum(error_sizes, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):  # some sets have no error at all
        mean = np.nansum(errors, axis=1) / n
        variance = np.nansum((errors - mean[:, None]) ** 2, axis=1) / n
        mean_abs = error_sums / n
    machine_time, result_error = (
        outcomes.figures(answers) if outcomes else np.full((2, len(answers)), np.nan)
    )
    return {
        "n": n,
        "answers": has_answer.sum(axis=1).astype(np.float64),
        "manhattan": np.where(n > 0, error_sums, np.nan),
        "fp": (steady_mask & truth.never).sum(axis=1).astype(np.float64),
        "fn": (has_answer & ~steady_mask & truth.steady).sum(axis=1).astype(np.float64),
        "bias": np.abs(mean),
        "variance": variance,
        "mean_abs": mean_abs,
        "median_abs": row_medians(error_sizes, steady_in_both.sum(axis=1)),
        "machine_time": machine_time,
        "result_error": result_error,
    }


def row_medians(numbers: Floats, n: Indices) -> Floats:
    """Median of the n numbers of each row; NaN sorts last, so their count finds the middle."""
    if not numbers.shape[1]:
        return np.full(len(numbers), np.nan)
    sorted_numbers = np.sort(numbers, axis=1)
    count = np.maximum(n, 1)
    row = np.arange(len(numbers))
    medians: Floats = (sorted_numbers[row, (count - 1) // 2] + sorted_numbers[row, count // 2]) / 2
    return medians


def score(
    set_figures: ObjectiveFigures,
    weights: Mapping[Objective, float],
    scales: Mapping[Objective, float] | None = None,
    most_error: float | None = None,
) -> Floats:
    """One number a set, the smaller the better: the weighted sum of its figures over scales.

    `scales`: what counts as one of each objective (`scales_of`); 1 where nothing is said. A set
    without any error to judge has infinity, and so has one whose result is further off than
    `most_error` percent.
    """
    _refuse_weights(weights)
    scores = np.zeros(set_figures["n"].size)
    for objective, weight in weights.items():
        scores += weight * set_figures[objective] / (scales or {}).get(objective, 1.0)
    scores = np.where(np.isnan(scores), np.inf, scores)
    return (
        scores
        if most_error is None
        else np.where(error_mask(set_figures, most_error), scores, np.inf)
    )


def error_mask(set_figures: ObjectiveFigures, most_error: float) -> Bools:
    """Mask of sets that keep the error of the result within so many percent."""
    is_within: Bools = set_figures["result_error"] <= most_error * EXACT
    return is_within


def search_scores(
    scores: Floats, set_figures: ObjectiveFigures, most_error: float | None
) -> Floats:
    """Scores for a search, which learns from sets beyond the limit too: the less beyond the better.

    They stand behind all that are within it.
    """
    if most_error is None:
        return scores
    is_scored, has_result_error = np.isfinite(scores), np.isfinite(set_figures["result_error"])
    penalised_scores = scores[is_scored].max(initial=0.0) + set_figures["result_error"] - most_error
    return np.where(
        ~is_scored & has_result_error & ~error_mask(set_figures, most_error),
        penalised_scores,
        scores,
    )


def set_scales(set_figures: ObjectiveFigures, set_index: int) -> dict[Objective, float]:
    """Scales by which each objective of one set (say, the defaults) is 1; 1 where it is 0."""
    raw_scales = {objective: float(set_figures[objective][set_index]) for objective in OBJECTIVES}
    return {name: value if value > 0 else 1.0 for name, value in raw_scales.items()}


def _refuse_weights(weights: Mapping[Objective, float]) -> None:
    unknown_names = [name for name in weights if name not in OBJECTIVES]
    if unknown_names or not weights:
        raise ValueError(
            f"objectives: found {', '.join(unknown_names) or 'none'}, expected some of: "
            f"{', '.join(OBJECTIVES)}"
        )
    if min(weights.values()) < 0 or not any(weights.values()):
        raise ValueError(
            f"weights: found {sorted(weights.values())}, "
            "expected none below 0 and at least one above"
        )


def pareto_front(
    set_figures: ObjectiveFigures, objectives: Sequence[Objective], most_error: float | None = None
) -> Indices:
    """Sets that no other beats: none is as good in all objectives and better in one.

    Positions in rising order of the first objective; sets with equal figures are all there.
    A set without any error to judge is not, and neither stands there nor beats another one whose
    result is further off than `most_error` percent.
    """
    _refuse_weights(dict.fromkeys(objectives, 1.0))
    points = np.column_stack([set_figures[objective] for objective in objectives])
    is_complete = ~np.isnan(points).any(axis=1)
    judged_sets = np.flatnonzero(
        is_complete if most_error is None else is_complete & error_mask(set_figures, most_error)
    )
    distinct_points, point_of_set = np.unique(points[judged_sets], axis=0, return_inverse=True)
    is_in_front = _front_mask(distinct_points)
    front_sets = judged_sets[is_in_front[point_of_set.ravel()]]
    ordered_front: Indices = front_sets[np.lexsort(points[front_sets].T[::-1])]
    return ordered_front


def _front_mask(points: Floats) -> Bools:
    """Mask of distinct points, in lexical order, that no other point beats.

    In that order a point can only be beaten by one before it; each of the front sweeps away
    what it beats, so that few are left to look at.
    """
    front_mask = np.zeros(len(points), np.bool_)
    remaining_indices = np.arange(len(points))
    while remaining_indices.size:
        front_mask[remaining_indices[0]] = True
        is_beaten = (points[remaining_indices[0]] <= points[remaining_indices]).all(axis=1)
        remaining_indices = remaining_indices[~is_beaten]
    return front_mask


def held_out_systems(
    table: Table,
    truth: Answers,
    groups: Sequence[str],
    *,
    folds: int = FOLDS,
    outcomes: StartOutcomes | None = None,
) -> tuple[HeldOutSystems, ...]:
    """The systems dealt into parts, and what every set does on the series of all other parts.

    `groups`: the system of each series. This is what takes time, and no weight is part of it.
    Raises ValueError for fewer than two systems with an answer of the yardstick.
    """
    masks = _fold_masks(groups, truth.given, folds)
    names = np.asarray(groups)
    return tuple(
        HeldOutSystems(
            tuple(np.unique(names[mask]).tolist()), mask, figures(table, truth, ~mask, outcomes)
        )
        for mask in masks
    )


def cross_validated(
    table: Table,
    truth: Answers,
    all_figures: ObjectiveFigures,
    parts: Sequence[HeldOutSystems],
    weights: Mapping[Objective, float],
    *,
    baseline: int | None = None,
    outcomes: StartOutcomes | None = None,
    most_error: float | None = None,
) -> TuningValidation:
    """Tuning on all but some systems, judged on these; each system is held out once.

    all_figures  `figures(table, truth)`
    parts        `held_out(table, truth, groups)`
    baseline     the set that scales the objectives (1 is "as with it") and stands beside; without
                 one, figures are weighted as they are
    most_error   only sets within it are chosen (the nearest to it where none is); what was not
                 seen is scored as it comes out, however far off
    Of equally good sets the first of the table is chosen.
    """
    scales = None if baseline is None else set_scales(all_figures, baseline)
    all_scores = score(all_figures, weights, scales)
    best_set = _best_set(all_figures, all_scores, most_error)

    held_out_answers = np.full(table.shape[1], NO_ANSWER, np.int32)
    tuning_folds = []
    for held_out_part in parts:
        seen_scores = score(held_out_part.seen, weights, scales)
        chosen_set = _best_set(held_out_part.seen, seen_scores, most_error)
        held_out_answers[held_out_part.rows] = table[chosen_set, held_out_part.rows]
        chosen_figures = figures(table[[chosen_set]], truth, held_out_part.rows, outcomes)
        unseen_scores = score(chosen_figures, weights, scales)
        tuning_folds.append(
            TuningFold(
                held_out_part.systems,
                chosen_set,
                float(seen_scores[chosen_set]),
                float(unseen_scores[0]),
            )
        )

    held_out_figures = figures(held_out_answers[None, :], truth, outcomes=outcomes)
    return TuningValidation(
        best=best_set,
        optimistic=float(all_scores[best_set]),
        optimistic_figures=figures_of_set(all_figures, best_set),
        answers=held_out_answers,
        score=float(score(held_out_figures, weights, scales)[0]),
        figures=figures_of_set(held_out_figures, 0),
        folds=tuple(tuning_folds),
        baseline_score=None if baseline is None else float(all_scores[baseline]),
        baseline_figures=None if baseline is None else figures_of_set(all_figures, baseline),
    )


def _best_set(set_figures: ObjectiveFigures, scores: Floats, most_error: float | None) -> int:
    """The first set of the least score among those within the limit."""
    if most_error is None:
        return int(np.argmin(scores))
    allowed_scores = np.where(error_mask(set_figures, most_error), scores, np.inf)
    return int(np.argmin(search_scores(allowed_scores, set_figures, most_error)))


def _fold_masks(groups: Sequence[str], has_truth: Bools, folds: int) -> list[Bools]:
    """Masks of the series held out, fold by fold, of about equal size; a system is in one."""
    from sklearn.model_selection import GroupKFold  # noqa: PLC0415  # a second to import

    system_names = np.asarray(groups)
    judged_indices = np.flatnonzero(has_truth)
    system_count = np.unique(system_names[judged_indices]).size
    if system_count < 2:
        raise ValueError(f"systems: found {system_count}, expected at least 2 to hold one out")
    splitter = GroupKFold(min(folds, system_count))
    split_folds = splitter.split(judged_indices, groups=system_names[judged_indices])
    return [np.isin(np.arange(system_names.size), judged_indices[fold]) for _, fold in split_folds]
