"""People as a yardstick of what can be reached: each person against the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from analysis.statistics.answers import Answers, Bools, same_series
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.leaderboard_figures import MeasuredAnswers, RowFigures, RowScope


def consensus(people: Sequence[Answers], n: int) -> Answers:
    """Joint answers of several people to n series, series by series; no answer where nobody
    answers.

    More than half of the votes decide between steady and never; exactly half, or no vote, is no
    answer. The iteration is the ordinary median of the steady marks: the mean of the two middle
    ones of an even number, so it may be a half.
    """
    empty_answers = Answers.nothing(n)
    same_series([empty_answers, *people])
    if not people:
        return empty_answers
    steady_masks = np.array([person.steady for person in people])
    vote_counts = np.array([person.given for person in people]).sum(axis=0)
    steady_counts = steady_masks.sum(axis=0)

    starts = np.full(n, np.nan)
    is_marked = steady_counts > 0
    marks = np.where(steady_masks, [person.index for person in people], np.nan)
    if is_marked.any():
        starts[is_marked] = np.nanmedian(marks[:, is_marked], axis=0)
    return Answers(starts, 2 * steady_counts > vote_counts, 2 * steady_counts != vote_counts)


def people_rows(
    people: Mapping[str, Answers], *, tolerance: ArrayLike, series: Bools | None = None
) -> dict[str, RowFigures]:
    """Figures of each person, measured against the consensus of all the others.

    `series`: a mask of the series that count, such as those of a comparison's distances.
    """
    n = same_series(list(people.values()))
    rows = np.ones(n, dtype=np.bool_) if series is None else series
    figures_by_person = {}
    for name, answers in people.items():
        others_consensus = consensus(
            [other_answers for person, other_answers in people.items() if person != name], n
        )
        scope = RowScope(others_consensus, rows, rows, tolerance, None, BootstrapSettings())
        figures_by_person[name] = RowFigures(MeasuredAnswers(answers, scope))
    return figures_by_person
