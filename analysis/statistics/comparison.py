"""Many methods against one yardstick, and which series are left out by which rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from analysis.statistics.answers import Answers, Bools, same_series
from analysis.statistics.best_constant import BestConstant, best_constant
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.leaderboard_figures import (
    MeasuredAnswers,
    RowFigures,
    RowScope,
    SecondsSource,
)

Rule = Literal["no-truth", "truth-never", "no-answer", "says-never"]

RULES: Final[dict[Rule, str]] = {
    "no-truth": "The yardstick has no answer.",
    "truth-never": "The yardstick says never: there is no distance to it.",
    "no-answer": "A chosen method has no answer.",
    "says-never": "A chosen method says never.",
}


@dataclass(frozen=True, slots=True)
class CommonSetCost:
    """Series, steady by the yardstick, that one method keeps out of the common set.

    `alone`: of these, those that no other method keeps out.
    """

    method: str
    no_answer: int
    never: int
    alone: int


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The comparison table and what it rests on.

    rows       figures of each method, in the order given
    n_series   series of the comparison; n_truth: those with an answer of the yardstick
    n_yes_no   series that may count as yes or no; n_distances: towards distances
    n_common   series that the yardstick and all deciding methods call steady, whatever `common`
    narrowing  methods that keep the common set small, with the series that are common without each
               and those before it
    left_out   places of series that enter no distance, by the first rule that applies to each
    constant   the best constant answer and its row, on the series whose error counts
    """

    n_series: int
    n_truth: int
    n_yes_no: int
    n_distances: int
    n_common: int
    common: bool
    rows: Mapping[str, RowFigures]
    constant: BestConstant | None
    constant_row: RowFigures | None
    left_out: Mapping[Rule, tuple[int, ...]]
    costs: tuple[CommonSetCost, ...]
    narrowing: tuple[tuple[str, int], ...]
    bootstrap: BootstrapSettings
    scope: RowScope


CONSTANT: Final = "best-constant"


def compare(
    methods: Mapping[str, Answers],
    truth: Answers,
    *,
    tolerance: ArrayLike,
    is_clustered: Bools | None = None,
    common: bool = True,
    excluding: Collection[str] | None = None,
    seconds: Mapping[str, SecondsSource] | None = None,
    bootstrap: BootstrapSettings | None = None,
) -> Comparison:
    """A row for each method, in the order given.

    With `common`, the published rule: a series enters the distances only if every method of
    `excluding` (all of them when None) says steady, and the yes/no figures only if every one
    has an answer. Without it each method is measured on its own series.
    `seconds`: signed errors in seconds by method, NaN where unknown, or what reads them.
    Raises ValueError when the answers are not about the same series.
    """
    same_series([truth, *methods.values()])
    chosen_methods = _deciding_answers(methods, excluding)
    deciding_methods = chosen_methods if common else {}
    bootstrap_settings = bootstrap or BootstrapSettings()
    scope = _scope(truth, deciding_methods, tolerance, is_clustered, bootstrap_settings)
    constant = best_constant(truth.index[scope.distances])
    return Comparison(
        n_series=truth.n,
        n_truth=int(truth.given.sum()),
        n_yes_no=int(scope.yes_no.sum()),
        n_distances=int(scope.distances.sum()),
        n_common=_count_common(truth, (answers.steady for answers in chosen_methods.values())),
        common=common,
        rows={
            name: RowFigures(MeasuredAnswers(answers, scope, (seconds or {}).get(name)))
            for name, answers in methods.items()
        },
        constant=constant,
        constant_row=None
        if constant is None
        else RowFigures(MeasuredAnswers(Answers.constant(truth.n, constant.index), scope)),
        left_out=uncounted_series(truth, deciding_methods),
        costs=costs(truth, deciding_methods),
        narrowing=narrowing(truth, deciding_methods),
        bootstrap=bootstrap_settings,
        scope=scope,
    )


