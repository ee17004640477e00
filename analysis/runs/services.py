"""What pages and commands do to runs: each stores first, and queues once that is committed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from django.db import transaction
from django.db.models import Sum

from analysis.runs import control, plan
from analysis.runs.detect_unit import close_if_done, detect_chunk
from analysis.runs.models import Chunk, Run
from analysis.runs.selection import SeriesSelection
from analysis.tuning import services as explorations
from analysis.work import queue
from people.models import Study, User

PAUSE = 0.3  # seconds between two looks at chunks that others compute


def start_run(
    study: Study,
    *,
    by: User | None,
    selection: SeriesSelection,
    keys: Sequence[str],
    name: str = "",
    again: bool = False,
    queued: bool = True,
) -> Run:
    """Store a run and queue its chunks; of what is stored already nothing is computed.

    queued: False leaves the chunks to whoever calls `work_through`.
    Raises `NothingToRun`, `UnknownDetector` and `ParameterError`.
    """
    run = plan.store_run(study, by=by, selection=selection, keys=keys, name=name, again=again)
    if queued:  # not in the transaction of the rows: whoever sends must not hold up who writes
        queue.send_on_commit(run.chunks.values_list("pk", flat=True))
    close_if_done(run.pk)  # everything may be stored already
    run.refresh_from_db()
    return run


def stop_run(run: Run) -> bool:
    """No new chunks; stored results stay. False when there was nothing to stop."""
    return control.stop(run)


def retry_run(run: Run, *, key: str = "") -> int:
    """Queue what failed, was stopped or given up, of one detector or all; how many chunks."""
    with transaction.atomic():
        chunks = control.retry(run, key=key)
        queue.send_on_commit(chunks)
    return len(chunks)


def sweep(*, run: Run | None = None) -> int:
    """Queue what dead workers left behind and what the broker lost; how many chunks and parts."""
    lost = 0 if run else queue.count_unsent()
    found = control.sweep(run=run, lost=lost)
    queue.send(found)
    return len(found) + (0 if run else explorations.sweep(lost=lost))


def work_through(run: Run, *, worker: str, tell: Callable[[int, int, int], None]) -> None:
    """Work on the run in this process until it has ended, beside any workers.

    tell: called after each chunk with the detections done, of how many, and failed ones.
    """
    total = run.chunks.aggregate(total=Sum("size"))["total"] or 0
    while True:
        counts = run.chunks.aggregate(done=Sum("done_count"), failed=Sum("failed_count"))
        tell(counts["done"] or 0, total, counts["failed"] or 0)
        run.refresh_from_db()
        if run.finished:
            return
        waiting = run.chunks.filter(state=Chunk.State.WAITING).order_by("pk").first()
        if waiting:
            detect_chunk(waiting.pk, worker=worker)
        else:
            time.sleep(PAUSE)  # somebody else has the last ones; it may die with them
            control.sweep(run=run)
