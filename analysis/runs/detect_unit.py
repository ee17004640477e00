"""What a worker does with a chunk: take it, answer for each series, store all answers at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Literal

from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from analysis.methods.series_context import context_of, load_series, wanted_inputs
from analysis.runs.models import Chunk, Detection, Run
from analysis.work import leases
from analysis.work.models import LEASE
from detectors.contract import Detector, DetectorError, NotAvailable, TooShort
from detectors.registry import UnknownDetector, from_key
from series.models import Series

log = logging.getLogger(__name__)
ANSWER_FIELDS = (
    "outcome",
    "steady_start",
    "published_index",
    "decided_at",
    "flags",
    "milliseconds",
    "error",
    "run",
)
COMPARED_FIELDS = ("outcome", "steady_start", "published_index", "decided_at", "flags")

Outcome = Literal["done", "not-free", "unfinished", "lost"]
Claim = leases.Claim[Chunk]


def take_chunk(chunk_id: int, *, worker: str) -> Claim | None:
    """Hold the chunk, or None if it is done, stopped, or held by somebody who lives."""
    now = timezone.now()
    free = Chunk.objects.free(now).filter(pk=chunk_id, run__state__in=Run.OPEN)
    taken = free.update(
        state=Chunk.State.TAKEN, lease=now + LEASE, attempts=F("attempts") + 1, worker=worker[:100]
    )
    if not taken:
        return None
    chunk = Chunk.objects.select_related("run__study").get(pk=chunk_id)
    Run.objects.filter(pk=chunk.run_id, began=None).update(began=now)
    Run.objects.filter(pk=chunk.run_id, state=Run.State.QUEUED).update(state=Run.State.RUNNING)
    return leases.Claim(chunk)


def detect_chunk(chunk_id: int, *, worker: str = "") -> Outcome:
    """Answer for every series of the chunk.

    Safe to run twice, at once, or again after a worker died half-way: one
    UPDATE decides who holds the chunk, a lease that ran out frees it, and a
    detection's unique key makes a second answer no answer.
    """
    claim = take_chunk(chunk_id, worker=worker)
    return "not-free" if claim is None else work_on(claim)


def work_on(claim: Claim) -> Outcome:
    """Answer for what is not stored yet, and store it with the chunk's end in one transaction."""
    chunk = claim.chunk
    stored = {each.series_id: each for each in _stored(chunk)}
    todo = [pk for pk in chunk.series_ids() if chunk.run.again or pk not in stored]
    answers, complete = _answers(claim, load_series(todo, chunk.detector_key, chunk.run.study))
    if chunk.run.again:
        differing = [pk for pk, new in answers.items() if _differs(stored.get(pk), new)]
        # What is stored stays: other pages were read with it. The run says what differs.
        answers = {pk: new for pk, new in answers.items() if pk not in stored}
    else:
        differing = []
    rows = list(answers.values())
    return leases.write_at_usual_priority(
        partial(_finish, claim, rows, differing, complete=complete)
    )


def _stored(chunk: Chunk) -> Iterable[Detection]:
    """What needs no computing. In a second attempt also the failures of the first."""
    known = Detection.objects.of_chunk(chunk)
    settled = known.settled(None if chunk.run.again else chunk.run)
    if chunk.attempts > 1 and chunk.error:
        return settled | known.filter(run=chunk.run)
    return settled


def _answers(claim: Claim, series: Sequence[Series]) -> tuple[dict[int, Detection], bool]:
    """Answers by series, and whether all series were reached."""
    key = claim.chunk.detector_key
    answers: dict[int, Detection] = {}
    failed = 0
    try:
        detector = from_key(key)
    except (UnknownDetector, ValueError) as error:  # this worker has other code than the web
        return {each.pk: _failure(claim, each, str(error)) for each in series}, True
    for each in series:
        if not claim.report(len(answers), failed):
            return answers, False
        try:
            answers[each.pk] = answer(detector, each)
        except SoftTimeLimitExceeded:
            limit = settings.CELERY_TASK_SOFT_TIME_LIMIT
            answers[each.pk] = _failure(claim, each, f"took longer than {limit} s, with others")
            return answers, False
        failed += answers[each.pk].outcome == Detection.Outcome.FAILED
    return answers, True


_warm: set[str] = set()


