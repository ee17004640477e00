"""Stop, run again, and bring back what a dead worker left behind."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from analysis.runs.detect_unit import close_ended, close_if_done, upsert_detections
from analysis.runs.models import Chunk, Detection, Run
from analysis.runs.models.run import ALONE_AFTER
from analysis.work.models import STALE, TRIES

MOST_AT_ONCE = 1000  # messages of one sweep


@transaction.atomic
def stop(run: Run) -> bool:
    """No new chunks; those at work end at their next series. Stored results stay."""
    stopped = Run.objects.filter(pk=run.pk, state__in=Run.OPEN).update(state=Run.State.STOPPED)
    run.chunks.filter(state=Chunk.State.WAITING).update(state=Chunk.State.STOPPED, worker="")
    close_if_done(run.pk)
    return stopped == 1


@transaction.atomic
def retry(run: Run, *, key: str = "") -> list[int]:
    """Wait again with what failed, was stopped or was given up; the chunks, to be queued.

    Answers that are stored are not computed again: a chunk leaves them out.
    key: only this detector's chunks.
    """
    unfinished = Q(failed_count__gt=0, state=Chunk.State.DONE) | Q(
        state__in=[Chunk.State.STOPPED, Chunk.State.GIVEN_UP]
    )
    chunks = run.chunks.filter(unfinished)
    if key:
        chunks = chunks.filter(detector_key=key)
    ids = list(chunks.values_list("pk", flat=True))
    if not ids:
        return []
    chunks.wait_again(done=_answered_count(run))
    Run.objects.filter(pk=run.pk).update(state=Run.State.QUEUED, finished=None)
    return ids


def _answered(chunk: Chunk) -> QuerySet[Detection]:
    return Detection.objects.of_chunk(chunk).settled(chunk.run)


def _answered_count(run: Run) -> Coalesce:
    """Of a chunk of `run` in an UPDATE, how many of its series need no computing."""
    asked = Detection.objects.filter(
        detector_key=OuterRef("detector_key"), series__in_chunks__chunk=OuterRef("pk")
    )
    counted = (
        asked.settled(run).order_by().values("detector_key").annotate(n=Count("pk")).values("n")
    )
    return Coalesce(Subquery(counted), 0)


def sweep(now: datetime | None = None, *, run: Run | None = None, lost: int = 0) -> list[int]:
    """Bring back chunks whose lease has run out; the chunks to be queued now.

    lost: how many messages are known to be missing from the broker; so many
    waiting chunks, the longest queued first, are sent again.
    """
    now = now or timezone.now()
    chunks = Chunk.objects.filter(run=run) if run else Chunk.objects.all()
    freed: list[int] = []
    for chunk in chunks.left_behind(now).select_related("run")[:MOST_AT_ONCE]:
        freed += bring_back(chunk, now)
    waiting = chunks.filter(state=Chunk.State.WAITING, run__state__in=Run.OPEN)
    never_sent = list(waiting.filter(queued_at=None).values_list("pk", flat=True)[:MOST_AT_ONCE])
    stale = waiting.filter(queued_at__lt=now - STALE).order_by("queued_at")
    again = list(stale.values_list("pk", flat=True)[: min(lost, MOST_AT_ONCE)])
    close_ended(Run.objects.all())
    return list(dict.fromkeys([*freed, *never_sent, *again]))


def bring_back(chunk: Chunk, now: datetime) -> list[int]:
    """Free a chunk that its worker has left behind; the chunks to be queued instead of it.

    Two sweeps at once free it once: the attempt's number is part of the condition.
    """
    if chunk.run.state == Run.State.STOPPED:
        _leave(chunk, state=Chunk.State.STOPPED, finished=now)
        close_if_done(chunk.run_id)
        return []
    if chunk.attempts >= TRIES:
        give_up(chunk, now)
        return []
    if chunk.attempts >= ALONE_AFTER and chunk.size > 1:
        return _take_apart(chunk)
    return [chunk.pk] if _leave(chunk, state=Chunk.State.WAITING) else []


def free_chunks_of(worker: str) -> list[int]:
    """Bring back the chunks of a process that is known to be dead."""
    held = Chunk.objects.filter(state=Chunk.State.TAKEN, worker=worker).select_related("run")
    return [pk for chunk in held for pk in bring_back(chunk, timezone.now())]


def _leave(chunk: Chunk, **values: object) -> bool:
    held = Chunk.objects.filter(pk=chunk.pk, state=Chunk.State.TAKEN, attempts=chunk.attempts)
    return held.update(lease=None, **values) == 1


@transaction.atomic
def _take_apart(chunk: Chunk) -> list[int]:
    """A chunk a series: whichever of them kills workers shall not take the others with it."""
    others = chunk.series_ids()[1:]
    if not _leave(chunk, state=Chunk.State.WAITING, size=1, done_count=0):
        return []
    chunk.members.filter(series__in=others).delete()
    alone = {
        "run_id": chunk.run_id,
        "detector_key": chunk.detector_key,
        "attempts": chunk.attempts,
    }
    made = Chunk.objects.create_with([(Chunk(**alone), [pk]) for pk in others])
    return [chunk.pk, *(each.pk for each in made)]


@transaction.atomic
def give_up(chunk: Chunk, now: datetime) -> None:
    """Store the failure, so that the page and every table say what happened."""
    text = f"the worker died {chunk.attempts} times while computing this; last: {chunk.worker}"
    if not _leave(chunk, state=Chunk.State.GIVEN_UP, finished=now, error=text):
        return
    answered = set(_answered(chunk).values_list("series_id", flat=True))
    missing = [pk for pk in chunk.series_ids() if pk not in answered]
    upsert_detections([_died(chunk, pk, text) for pk in missing], chunk.run)
    Chunk.objects.filter(pk=chunk.pk).update(done_count=chunk.size, failed_count=len(missing))
    transaction.on_commit(lambda: close_if_done(chunk.run_id) and None)


def _died(chunk: Chunk, series: int, text: str) -> Detection:
    return Detection(
        series_id=series,
        detector_key=chunk.detector_key,
        slug=chunk.detector_key.partition("@")[0],
        outcome=Detection.Outcome.FAILED,
        error=text,
    )
