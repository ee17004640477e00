"""What pages and commands do to runs: each stores first, and queues once that is committed."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from analysis import queue
from analysis.models import Run
from analysis.runs import control, plan
from analysis.runs.selection import Selection
from analysis.runs.work import close_if_done
from people.models import Study, User


def start_run(
    study: Study,
    *,
    by: User | None,
    selection: Selection,
    keys: Sequence[str],
    name: str = "",
    again: bool = False,
) -> Run:
    """Store a run and queue its chunks; of what is stored already nothing is computed.

    Raises `NothingToRun`, `UnknownDetector` and `ParameterError`.
    """
    with transaction.atomic():
        run = plan.store_run(study, by=by, selection=selection, keys=keys, name=name, again=again)
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
    """Queue what dead workers left behind and what the broker lost; how many chunks."""
    found = control.sweep(run=run, lost=0 if run else queue.missing())
    queue.send(found)
    return len(found)
