"""Celery's door: a message says that a unit waits, services are called."""

from __future__ import annotations

from celery import shared_task

from analysis.work import services, workers
from analysis.work.kinds import find_kind, job_kind
from analysis.work.models import Job
from detectors.compilation.stack_room import with_stack_room


@shared_task(acks_late=True, reject_on_worker_lost=True, ignore_result=True)
@with_stack_room
def work_on_unit(name: str, pk: int) -> None:
    """Work on the unit whose turn it is, then let its job go on.

    The message names a unit that waited when it was sent; that one is taken where none is due.
    """
    worker = workers.here.name
    claim = services.take_next(worker=worker) or services.take_unit(
        find_kind(name), pk, worker=worker
    )
    if claim is None:
        return
    kind = job_kind(claim.unit)
    with workers.here.hold_lease(claim):
        services.work_on(claim)
    job = claim.unit.job
    services.enqueue_next(job)
    job.refresh_from_db()
    if job.state == Job.State.DONE:
        kind.has_ended(job)
