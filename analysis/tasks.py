"""Celery's door to runs: a chunk's number comes in, one service is called."""

from __future__ import annotations

from celery import shared_task

from analysis import queue, workers
from analysis.runs import work


@shared_task(acks_late=True, reject_on_worker_lost=True, ignore_result=True)
def detect_chunk(chunk_id: int) -> None:
    """Work on the chunk if it is free; a second message for it finds nothing to do."""
    claim = work.take(chunk_id, worker=workers.here.name)
    if claim is None:
        return
    with workers.here.holding(claim):
        outcome = work.work_on(claim)
    if outcome == "unfinished":
        queue.send([chunk_id])
