"""Starting an exploration; what else is done to jobs is the same for all."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from analysis.tuning.designs import first_design, packed
from analysis.tuning.models import Exploration, Part
from analysis.tuning.plan import ExplorationScope, parts_for, plan_exploration
from analysis.tuning.query import ExplorationQuery
from analysis.work import services as work
from detectors.contract.parameters import shown
from people.models import Study, User

# Columns by which two explorations are the same.
ASKED: Final = (
    *("name", "kind", "method", "varied", "held", "yardstick", "dataset", "goal", "most_error"),
    *("samples", "seed", "series_ids", "truth_digest", "wanted"),
)


def start_exploration(
    study: Study,
    asked: ExplorationQuery,
    scope: ExplorationScope,
    *,
    by: User | None,
    queued: bool = True,
) -> Exploration:
    """Store an exploration and queue its first parts. Raises CannotExplore.

    queued: False leaves the parts to whoever calls `analysis.work.services.work_through`.
    """
    planned = plan_exploration(study, asked, scope)
    design = first_design(asked)
    made = _unsaved(study, asked, scope)
    made.design, made.planned, made.started_by = packed(design), len(design), by
    with transaction.atomic():
        made.save()
        Part.objects.bulk_create(
            parts_for(made, 0, len(design), planned.milliseconds), batch_size=500
        )
    work.begin(made, queued=queued)
    return made


def unfinished_exploration(
    study: Study, asked: ExplorationQuery, scope: ExplorationScope
) -> Exploration | None:
    """The newest open exploration that computes the same; None without any."""
    wanted = _unsaved(study, asked, scope)
    return next(
        (
            exploration
            for exploration in study.explorations.open()
            if all(getattr(exploration, name) == getattr(wanted, name) for name in ASKED)
        ),
        None,
    )


def _unsaved(study: Study, asked: ExplorationQuery, scope: ExplorationScope) -> Exploration:
    """A row with all that is asked, and nothing of how far it is."""
    return Exploration(
        study=study,
        name=(asked.name or name_of(asked, scope))[:120],
        kind=asked.kind,
        method=f"{asked.method.slug}@{asked.method.version}",
        varied=[each.as_json() for each in asked.ranges],
        held={name: shown(value) for name, value in asked.held.items()},
        yardstick=scope.yardstick.code,
        yardstick_title=scope.yardstick.title[:300],
        dataset=asked.dataset,
        goal=dict(asked.goal),
        most_error=asked.most_error,
        samples=asked.samples,
        seed=asked.seed,
        series_ids=list(scope.series),
        truth=scope.truth.tobytes(),
        truth_digest=scope.digest,
        series_count=len(scope.series),
        wanted=asked.sets,
    )


def name_of(asked: ExplorationQuery, scope: ExplorationScope) -> str:
    """What it is called when nobody says."""
    return f"{asked.kind.capitalize()} of {asked.method.title} on {scope.yardstick.title}"
