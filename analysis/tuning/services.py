"""Starting an exploration; what else is done to jobs is the same for all."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from analysis.tuning.designs import first_design, pack_design
from analysis.tuning.models import Exploration, Part
from analysis.tuning.plan import ExplorationScope, plan_exploration, plan_parts
from analysis.tuning.query import ExplorationQuery
from analysis.work import services as work
from detectors.contract.parameters import parameter_text
from people.models import Study, User

# Columns by which two explorations are the same.
ASKED: Final = (
    *("name", "kind", "method", "varied", "held", "yardstick", "dataset", "goal", "most_error"),
    *("samples", "seed", "series_ids", "truth_digest", "wanted"),
)


def start_exploration(
    study: Study,
    query: ExplorationQuery,
    scope: ExplorationScope,
    *,
    user: User | None,
    queued: bool = True,
) -> Exploration:
    """Store an exploration and queue its first parts. Raises CannotExplore.

    queued: False leaves the parts to whoever calls `analysis.work.services.work_through`.
    """
    exploration_plan = plan_exploration(study, query, scope)
    design = first_design(query)
    exploration = _unsaved(study, query, scope)
    exploration.design, exploration.planned, exploration.started_by = (
        pack_design(design),
        len(design),
        user,
    )
    with transaction.atomic():
        exploration.save()
        Part.objects.bulk_create(
            plan_parts(exploration, 0, len(design), exploration_plan.milliseconds), batch_size=500
        )
    work.queue_first_units(exploration, queued=queued)
    return exploration


def unfinished_exploration(
    study: Study, query: ExplorationQuery, scope: ExplorationScope
) -> Exploration | None:
    """The newest open exploration that computes the same; None without any."""
    unsaved_exploration = _unsaved(study, query, scope)
    return next(
        (
            exploration
            for exploration in study.explorations.open()
            if all(
                getattr(exploration, name) == getattr(unsaved_exploration, name) for name in ASKED
            )
        ),
        None,
    )


def _unsaved(study: Study, query: ExplorationQuery, scope: ExplorationScope) -> Exploration:
    """A row with all that is asked, and nothing of how far it is."""
    return Exploration(
        study=study,
        name=(
            query.name
            or f"{query.kind.capitalize()} of {query.method.title} on {scope.yardstick.title}"
        )[:120],
        kind=query.kind,
        method=f"{query.method.slug}@{query.method.version}",
        varied=[parameter_range.as_json() for parameter_range in query.ranges],
        held={name: parameter_text(value) for name, value in query.held.items()},
        yardstick=scope.yardstick.code,
        yardstick_title=scope.yardstick.title[:300],
        dataset=query.dataset,
        goal=dict(query.goal),
        most_error=query.most_error,
        samples=query.samples,
        seed=query.seed,
        series_ids=list(scope.series),
        truth=scope.truth.tobytes(),
        truth_digest=scope.digest,
        series_count=len(scope.series),
        wanted=query.sets,
    )
