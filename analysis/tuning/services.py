"""Starting an exploration; what else is done to jobs is the same for all."""

from __future__ import annotations

from django.db import transaction

from analysis.tuning.designs import first_design, packed
from analysis.tuning.models import Exploration, Part
from analysis.tuning.plan import ExplorationScope, parts_for, plan_exploration
from analysis.tuning.query import ExplorationQuery
from analysis.work import services as work
from detectors.parameters import shown
from people.models import Study, User


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
    with transaction.atomic():
        made = Exploration.objects.create(
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
            design=packed(design),
            planned=len(design),
            wanted=asked.sets,
            started_by=by,
        )
        Part.objects.bulk_create(
            parts_for(made, 0, len(design), planned.milliseconds), batch_size=500
        )
    work.begin(made, queued=queued)
    return made


def name_of(asked: ExplorationQuery, scope: ExplorationScope) -> str:
    """What it is called when nobody says."""
    return f"{asked.kind.capitalize()} of {asked.method.title} on {scope.yardstick.title}"
