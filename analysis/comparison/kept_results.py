"""Results of comparisons that are kept in memory, together with what they were computed from."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast

from analysis.comparison.inputs import ComparisonInputs
from analysis.web.latest_used import LatestUsed

P = ParamSpec("P")
R = TypeVar("R")

MOST_ANSWERS: Final = 400_000
"""Answers of methods and people in all inputs that are kept: about 10 MB with their results."""
ROW: Final = 700  # answers that take as much memory as the figures of one method or person
LEAST_INPUTS: Final = 4  # are kept however many answers they have: a page reads two by turns
NOT_KEPT: Final = object()
MOST_RESULTS: Final = 2_000  # of one inputs, such as one for each pair of methods


def _counted_answers(inputs: ComparisonInputs, _: object) -> int:
    return (1 + len(inputs.methods) + len(inputs.people)) * (len(inputs.lines) + ROW)


results_by_inputs: LatestUsed[ComparisonInputs, dict[Any, Any]] = LatestUsed(
    MOST_ANSWERS, _counted_answers, least=LEAST_INPUTS
)


def keep_results(
    compute: Callable[Concatenate[ComparisonInputs, P], R],
) -> Callable[Concatenate[ComparisonInputs, P], R]:
    """Keep results of `compute` as long as its inputs are among the latest used.

    While a run goes on, every look has inputs of its own. Caches that count results would keep
    many of them, each with answers to thousands of series, which nobody asks for again.
    """

    @wraps(compute)
    def kept_or_computed(inputs: ComparisonInputs, *arguments: P.args, **options: P.kwargs) -> R:
        results = results_of(inputs)
        key = (compute, arguments, *options.items())
        result = results.get(key, NOT_KEPT)
        if result is NOT_KEPT:
            result = compute(inputs, *arguments, **options)
            if len(results) >= MOST_RESULTS:
                results.clear()
            results[key] = result
        return cast("R", result)

    return kept_or_computed


def results_of(inputs: ComparisonInputs) -> dict[Any, Any]:
    """Results of `inputs`, which count as the latest used from now on."""
    results = results_by_inputs.get(inputs, None)
    return results_by_inputs.keep(inputs, {}) if results is None else results