def _deciding_answers(
    methods: Mapping[str, Answers], excluding: Collection[str] | None
) -> Mapping[str, Answers]:
    """The methods whose answers decide which series are common."""
    names = methods if excluding is None else excluding
    unknown_names = [name for name in names if name not in methods]
    if unknown_names:
        raise ValueError(
            f"excluding: found {', '.join(unknown_names)}, expected methods of the comparison: "
            f"{', '.join(methods)}"
        )
    return {name: methods[name] for name in names}


def _scope(
    truth: Answers,
    deciding_methods: Mapping[str, Answers],
    tolerance: ArrayLike,
    is_clustered: Bools | None,
    bootstrap: BootstrapSettings,
) -> RowScope:
    yes_no_mask, distance_mask = truth.given.copy(), truth.steady.copy()
    for answers in deciding_methods.values():
        yes_no_mask &= answers.given
        distance_mask &= answers.steady
    return RowScope(truth, yes_no_mask, distance_mask, tolerance, is_clustered, bootstrap)


def uncounted_series(
    truth: Answers, deciding_methods: Mapping[str, Answers]
) -> dict[Rule, tuple[int, ...]]:
    """Series outside the distances, each under the first rule that applies; empty rules too."""
    no_series = np.zeros(truth.n, dtype=np.bool_)
    is_unanswered = np.any([~a.given for a in deciding_methods.values()] or [no_series], axis=0)
    is_never = np.any([a.never for a in deciding_methods.values()] or [no_series], axis=0)

    uncounted_by_rule: dict[Rule, tuple[int, ...]] = {}
    listed_mask = no_series
    for rule, mask in zip(RULES, (~truth.given, truth.never, is_unanswered, is_never), strict=True):
        uncounted_by_rule[rule] = tuple(np.flatnonzero(mask & ~listed_mask).tolist())
        listed_mask = listed_mask | mask
    return uncounted_by_rule


def costs(truth: Answers, deciding_methods: Mapping[str, Answers]) -> tuple[CommonSetCost, ...]:
    """List for each deciding method the series, steady by the yardstick, that it keeps out."""
    if not deciding_methods:
        return ()
    keeps_out = np.array([truth.steady & ~answers.steady for answers in deciding_methods.values()])
    keeps_out_alone = keeps_out & (keeps_out.sum(axis=0) == 1)
    return tuple(
        CommonSetCost(
            name,
            no_answer=int((truth.steady & ~answers.given).sum()),
            never=int((truth.steady & answers.never).sum()),
            alone=int(keeps_out_alone[i].sum()),
        )
        for i, (name, answers) in enumerate(deciding_methods.items())
    )


def narrowing(
    truth: Answers, deciding_methods: Mapping[str, Answers]
) -> tuple[tuple[str, int], ...]:
    """Whom to leave out, one after the other, until half of the steady series are common.

    First those who alone call fewer steady, fewest first: with any of them there is no half.
    Then each time the one without whom most are common, and of equals the one that calls fewer
    steady. Nothing where half are common already.
    """
    remaining_masks = {name: answers.steady for name, answers in deciding_methods.items()}
    steps: list[tuple[str, int]] = []
    while (
        len(remaining_masks) > 1
        and 2 * _count_common(truth, remaining_masks.values()) < truth.steady.sum()
    ):
        name = _blocking_method(truth, remaining_masks)
        del remaining_masks[name]
        steps.append((name, _count_common(truth, remaining_masks.values())))
    return tuple(steps)


def _blocking_method(truth: Answers, masks_by_method: Mapping[str, Bools]) -> str:
    common_counts = {name: _count_common(truth, [mask]) for name, mask in masks_by_method.items()}
    narrowest_method = min(common_counts, key=lambda name: common_counts[name])
    if 2 * common_counts[narrowest_method] < truth.steady.sum():
        return narrowest_method

    def common_without(name: str) -> int:
        return _count_common(
            truth, (mask for other_name, mask in masks_by_method.items() if other_name != name)
        )

    return max(masks_by_method, key=lambda name: (common_without(name), -common_counts[name]))


def _count_common(truth: Answers, masks: Iterable[Bools]) -> int:
    return int(np.all([truth.steady, *masks], axis=0).sum())
