"""The comparison within groups of series: by system, length, recording, agreement of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from analysis.statistics.answers import Answers
from analysis.statistics.leaderboard_figures import MeasuredAnswers, RowFigures, RowScope

LEAST: Final = 10
"""Groups with fewer series are shown, but greyed: their figures rest on too little."""


@dataclass(frozen=True, slots=True)
class BreakdownGroup:
    """Figures of each method on one group; n counts its series that may enter the distances."""

    name: str
    n: int
    few: bool
    rows: Mapping[str, RowFigures]


def breakdown(
    groups: Sequence[str], methods: Mapping[str, Answers], scope: RowScope
) -> tuple[BreakdownGroup, ...]:
    """A group for each name in `groups` (one name a series), in order of the names.

    `scope` is that of the whole comparison, so that the groups add up to it. Intervals are not
    drawn: of a few series they say little, and of many groups they cost seconds.
    """
    if len(groups) != scope.truth.n:
        raise ValueError(f"groups: found {len(groups)}, expected {scope.truth.n}, one a series")
    group_names = np.array(groups, dtype=object)
    return tuple(_group(name, group_names == name, methods, scope) for name in sorted(set(groups)))


def _group(
    name: str, group_mask: np.ndarray, methods: Mapping[str, Answers], scope: RowScope
) -> BreakdownGroup:
    group_scope = replace(
        scope,
        yes_no=scope.yes_no & group_mask,
        distances=scope.distances & group_mask,
        bootstrap=None,
    )
    n = int(group_scope.distances.sum())
    rows = {
        method: RowFigures(MeasuredAnswers(answers, group_scope))
        for method, answers in methods.items()
    }
    return BreakdownGroup(name, n, n < LEAST, rows)
