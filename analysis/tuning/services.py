"""What pages and commands do to explorations: each stores first, then tells the workers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from django.db.models import Sum

from analysis.tuning import control, page, plan
from analysis.tuning.answer_unit import explore_part
from analysis.tuning.models import Exploration, Part
from analysis.tuning.page import ResultsQuery
from analysis.tuning.plan import ExplorationScope
from analysis.tuning.query import ExplorationQuery
from analysis.tuning.reads import ExplorationResults, goal_of
from analysis.work import queue
from annotate.blind import EVERYTHING
from people.models import Study, User

PAUSE: Final = 0.3  # seconds between two looks at parts that others compute


def start(
    study: Study,
    asked: ExplorationQuery,
    scope: ExplorationScope,
    *,
    by: User | None,
    queued: bool = True,
) -> Exploration:
    """Store an exploration and queue its first parts. Raises CannotExplore.

    queued: False leaves the parts to whoever calls `work_through`.
    """
    made = plan.store_exploration(study, asked, scope, by=by)
    if queued:
        queue.send_on_commit(control.parts_to_send(made), queue.EXPLORE)
    made.refresh_from_db()
    return made


def stop(exploration: Exploration) -> bool:
    """No new parts; stored answers stay. False when there was nothing to stop."""
    return control.stop(exploration)


def retry(exploration: Exploration) -> int:
    """Queue what failed, was stopped or given up; how many parts."""
    count = control.retry(exploration)
    if count:
        queue.send_on_commit(control.next_parts(exploration.pk), queue.EXPLORE)
    return count


def enqueue_next(pk: int) -> None:
    """After the end of a part: queue the next ones, plan a search's next round, or close it.

    Where no part was ever queued, a command works through them, and nobody is told.
    """
    found = control.next_parts(pk)
    if Part.objects.filter(exploration=pk, queued_at__isnull=False).exists():
        queue.send(found, queue.EXPLORE)


def warm_results(pk: int) -> None:
    """Once it has ended: compute what its page shows first, so that nobody waits for it."""
    found = Exploration.objects.select_related("study").get(pk=pk)
    if found.state == Exploration.State.DONE:
        page.results_context(
            ExplorationResults(found, EVERYTHING), ResultsQuery(weights=goal_of(found))
        )


def sweep(*, exploration: Exploration | None = None, lost: int = 0) -> int:
    """Queue what dead workers left behind and what the broker lost; how many parts."""
    found = control.sweep(exploration=exploration, lost=lost)
    queue.send(found, queue.EXPLORE)
    return len(found)


def work_through(
    exploration: Exploration, *, worker: str, tell: Callable[[int, int, int], None]
) -> None:
    """Work on it in this process until it has ended, beside any workers.

    tell: called after each part with the answers found, of how many, and failed ones.
    """
    total = exploration.wanted * exploration.series_count
    while True:
        counts = exploration.parts.aggregate(done=Sum("done_count"), failed=Sum("failed_count"))
        tell(counts["done"] or 0, total, counts["failed"] or 0)
        exploration.refresh_from_db()
        if exploration.finished:
            return
        waiting = exploration.parts.filter(state=Part.State.WAITING).order_by("pk")
        part = waiting.values_list("pk", flat=True).first()
        if part is not None:
            explore_part(part, worker=worker)
            enqueue_next(exploration.pk)
        else:
            time.sleep(PAUSE)  # somebody else has the last ones; it may die with them
            control.sweep(exploration=exploration)