def answer(detector: Detector, series: Series) -> Detection:
    """The detector's answer for one stored series, as a row that is not saved."""
    if detector.slug not in _warm and detector.cost != "slow":
        # The first call in a process loads compiled kernels; timing it would mislead.
        _warm.add(detector.slug)
        _timed(detector, series)
    return _timed(detector, series)


def _timed(detector: Detector, series: Series) -> Detection:
    row = Detection(series=series, detector_key=detector.key, slug=detector.slug)
    context = context_of(series, samples="samples" in wanted_inputs(detector))
    began = time.perf_counter()
    try:
        found = detector.answer(series.array(), context)
    except TooShort as short:
        row.outcome, row.error = Detection.Outcome.TOO_SHORT, str(short)
    except NotAvailable as lacking:
        row.outcome, row.error = Detection.Outcome.NOT_AVAILABLE, str(lacking)
    except DetectorError as error:
        row.outcome, row.error = Detection.Outcome.FAILED, str(error)
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:  # a method's bug on one series must not take the others with it
        log.exception("%s failed on series %s", detector.key, series.public_id)
        row.outcome, row.error = Detection.Outcome.FAILED, f"{type(error).__name__}: {error}"
    else:
        row.steady_start, row.published_index = found.steady_start, found.published_index
        row.decided_at, row.flags = found.decided_at, " ".join(found.flags)
    row.milliseconds = (time.perf_counter() - began) * 1000
    return row


def _failure(claim: Claim, series: Series, text: str) -> Detection:
    key = claim.chunk.detector_key
    return Detection(
        series=series,
        detector_key=key,
        slug=key.partition("@")[0],
        outcome=Detection.Outcome.FAILED,
        error=text,
    )


def _differs(stored: Detection | None, new: Detection) -> bool:
    if stored is None:
        return False
    return any(getattr(stored, name) != getattr(new, name) for name in COMPARED_FIELDS)


def _finish(
    claim: Claim, answers: list[Detection], differing: list[int], *, complete: bool
) -> Outcome:
    """Store answers and the chunk's state together; nothing if the claim was lost meanwhile."""
    now = timezone.now()
    chunk = claim.chunk
    with transaction.atomic():
        open_run = Run.objects.filter(pk=chunk.run_id, state__in=Run.OPEN).exists()
        state = _state_after(complete=complete, open_run=open_run)
        held = claim.update(
            state=state,
            lease=None,
            worker=chunk.worker,
            differing=differing,
            finished=None if state == Chunk.State.WAITING else now,
            error="" if complete else "interrupted",
        )
        if not held:
            return "lost"
        upsert_detections(answers, chunk.run)
        _count(chunk)
    close_if_done(chunk.run_id)
    return "unfinished" if state == Chunk.State.WAITING else "done"


def _state_after(*, complete: bool, open_run: bool) -> str:
    if complete:
        return Chunk.State.DONE
    return Chunk.State.WAITING if open_run else Chunk.State.STOPPED


def upsert_detections(answers: Iterable[Detection], run: Run) -> None:
    """Insert or replace, in one statement; in one order, so that two writers never deadlock."""
    rows = sorted(answers, key=lambda each: each.series_id)
    for row in rows:
        row.run = run
    Detection.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["series", "detector_key"],
        update_fields=ANSWER_FIELDS,
    )


def _count(chunk: Chunk) -> None:
    """The chunk's figures, read from what is stored: no arithmetic that could drift."""
    known = Detection.objects.of_chunk(chunk)
    failed = known.filter(outcome=Detection.Outcome.FAILED).count()
    Chunk.objects.filter(pk=chunk.pk).update(done_count=known.count(), failed_count=failed)


def close_if_done(run_id: int) -> bool:
    """Close the run when its last chunk has ended.

    A statement of its own, after the chunk's transaction: of two workers that
    end the last two chunks at once, the later one sees both.
    """
    return close_ended(Run.objects.filter(pk=run_id))


def close_ended(runs: QuerySet[Run]) -> bool:
    """Close those of `runs` whose last chunk has ended; whether there was any."""
    ended = runs.filter(finished=None).exclude(chunks__in=Chunk.objects.open())
    now = timezone.now()
    closed = ended.filter(state__in=Run.OPEN).update(state=Run.State.DONE, finished=now)
    stopped = ended.filter(state=Run.State.STOPPED).update(finished=now)
    return bool(closed + stopped)
