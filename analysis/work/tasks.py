"""Celery's door: the number of a chunk or part comes in, one service is called."""

from __future__ import annotations

from celery import shared_task

from analysis.runs import detect_unit
from analysis.tuning import answer_unit as explorations, services as exploring
from analysis.work import queue, workers


@shared_task(acks_late=True, reject_on_worker_lost=True, ignore_result=True)
def detect_chunk(chunk_id: int) -> None:
    """Work on the chunk if it is free; a second message for it finds nothing to do."""
    claim = detect_unit.take_chunk(chunk_id, worker=workers.here.name)
    if claim is None:
        return
    with workers.here.holding(claim):
        outcome = detect_unit.work_on(claim)
    if outcome == "unfinished":
        queue.send([chunk_id])


@shared_task(acks_late=True, reject_on_worker_lost=True, ignore_result=True)
def explore_part(part_id: int) -> None:
    """Work on the part if it is free, then let its exploration go on."""
    claim = explorations.take_part(part_id, worker=workers.here.name)
    if claim is None:
        return
    with workers.here.holding(claim):
        explorations.work_on(claim)
    exploring.enqueue_next(claim.chunk.exploration_id)
    exploring.warm_results(claim.chunk.exploration_id)
