"""Starting an exploration; what else is done to jobs is the same for all."""

from __future__ import annotations

from analysis.tuning import plan
from analysis.tuning.models import Exploration
from analysis.tuning.plan import ExplorationScope
from analysis.tuning.query import ExplorationQuery
from analysis.work import services as work
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
    made = plan.store_exploration(study, asked, scope, by=by)
    work.begin(made, queued=queued)
    return made
