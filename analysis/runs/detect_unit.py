"""Work on one chunk of a run: answer for each series, store all answers at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings

from analysis.methods.series_context import context_of_series, load_series, wanted_inputs
from analysis.runs.models import CERTAINTY_FIELDS, Chunk, Detection, Run
from analysis.work.leases import Claim, Outcome
from detectors.contract import Detector, DetectorError, NotAvailable, TooLong, TooShort
from detectors.registry import UnknownDetector, from_key
from series.models import Series
from series.values.read_ahead import read_ahead

log = logging.getLogger(__name__)
ANSWER_FIELDS = (
    "outcome",
    "steady_start",
    "published_index",
    "decided_at",
    "flags",
    "reason",
    *CERTAINTY_FIELDS,
    "changes",
    "milliseconds",
    "error",
    "run",
)
COMPARED_FIELDS = ("outcome", "steady_start", "published_index", "decided_at", "flags")


def compute(claim: Claim[Chunk]) -> Callable[[], Outcome]:
    """Answer for what is not stored yet; what is returned stores it with the chunk's end."""
    chunk, is_repeat = claim.unit, claim.unit.job.again
    detection_by_pk = {detection.series_id: detection for detection in _reusable(chunk)}
    pending_pks = [pk for pk in chunk.series_ids() if is_repeat or pk not in detection_by_pk]
    answers, is_complete = _answers(
        claim, load_series(pending_pks, chunk.detector_key, chunk.job.study)
    )
    if is_repeat:
        differing_pks = [
            pk
            for pk, new_detection in answers.items()
            if _differs(detection_by_pk.get(pk), new_detection)
        ]
        # Stored answers stay: other pages were read with them. The run says which differ.
        answers = {
            pk: new_detection for pk, new_detection in answers.items() if pk not in detection_by_pk
        }
    else:
        differing_pks = []
    return partial(_finish, claim, list(answers.values()), differing_pks, is_complete=is_complete)


def _reusable(chunk: Chunk) -> Iterable[Detection]:
    """Detections that need no computing, in a second attempt also the failures of the first."""
    detections = Detection.objects.of_chunk(chunk)
    settled_detections = detections.settled(None if chunk.job.again else chunk.job)
    if chunk.attempts > 1 and chunk.error:
        return settled_detections | detections.filter(run=chunk.job)
    return settled_detections


def _answers(claim: Claim[Chunk], series: Sequence[Series]) -> tuple[dict[int, Detection], bool]:
    """Answers by series, and whether all series were reached."""
    key = claim.unit.detector_key
    answers: dict[int, Detection] = {}
    failed_count = 0
    try:
        detector = from_key(key)
    except (UnknownDetector, ValueError) as error:  # the worker runs other code than the web server
        return {
            one_series.pk: failure(claim.unit, one_series.pk, str(error)) for one_series in series
        }, True
    wanted_pks, last_renewal = {one_series.pk for one_series in series}, claim.renewed
    for one_series in read_ahead(series):
        claim.begin(one_series.public_id)
        if not claim.report(len(answers), failed_count):
            return answers, False
        if claim.renewed != last_renewal:  # once a second: series may have been left out
            wanted_pks, last_renewal = set(claim.unit.series_ids()), claim.renewed
        if one_series.pk not in wanted_pks:
            continue
        try:
            answers[one_series.pk] = unsaved_detection(detector, one_series)
        except SoftTimeLimitExceeded:
            limit = settings.CELERY_TASK_SOFT_TIME_LIMIT
            answers[one_series.pk] = failure(
                claim.unit, one_series.pk, f"took longer than {limit} s, with others"
            )
            return answers, False
        claim.count(len(answers))
        failed_count += answers[one_series.pk].outcome == Detection.Outcome.FAILED
    return answers, True


_warm: set[str] = set()


def unsaved_detection(detector: Detector, series: Series) -> Detection:
    """The detector's answer for one stored series, as a row that is not saved."""
    if detector.slug not in _warm and detector.cost != "slow":
        # The first call in a process loads compiled kernels; timing it would mislead.
        _warm.add(detector.slug)
        _timed_detection(detector, series)
    return _timed_detection(detector, series)


def _timed_detection(detector: Detector, series: Series) -> Detection:
    row = Detection(series=series, detector_key=detector.key, slug=detector.slug)
    context = context_of_series(series, has_samples="samples" in wanted_inputs(detector))
    values = series.array()  # outside the block: unreadable values are no failure of the method
    began = time.perf_counter()
    try:
        method_answer = detector.answer(values, context)
    except TooShort as short:
        row.outcome, row.error = Detection.Outcome.TOO_SHORT, str(short)
    except TooLong as long:
        row.outcome, row.error = Detection.Outcome.TOO_LONG, str(long)
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
        row.steady_start, row.published_index = (
            method_answer.steady_start,
            method_answer.published_index,
        )
        row.decided_at, row.flags = method_answer.decided_at, " ".join(method_answer.flags)
        row.certainty, row.reason = method_answer.certainty, method_answer.reason
        changes = method_answer.changes
        row.changes = None if changes is None else list(changes)
    row.milliseconds = (time.perf_counter() - began) * 1000
    return row


def failure(chunk: Chunk, series: int, text: str) -> Detection:
    """Build an unsaved `Detection` that records why `series` has no answer."""
    return Detection(
        series_id=series,
        detector_key=chunk.detector_key,
        slug=chunk.detector_key.partition("@")[0],
        outcome=Detection.Outcome.FAILED,
        error=text,
    )


def _differs(stored_detection: Detection | None, new_detection: Detection) -> bool:
    if stored_detection is None:
        return False
    return any(
        getattr(stored_detection, name) != getattr(new_detection, name) for name in COMPARED_FIELDS
    )


def _finish(
    claim: Claim[Chunk], answers: list[Detection], differing_pks: list[int], *, is_complete: bool
) -> Outcome:
    """Store answers and the chunk's state; nothing if the claim was lost meanwhile."""
    error = "" if is_complete else "interrupted"
    outcome = claim.end(is_complete=is_complete, differing=differing_pks, error=error)
    if outcome != "lost":
        upsert_detections(answers, claim.unit.job)
        # Counts of stored rows: sums of increments could drift
        detections = Detection.objects.of_chunk(claim.unit)
        failed_count = detections.filter(outcome=Detection.Outcome.FAILED).count()
        Chunk.objects.filter(pk=claim.unit.pk).update(
            done_count=detections.count(), failed_count=failed_count
        )
    return outcome


def upsert_detections(answers: Iterable[Detection], run: Run) -> None:
    """Insert or replace, in one statement; in one order, so that two writers never deadlock."""
    rows = sorted(answers, key=lambda detection: detection.series_id)
    for row in rows:
        row.run = run
    Detection.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["series", "detector_key"],
        update_fields=ANSWER_FIELDS,
    )
