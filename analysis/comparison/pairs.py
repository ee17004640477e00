"""Two methods of a comparison side by side: tests, and differences of figures with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Final

import numpy as np

from analysis.comparison.drilldown import UnknownCell, joint_masks, method_pair
from analysis.comparison.inputs import ComparisonInputs
from analysis.comparison.kept_results import keep_results
from analysis.comparison.table import (
    ComparisonResult,
    comparison_statistics,
    covered_methods,
    person_of,
)
from analysis.statistics.answers import Answers
from analysis.statistics.leaderboard_figures import FIGURES, MeasuredAnswers, RowScope
from analysis.statistics.multiple_comparisons import Nemenyi, NoRankTest, nemenyi, nemenyi_p
from analysis.statistics.paired_bootstrap import (
    FigureDifference,
    ResampledFigure,
    difference,
    resampled_figures,
)
from analysis.statistics.paired_differences import PairTests, RightnessTest, cochran, pair_tests

DIFFERENCE_COLUMNS: Final = (
    *("median_abs", "mean_abs", "mean_error", "sd_error", "within_tolerance", "agreement"),
)
"""Columns whose differences are shown."""

MOST_PAIRS: Final = 400
"""Pairs that a file tests: of some 28 methods. More would take minutes."""


@dataclass(frozen=True, slots=True)
class ChosenPair:
    """Two rows of the leaderboard that are measured against the same yardstick, by name."""

    first: str
    second: str


def choices(comparison: ComparisonResult) -> list[str]:
    """Rows that can be compared two by two: methods with answers, and people by this yardstick."""
    methods = [
        entry.name for entry in comparison.entries if entry.name in comparison.inputs.methods
    ]
    people = [
        entry.name
        for entry in comparison.entries
        if entry.kind == "person" and comparison.truth_for(entry.name) is comparison.truth
    ]
    return methods + people


def chosen_pair(
    comparison: ComparisonResult, first_name: str, second_name: str
) -> ChosenPair | None:
    """The pair that is asked for, else the two best methods; None where there are not two.

    Raises UnknownCell for a row that cannot be compared.
    """
    row_names = choices(comparison)
    unknown_names = [name for name in (first_name, second_name) if name and name not in row_names]
    if unknown_names:
        raise UnknownCell(
            f"no method {unknown_names[0]!r} to test; there are: {', '.join(row_names)}"
        )
    if len(row_names) < 2:
        return None
    ranked_names = sorted(
        row_names, key=lambda name: comparison.entry(name).rank or len(row_names) + 1
    )
    first_name = first_name or next(name for name in ranked_names if name != second_name)
    return ChosenPair(
        first_name, second_name or next(name for name in ranked_names if name != first_name)
    )


@keep_results
def tests_of_pair(inputs: ComparisonInputs, pair: ChosenPair, alpha: float) -> PairTests:
    """All tests of the two, on the series of the table; codes name them in sentences."""
    scope = comparison_statistics(inputs).scope
    first_name, second_name = pair.first, pair.second
    return pair_tests(
        (code_of(inputs, first_name), answers_of_row(inputs, first_name)),
        (code_of(inputs, second_name), answers_of_row(inputs, second_name)),
        inputs.truth.answers,
        distances=scope.distances,
        yes_no=scope.yes_no,
        alpha=alpha,
    )


def answers_of_row(inputs: ComparisonInputs, name: str) -> Answers:
    """The answers of a row that `choices` names."""
    person = person_of(name)
    return inputs.people[person] if person else inputs.methods[name]


def code_of(inputs: ComparisonInputs, name: str) -> str:
    """Name of a row in sentences: a method's code, with parameters where two rows share the
    code.
    """
    if person := person_of(name):
        return person.upper()
    looks = {look.name: look for look in inputs.looks}
    look = looks[name]
    same_method_names = [
        method_name for method_name in inputs.methods if looks[method_name].slug == look.slug
    ]
    params = ", ".join(look.params) or "default"
    return look.code if len(same_method_names) == 1 else f"{look.code} ({params})"


def all_pairs(comparison: ComparisonResult) -> list[ChosenPair]:
    """Pairs of methods in the order of the leaderboard, as far as MOST_PAIRS."""
    method_names = [name for name in choices(comparison) if name in comparison.inputs.methods]
    return [ChosenPair(*pair) for pair in islice(combinations(method_names, 2), MOST_PAIRS)]


def tests_by_pair(comparison: ComparisonResult) -> dict[ChosenPair, PairTests]:
    """Tests of all pairs."""
    return {
        pair: tests_of_pair(comparison.inputs, pair, comparison.asked.alpha)
        for pair in all_pairs(comparison)
    }


# --- differences ------------------------------------------------------------------------------
def shown_differences(
    comparison: ComparisonResult, pair: ChosenPair
) -> Mapping[str, FigureDifference]:
    """first - second of the columns of SHOWN, on the series of the tests."""
    answer_pair = method_pair(comparison, pair.first, pair.second)
    masks = answer_pair.distances.tobytes(), answer_pair.yes_no.tobytes()
    first_figures, second_figures = (
        _resampled_figures(comparison.inputs, name, *masks) for name in (pair.first, pair.second)
    )
    return {
        column: difference(column, first_figures[column], second_figures[column])
        for column in DIFFERENCE_COLUMNS
        if column in first_figures
    }


@keep_results
def _resampled_figures(
    inputs: ComparisonInputs, name: str, distances: bytes, yes_no_mask: bytes
) -> Mapping[str, ResampledFigure]:
    """Figures of one row and of their resamples; of many pairs on the same series only once."""
    scope = replace(
        comparison_statistics(inputs).scope,
        distances=np.frombuffer(distances, np.bool_),
        yes_no=np.frombuffer(yes_no_mask, np.bool_),
    )
    measured_answers = MeasuredAnswers(answers_of_row(inputs, name), scope)
    samples = {column: FIGURES[column].sample(measured_answers) for column in DIFFERENCE_COLUMNS}
    return resampled_figures(
        {
            column: figure_sample
            for column, figure_sample in samples.items()
            if figure_sample is not None
        }
    )


# --- many -------------------------------------------------------------------------------------
@keep_results
def cochran_of_methods(inputs: ComparisonInputs, alpha: float) -> RightnessTest:
    """Cochran's Q over the chosen methods but baselines."""
    scope: RowScope = comparison_statistics(inputs).scope
    return cochran(covered_methods(inputs), inputs.truth.answers, yes_no=scope.yes_no, alpha=alpha)


@keep_results
def nemenyi_of_methods(inputs: ComparisonInputs, alpha: float) -> Nemenyi | NoRankTest:
    """Nemenyi's test of the chosen methods that are ranked."""
    return nemenyi(covered_methods(inputs), inputs.truth.answers, alpha=alpha)


@keep_results
def nemenyi_p_by_pair(inputs: ComparisonInputs) -> Mapping[tuple[str, str], float]:
    """Its p of every pair."""
    return nemenyi_p(covered_methods(inputs), inputs.truth.answers)


def joint_counts(comparison: ComparisonResult, pair: ChosenPair) -> tuple[int, ...]:
    """Series on which both are right about steady or never, only the first, the second, none."""
    masks = joint_masks(comparison, method_pair(comparison, pair.first, pair.second))
    return tuple(int(mask.sum()) for mask in masks.values())
