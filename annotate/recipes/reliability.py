"""Reliability-weighted ground truth: people count by how they marked the whole campaign.

Steady or never: Dawid & Skene (1979), who estimate by expectation and maximisation how often each
person finds what is there, and from that how probable each answer is. The iteration: the weighted
middle of the steady marks, where a person weighs less the farther their marks usually lie from
the middle of the others'.

One mark of one series moves the answer of every series. So this is no recipe of a campaign, whose
ground truth follows from the marks of its own series, in the transaction that stores one; it is a
scenario of the what-if questions, which look at all marks at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from annotate.recipes.contract import NEVER
from annotate.recipes.vectorised import Bools, Floats, Indices, RecipeAnswers

SLUG: Final = "reliability-weighted"
MOST_STEPS: Final = 500
SETTLED: Final = 1e-9
EVEN: Final = 1e-6  # a probability this near one half is undecided


@dataclass(frozen=True, slots=True, eq=False)
class DawidSkene:
    """Probabilities of classes, and what each person says of each true class.

    of_rows    float64 (rows, classes): NaN for a row without answers
    marginals  float64 (classes,): share of each class
    rates      float64 (people, classes, classes): how often person i says l of what is k
    """

    of_rows: Floats
    marginals: Floats
    rates: Floats


@dataclass(frozen=True, slots=True, eq=False)
class WeightedAnswers:
    """The reliability-weighted ground truth and what it rests on.

    probability  float64 (rows,): that the series is steady
    scatter      float64 (people,): median |mark - middle of the others|, NaN without
    weights      float64 (people,): 1 / (1 + scatter), 1 where the scatter is unknown
    """

    truths: RecipeAnswers
    probability: Floats
    scatter: Floats
    weights: Floats


def dawid_skene(counts: Indices) -> DawidSkene:
    """Maximum likelihood from the majority as the start; equations 2.3 to 2.5 of the paper.

    `counts`: int64 (rows, people, classes), how often a person gave a row each class.
    """
    is_answered = counts.sum(axis=(1, 2)) > 0
    answer_counts = counts[is_answered].astype(np.float64)
    row_probabilities = np.full((len(counts), counts.shape[2]), np.nan)
    if not is_answered.any():
        classes = counts.shape[2]
        no_rates = np.full((counts.shape[1], classes, classes), np.nan)
        return DawidSkene(row_probabilities, np.full(classes, np.nan), no_rates)
    shares = answer_counts.sum(axis=1) / answer_counts.sum(axis=(1, 2))[:, None]
    for _ in range(MOST_STEPS):
        marginals, rates = _maximise(answer_counts, shares)
        shares_before, shares = shares, _expected_classes(answer_counts, marginals, rates)
        if np.abs(shares - shares_before).max() < SETTLED:
            break
    row_probabilities[is_answered] = shares
    return DawidSkene(row_probabilities, marginals, rates)


def _maximise(answer_counts: Floats, shares: Floats) -> tuple[Floats, Floats]:
    marginals: Floats = shares.mean(axis=0)
    rows, people, classes = answer_counts.shape
    class_counts = (shares.T @ answer_counts.reshape(rows, -1)).reshape(classes, people, classes)
    class_counts = class_counts.swapaxes(0, 1)
    total = class_counts.sum(axis=2, keepdims=True)
    rates: Floats = np.divide(class_counts, total, out=np.zeros_like(class_counts), where=total > 0)
    return marginals, rates


def _expected_classes(answer_counts: Floats, marginals: Floats, rates: Floats) -> Floats:
    """Probabilities of classes, in logarithms; 0 log 0 is 0, and a class that somebody's answer
    rules out has none.
    """
    floor = np.finfo(np.float64).tiny
    rows, _, classes = answer_counts.shape
    log_rates = np.log(np.maximum(rates, floor)).swapaxes(1, 2).reshape(-1, classes)
    logs = np.log(np.maximum(marginals, floor)) + answer_counts.reshape(rows, -1) @ log_rates
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    expected: Floats = weights / weights.sum(axis=1, keepdims=True)
    return expected


def weighted_answers(votes: Floats) -> WeightedAnswers:
    """Ground truth of every row of `votes` (rows, people): an iteration, NEVER, NaN for none."""
    counts = np.stack([votes > NEVER, votes == NEVER], axis=2).astype(np.int64)
    probability = dawid_skene(counts).of_rows[:, 0]
    marks = np.where(votes > NEVER, votes, np.nan)
    scatter = _scatter(marks)
    weights = 1 / (1 + np.nan_to_num(scatter))
    start = np.full(len(votes), np.nan)
    start[probability < 0.5 - EVEN] = NEVER
    is_steady = (probability > 0.5 + EVEN) & counts[:, :, 0].any(axis=1)
    start[is_steady] = weighted_middle(marks[is_steady], weights)
    distances = np.zeros(len(votes), np.bool_)
    truths = RecipeAnswers(start, distances, np.zeros(len(votes), np.int64))
    return WeightedAnswers(truths, probability, scatter, weights)


def _scatter(marks: Floats) -> Floats:
    """Median distance, for each person, of their marks from the middle of the others'."""
    scatter = np.full(marks.shape[1], np.nan)
    for person in range(marks.shape[1]):
        other_marks = np.delete(marks, person, axis=1)
        is_comparable: Bools = ~np.isnan(marks[:, person]) & ~np.isnan(other_marks).all(axis=1)
        if is_comparable.any():
            middle = _row_medians(other_marks[is_comparable])
            scatter[person] = np.median(np.abs(marks[is_comparable, person] - middle))
    return scatter


def _row_medians(marks: Floats) -> Floats:
    """Median of each row, without its NaN: `np.nanmedian`, in one sort."""
    sorted_marks = np.sort(marks, axis=1)  # NaN goes last
    n = (~np.isnan(marks)).sum(axis=1)[:, None]
    pair = np.take_along_axis(sorted_marks, np.hstack([(n - 1) // 2, n // 2]), axis=1)
    middle: Floats = pair.mean(axis=1)
    return middle


def weighted_middle(marks: Floats, weights: Floats) -> Floats:
    """The first mark by value up to which more than half of the weight lies.

    With equal weights the middle, and of an even number the upper one, as the recipes have it.
    """
    order = np.argsort(marks, axis=1, kind="stable")  # NaN goes last
    sorted_marks = np.take_along_axis(marks, order, axis=1)
    cumulative_weights = np.where(np.isnan(sorted_marks), 0.0, weights[order]).cumsum(axis=1)
    half_weight = cumulative_weights[:, -1:] / 2
    middle_index = (cumulative_weights <= half_weight * (1 + SETTLED)).sum(axis=1)
    middle: Floats = np.take_along_axis(sorted_marks, middle_index[:, None], axis=1)[:, 0]
    return middle
