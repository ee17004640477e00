"""Rounds of a search: the next parameter sets, from what is known so far."""

from __future__ import annotations

from typing import Final

import numpy as np
from django.db import IntegrityError, transaction

from analysis.statistics.answers import Floats
from analysis.statistics.tuning_objectives import (
    COSTS,
    OBJECTIVES,
    figures,
    score,
    search_scores,
    set_scales,
)
from analysis.tuning import designs
from analysis.tuning.models import Exploration, Part
from analysis.tuning.plan import answer_milliseconds, plan_parts
from analysis.tuning.series_outcomes import read_outcomes

HOPELESS: Final = 3 * designs.ROUND  # sets without any error after which a search ends


def plan_round(exploration: Exploration) -> bool:
    """Plan the next round of a search; False where too much has failed."""
    tried_sets = designs.planned_sets(exploration)
    scores = _scores(exploration)
    if len(tried_sets) > HOPELESS and not np.isfinite(scores).any():
        return False  # the search has no answer to learn from
    new_sets = designs.next_round(exploration, tried_sets, scores)
    method = designs.exploration_method(exploration)
    milliseconds = answer_milliseconds(exploration.study, method, len(new_sets))
    try:
        with transaction.atomic():
            unchanged_exploration = Exploration.objects.filter(
                pk=exploration.pk, planned=exploration.planned
            )
            planned_count = exploration.planned + len(new_sets)
            if not unchanged_exploration.update(
                planned=planned_count, design=designs.pack_design(np.vstack([tried_sets, new_sets]))
            ):
                return True  # another worker has planned this round
            parts = plan_parts(exploration, exploration.planned, len(new_sets), milliseconds)
            Part.objects.bulk_create(parts)
    except IntegrityError:
        return True
    return True


def _scores(exploration: Exploration) -> Floats:
    """Score of every planned set by the search's own goal; infinite where a set is not complete.

    (sets,) or, where a front is looked for, (sets, figures).
    """
    answers = designs.stored_answers(exploration)
    truth, most_error = designs.stored_truth(exploration), exploration.most_error
    outcomes = read_outcomes(exploration.series_ids, truth) if _needs_costs(exploration) else None
    objective_figures = figures(answers.table, truth, outcomes=outcomes)
    if exploration.kind == Exploration.Kind.FRONT:
        score_columns = [
            search_scores(
                score(objective_figures, {name: 1.0}, most_error=most_error),
                objective_figures,
                most_error,
            )
            for name in OBJECTIVES
            if name in exploration.goal
        ]
        return np.where(answers.complete[:, None], np.column_stack(score_columns), np.inf)
    scores = score(
        objective_figures, exploration.goal, set_scales(objective_figures, 0), most_error
    )
    return np.where(answers.complete, search_scores(scores, objective_figures, most_error), np.inf)


def _needs_costs(exploration: Exploration) -> bool:
    """True where costs are minimised or bounded: the values of the series have to be read."""
    return exploration.most_error is not None or bool({*exploration.goal} & {*COSTS})
