"""Services of jobs for pages, commands and workers: each stores first, and queues what is
stored.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils import timezone

from analysis.work import command_workers, leases, unit_messages
from analysis.work.kinds import JobKind, job_kind, kinds
from analysis.work.leases import Claim, Outcome
from analysis.work.models import LEASE, STALE, TRIES, Job, Worker, WorkUnit

PAUSE: Final = 0.3  # seconds between two looks at units that others compute
FEW: Final = 8  # messages at a time of a job that must not hold up others
MOST_AT_ONCE: Final = 1000  # messages of one sweep

AnyUnit = TypeVar("AnyUnit", bound=WorkUnit)
Kind = JobKind[Any, Any]


# --- one unit ---------------------------------------------------------------------------------
def take_unit(kind: JobKind[Any, AnyUnit], pk: int, *, worker: str) -> Claim[AnyUnit] | None:
    """Hold a unit, or None if it is done, stopped, or held by somebody who lives."""
    moment = timezone.now()
    taken_count = (
        kind.units.free(moment)
        .filter(pk=pk)
        .update(
            state=WorkUnit.State.TAKEN,
            lease=moment + LEASE,
            attempts=F("attempts") + 1,
            worker=worker[:100],
        )
    )
    if not taken_count:
        return None
    unit = kind.units.select_related("job__study").get(pk=pk)
    unit_job = kind.jobs.filter(pk=unit.job_id)  # without a join: see `WorkUnitQuerySet.free`
    unit_job.filter(began=None).update(began=moment)
    unit_job.filter(state=Job.State.QUEUED).update(state=Job.State.RUNNING)
    unit_job.update(served=moment)
    return Claim(unit)


def take_next(*, worker: str) -> Claim[Any] | None:
    """Hold the shortest waiting unit of the job whose turn it is; None where no unit waits.

    A message says that a unit waits, not which one: as many units wait as messages are on their
    way, whichever of them a message finds.
    """
    for job in jobs_in_turn():
        kind = job_kind(job)
        sent_units = kind.units.filter(job=job).exclude(queued_at=None).short_first()
        for pk in sent_units.free(timezone.now()).values_list("pk", flat=True)[:FEW]:
            if claim := take_unit(kind, pk, worker=worker):
                return claim
    return None


def jobs_in_turn() -> list[Job]:
    """Open jobs with a unit that waits, of every kind and study, in the order of their turns.

    The job with the fewest units at work comes first, then the one that was served longest ago:
    jobs that begin meanwhile wait for one unit, not for all units of an earlier job.
    """
    return sorted((job for kind in kinds() for job in _waiting_jobs(kind)), key=_turn_key)


def _waiting_jobs(kind: Kind) -> Iterator[Any]:
    waiting_units = kind.units.filter(job=OuterRef("pk"), state=WorkUnit.State.WAITING)
    waiting_jobs = kind.jobs.light().open().filter(Exists(waiting_units))
    working_units = Count("units", filter=Q(units__state=WorkUnit.State.TAKEN))
    yield from waiting_jobs.annotate(at_work=working_units).order_by()


def _turn_key(job: Any) -> tuple[int, datetime, datetime, int]:
    return job.at_work, job.served or datetime.min.replace(tzinfo=UTC), job.created, job.pk


def queue_places() -> dict[tuple[type[Job], int], int]:
    """Place of each job that no worker has begun, by model and primary key: 1 is next."""
    queued_jobs = [job for job in jobs_in_turn() if job.state == Job.State.QUEUED]
    return {
        (type(job), job.pk): queue_position
        for queue_position, job in enumerate(queued_jobs, start=1)
    }


def work_on(claim: Claim[Any]) -> Outcome:
    """Compute the unit, and store what came of it with its end in one transaction."""
    store = job_kind(claim.unit).compute(claim)
    return leases.write_at_usual_priority(partial(_store_in_transaction, store))


@transaction.atomic
def _store_in_transaction(store: Callable[[], Outcome]) -> Outcome:
    return store()


def take_and_work(kind: Kind, pk: int, *, worker: str = "") -> Outcome:
    """Compute a unit if it is free.

    Safe to call twice, at once, or again after a worker died half-way: one UPDATE decides who
    holds the unit, a lease that ran out frees it, and the same unit gives the same answers.
    """
    claim = take_unit(kind, pk, worker=worker)
    if claim is None:
        return "not-free"
    with leases.renewed_lease(claim):
        return work_on(claim)


# --- going on ---------------------------------------------------------------------------------
def units_to_send(job: Job) -> list[int]:
    """Units without a message, as many as shall have one now."""
    kind = job_kind(job)
    units = kind.units.filter(job=job)
    free_slots = MOST_AT_ONCE
    if not kind.at_once:
        pending_count = units.held().count() + units.sent().count()
        free_slots = max(FEW, 2 * Worker.objects.count()) - pending_count
    return list(units.unsent().values_list("pk", flat=True)[: max(free_slots, 0)])


def next_units(job: Job) -> list[int]:
    """Units that may be sent now, after the kind has planned more; a job without units ends.

    A statement of its own, after the transaction of a unit's end: of two workers that end the
    last two units at once, the later one sees both.
    """
    kind = job_kind(job)
    if not kind.units.filter(job=job).open().exists():
        has_planned_more = job.is_open and job.has_more_to_plan and kind.plan_more(job)
        if not has_planned_more:
            kind.jobs.filter(pk=job.pk).close_ended()
    return units_to_send(job)


def enqueue_next(job: Job) -> None:
    """After the end of a unit: queue the next ones, let the kind plan more, or close the job."""
    job.refresh_from_db()
    unit_messages.send(job_kind(job), next_units(job))


def queue_first_units(job: Job, *, queued: bool) -> None:
    """Queue the first units of a job that has been stored; one without units ends here.

    queued: False leaves the units to whoever calls `work_through`.
    """
    unit_pks = next_units(job)
    if queued:
        unit_messages.send_on_commit(job_kind(job), unit_pks)
    job.refresh_from_db()


def work_through(job: Job, *, worker: str, tell_progress: Callable[[int, int, int], None]) -> None:
    """Work on the job in this process until it has ended, beside any workers.

    tell_progress: called after each unit with what is done, of how much, and what failed.
    """
    kind = job_kind(job)
    units = kind.units.filter(job=job)
    free_units_of_ended_commands(job)
    job_size = job.size(units.counts_of(job))
    while True:
        counts = units.counts_of(job)
        tell_progress(counts.done, job_size, counts.failed)
        job.refresh_from_db()
        if job.finished:
            return
        waiting_units = units.filter(state=WorkUnit.State.WAITING).short_first()
        unit_pk = waiting_units.values_list("pk", flat=True).first()
        if unit_pk is None:
            time.sleep(PAUSE)  # another worker holds the last units, and may die with them
            recover(kind, job=job)
            continue
        take_and_work(kind, unit_pk, worker=worker)
        unit_pks = next_units(job)
        if units.exclude(queued_at=None).exists():  # else no message of this job was sent
            unit_messages.send(kind, unit_pks)


# --- stopping and trying again ----------------------------------------------------------------
@transaction.atomic
def stop(job: Job) -> bool:
    """No new units; those at work end soon. What is stored stays. False when it had ended."""
    kind = job_kind(job)
    job_row = kind.jobs.filter(pk=job.pk)
    stopped_count = job_row.open().update(state=Job.State.STOPPED)
    waiting_units = kind.units.filter(job=job, state=WorkUnit.State.WAITING)
    waiting_units.update(state=WorkUnit.State.STOPPED, worker="")
    job_row.close_ended()  # counts as done where no unit was left to stop
    return stopped_count == 1 and job_row.filter(state=Job.State.STOPPED).exists()


def retry(job: Job, *, key: str = "") -> int:
    """Queue what failed, was stopped or given up, and what is yet to be planned; how many units.

    Nothing that is stored and did not fail is computed again. key: only units of this detector key.
    """
    kind = job_kind(job)
    with transaction.atomic():
        units = kind.units.filter(job=job).of_method(key).unfinished()
        unit_count = units.wait_again(count=kind.done_before(job))
        unit_count = unit_count or int(job.has_more_to_plan and not job.is_open)
        if unit_count:
            kind.jobs.filter(pk=job.pk).update(state=Job.State.QUEUED, finished=None)
    if unit_count:
        job.refresh_from_db()
        unit_messages.send_on_commit(kind, next_units(job))
    return unit_count


# --- bringing back ----------------------------------------------------------------------------
def sweep(job: Job | None = None) -> int:
    """Queue what dead workers left behind and what the broker lost; how many units."""
    lost_count = 0 if job else unit_messages.count_unsent()
    unit_count = 0
    for kind in [job_kind(job)] if job else kinds():
        unit_pks = recover(kind, job=job, lost_count=lost_count)
        unit_messages.send(kind, unit_pks)
        unit_count += len(unit_pks)
    return unit_count


def recover(
    kind: Kind, *, job: Job | None = None, lost_count: int = 0, moment: datetime | None = None
) -> list[int]:
    """Bring back units whose lease has run out, close jobs that have ended; what to queue now.

    lost_count: messages that are known to be missing from the broker; so many waiting units, the
    longest queued first, are sent again.
    """
    moment = moment or timezone.now()
    unfinished_jobs = kind.jobs.light().filter(finished=None)
    if job:
        unfinished_jobs = unfinished_jobs.filter(pk=job.pk)
    for unit in (
        kind.units.light().held().filter(lease__lt=moment, job__in=unfinished_jobs)[:MOST_AT_ONCE]
    ):
        take_back_unit(unit)
    unit_pks = [pk for open_job in unfinished_jobs for pk in next_units(open_job)]
    stale_units = kind.units.sent().filter(job__in=unfinished_jobs, queued_at__lt=moment - STALE)
    resent_pks = stale_units.values_list("pk", flat=True)[: min(lost_count, MOST_AT_ONCE)]
    return list(dict.fromkeys([*unit_pks, *resent_pks]))


def free_worker_units(worker: str) -> list[Job]:
    """Bring back the units of a process that is known to be dead; the jobs that they are of."""
    jobs = []
    for kind in kinds():
        for unit in kind.units.light().held().filter(worker=worker):
            take_back_unit(unit)
            jobs.append(unit.job)
    return list(dict.fromkeys(jobs))


def free_units_of_ended_commands(job: Job) -> None:
    """Bring back the units that a command held whose process is gone: no lease has to run out."""
    for unit in job_kind(job).units.light().filter(job=job).held():
        if command_workers.has_ended(unit.worker):
            take_back_unit(unit)


@transaction.atomic
def abandon(claim: Claim[Any]) -> bool:
    """Let go of a unit in the middle of a series; False where it has ended, or was lost.

    What was computed of it and is not stored will be computed again, if anybody still wants it.
    """
    kind = job_kind(claim.unit)
    claim.counted = Counter(claim.unit.pace)
    outcome = claim.end(is_complete=False, done_count=kind.done_before(claim.unit.job))
    return outcome in {"unfinished", "stopped"}


@transaction.atomic
def take_back_unit(unit: WorkUnit) -> None:
    """Free a unit that its worker has left behind; stopped where nobody wants it any more.

    Two sweeps at once free it once: the attempt's number is part of the condition.
    """
    kind, claim = job_kind(unit), Claim(unit)
    is_wanted = claim.is_wanted()
    if is_wanted and unit.attempts >= TRIES:
        _store_failure(kind, claim)
    elif not (is_wanted and kind.take_apart(claim)):
        claim.end(is_complete=False, done_count=kind.done_before(unit.job))


def _store_failure(kind: Kind, claim: Claim[Any]) -> None:
    """Store the failure, so that the page and every table say what happened."""
    unit = claim.unit
    reason = f"the worker died {unit.attempts} times while computing this; last: {unit.worker}"
    was_updated = claim.update(
        state=WorkUnit.State.GIVEN_UP,
        lease=None,
        finished=timezone.now(),
        error=reason,
        done_count=unit.size,
        failed_count=unit.size,
    )
    if was_updated:
        kind.was_given_up(unit, reason)
