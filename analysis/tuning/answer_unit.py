"""What a worker does with a part: answer for its sets and series, and store all at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from analysis.methods.series_context import context_of, load_series, wanted_inputs
from analysis.tuning.designs import judge_of, method_of, packed_answers
from analysis.tuning.models import Exploration, Part
from analysis.work import leases
from analysis.work.models import LEASE
from detectors.contract import ParameterError, as_series
from detectors.parameter_sets import NO_ANSWER, Table
from detectors.registry import UnknownDetector
from series.models import Series

log = logging.getLogger(__name__)
Claim = leases.Claim[Part]
Outcome = Literal["done", "not-free", "unfinished", "lost"]
SPLIT: Final = "too long for one piece of work; divided"


def take_part(part_id: int, *, worker: str) -> Claim | None:
    """Hold the part, or None if it is done, stopped, or held by somebody who lives."""
    now = timezone.now()
    free = Part.objects.free(now).filter(pk=part_id, exploration__state__in=Exploration.OPEN)
    taken = free.update(
        state=Part.State.TAKEN, lease=now + LEASE, attempts=F("attempts") + 1, worker=worker[:100]
    )
    if not taken:
        return None
    part = Part.objects.select_related("exploration__study").get(pk=part_id)
    mine = Exploration.objects.filter(pk=part.exploration_id)
    mine.filter(began=None).update(began=now)
    mine.filter(state=Exploration.State.QUEUED).update(state=Exploration.State.RUNNING)
    return leases.Claim(part)


def explore_part(part_id: int, *, worker: str = "") -> Outcome:
    """Answer for every set and series of the part.

    Safe to run twice, at once, or again after a worker died half-way: one UPDATE decides who
    holds it, a lease that ran out frees it, and the same sets give the same answers.
    """
    claim = take_part(part_id, worker=worker)
    return "not-free" if claim is None else work_on(claim)


def work_on(claim: Claim) -> Outcome:
    """Answer, and store the answers with the part's end in one statement."""
    part, began = claim.chunk, time.perf_counter()
    try:
        found = _answers(claim, _series_of(part))
    except SoftTimeLimitExceeded:
        return _divide(claim)
    except (UnknownDetector, ParameterError) as error:  # this worker has other code than the web
        return _finish(claim, None, part.size, str(error), time.perf_counter() - began)
    if found is None:
        return _leave(claim)
    table, errors = found
    failed = part.sets * len(errors)
    return _finish(claim, table, failed, "\n".join(errors), time.perf_counter() - began)


def _series_of(part: Part) -> list[Series | None]:
    """The part's series in their order; None for one that is gone."""
    exploration = part.exploration
    ids = exploration.series_ids[part.first_series : part.first_series + part.series]
    found = {each.pk: each for each in load_series(ids, exploration.slug, exploration.study)}
    return [found.get(pk) for pk in ids]


def _answers(claim: Claim, series: Sequence[Series | None]) -> tuple[Table, list[str]] | None:
    """The table, and what went wrong on which series; None when the part is not wanted any more."""
    part = claim.chunk
    judge = judge_of(part.exploration.public_id, part.first_set, part.sets)
    samples = "samples" in wanted_inputs(method_of(part.exploration)())
    table = np.full((part.sets, part.series), NO_ANSWER, np.int32)
    errors: list[str] = []
    for at, each in enumerate(series):
        if not claim.report(at * part.sets, len(errors) * part.sets):
            return None
        if each is None:
            continue
        try:
            table[:, at] = judge(as_series(each.array()), context_of(each, samples=samples))
        except SoftTimeLimitExceeded:
            raise
        except Exception as error:  # a method's bug on one series must not take the others with it
            log.exception("%s failed on series %s", part.exploration.method, each.public_id)
            errors.append(f"{type(error).__name__}: {error}")
    return table, errors


def _finish(claim: Claim, table: Table | None, failed: int, error: str, seconds: float) -> Outcome:
    held = claim.update(
        state=Part.State.DONE,
        answers=b"" if table is None else packed_answers(table),
        done_count=claim.chunk.size,
        failed_count=failed,
        seconds=seconds,
        lease=None,
        finished=timezone.now(),
        error=error,
    )
    return "done" if held else "lost"


def _leave(claim: Claim) -> Outcome:
    """Nobody wants it any more, or it was lost; what was computed of it is let go."""
    wanted = claim.chunk.is_wanted()
    state = Part.State.WAITING if wanted else Part.State.STOPPED
    finished = None if wanted else timezone.now()
    held = claim.update(state=state, lease=None, done_count=0, finished=finished, queued_at=None)
    return "unfinished" if held else "lost"


@transaction.atomic
def _divide(claim: Claim) -> Outcome:
    """Two halves instead of a part that took too long; one set on one series cannot be halved."""
    part = claim.chunk
    if part.size == 1:
        limit = settings.CELERY_TASK_SOFT_TIME_LIMIT
        return _finish(claim, None, 1, f"took longer than {limit} s", float(limit))
    by_sets = part.sets > 1
    half = (part.sets if by_sets else part.series) // 2
    kept = {"sets": half} if by_sets else {"series": half}
    sets, series = kept.get("sets", part.sets), kept.get("series", part.series)
    again = {"state": Part.State.WAITING, "lease": None, "queued_at": None, "done_count": 0}
    if not claim.update(**again, **kept, size=sets * series, attempts=0):
        return "lost"
    rest_sets = part.sets - half if by_sets else part.sets
    rest_series = part.series if by_sets else part.series - half
    Part.objects.create(
        exploration_id=part.exploration_id,
        first_set=part.first_set + (half if by_sets else 0),
        sets=rest_sets,
        first_series=part.first_series + (0 if by_sets else half),
        series=rest_series,
        size=rest_sets * rest_series,
    )
    log.warning("%s: %s", part, SPLIT)
    return "unfinished"
