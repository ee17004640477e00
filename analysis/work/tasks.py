"""Celery's door: the kind and number of a unit come in, services are called."""

from __future__ import annotations

from celery import shared_task

from analysis.work import services, workers
from analysis.work.kinds import kind_named
from analysis.work.models import Job


@shared_task(acks_late=True, reject_on_worker_lost=True, ignore_result=True)
def work_on_unit(name: str, pk: int) -> None:
    """Work on a unit if it is free, then let its job go on; a second message finds nothing."""
    kind = kind_named(name)
    claim = services.take(kind, pk, worker=workers.here.name)
    if claim is None:
        return
    with workers.here.holding(claim):
        services.work_on(claim)
    job = claim.unit.job
    services.enqueue_next(job)
    job.refresh_from_db()
    if job.state == Job.State.DONE:
        kind.has_ended(job)
