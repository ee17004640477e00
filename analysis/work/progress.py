"""Progress of a job: counts and times only, never an answer of a series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, Q, Sum
from django.utils import timezone

from analysis.work import services, workers
from analysis.work.kinds import JobKind, job_kind
from analysis.work.models import (
    LEASE,
    PACE_SECONDS,
    Job,
    UnitCounts,
    Worker,
    WorkUnit,
    WorkUnitQuerySet,
)
from people.templatetags.writing import grouped

RATE_OVER: Final = timedelta(seconds=60)  # span over which the rate is counted
TOO_EARLY: Final = 0.5  # seconds after its begin in which a job has no rate yet


@dataclass(frozen=True, slots=True)
class JobLine:
    """One job in a list, counted as its units count."""

    job: Job
    total: int
    done: int  # failed ones included
    failed: int
    state: str  # queued, running, stopping, stopped, done
    queue_place: int | None  # in the queue of all jobs that no worker has begun; 1 is next

    @property
    def percent(self) -> int:
        return 100 if not self.total else 100 * self.done // self.total

    @property
    def is_going(self) -> bool:
        """True if the state of the job may still change by itself."""
        return self.state in {"queued", "running", "stopping"}


@dataclass(frozen=True, slots=True)
class JobWorker:
    """One living worker, and what it does for the job."""

    worker: Worker
    task: str  # `chunk 3 of 12`, or why it does nothing for this job
    unit: WorkUnit | None = None
    code: str = ""  # of the method


@dataclass(frozen=True, slots=True)
class JobProgress(JobLine):
    """A job as its page shows it."""

    noun: str  # name of the job
    unit: str  # noun for its units
    rate: float | None  # answers a second, over the last minute; 0 where none came
    workers: tuple[JobWorker, ...]
    held: tuple[WorkUnit, ...]  # units at work, or left behind by a dead worker
    waiting: int  # waiting units
    silent: tuple[str, ...]  # workers whose lease has run out
    last_seen: datetime | None
    left: RemainingWork

    @property
    def seconds_left(self) -> tuple[float, float] | None:
        """Shortest and longest time to the end; None where nothing is foreseen.

        Three estimates: the rate of the last minute, the work as it was planned, and that work
        at the pace of what is computed now. Short units come first, so that their rate misleads.
        A job that gave no answer for a minute, and by its plan ends within one, has left its plan.
        """
        planned_seconds = self.left.expected_ms / 1000 / max(len(self.workers), 1)
        estimates = (
            [planned_seconds, planned_seconds * self.left.overrun] if planned_seconds else []
        )
        if self.rate:
            estimates.append((self.total - self.done) / self.rate)
        if self.has_paused and max(estimates, default=0) < RATE_OVER.total_seconds():
            return None
        return (min(estimates), max(estimates)) if estimates else None

    @property
    def has_paused(self) -> bool:
        """True for a job that began more than a minute ago and gave no answer since."""
        begin_time = self.job.began
        return self.rate == 0 and begin_time is not None and timezone.now() - begin_time > RATE_OVER

    @property
    def per_minute(self) -> int | None:
        """Answers a minute, at the rate of the last one."""
        return None if self.rate is None else round(60 * self.rate)

    @property
    def lease_seconds(self) -> int:
        """After so long without a word of its worker, a unit is given to another."""
        return round(LEASE.total_seconds())


@dataclass(frozen=True, slots=True)
class RemainingWork:
    """Computing time of what has not ended, as it was planned, and how far off the plan is.

    overrun: how many times as long as planned the units at work have taken; at least 1.
    """

    expected_ms: float = 0.0
    overrun: float = 1.0


def remaining_work(
    units: WorkUnitQuerySet[Any], held_units: Sequence[WorkUnit], moment: datetime
) -> RemainingWork:
    """Sum the planned time of waiting units and what is left of that of units at work."""
    waiting_milliseconds = units.filter(state=WorkUnit.State.WAITING).aggregate(
        ms=Sum("expected_ms")
    )["ms"]
    elapsed_milliseconds = {
        unit.pk: 1000
        * ((moment - unit.current_since).total_seconds() if unit.current_since else 0.0)
        for unit in held_units
    }
    held_milliseconds = sum(
        max(unit.expected_ms - elapsed_milliseconds[unit.pk], 0.0) for unit in held_units
    )
    overruns = [
        elapsed_milliseconds[unit.pk] / unit.expected_ms for unit in held_units if unit.expected_ms
    ]
    return RemainingWork((waiting_milliseconds or 0.0) + held_milliseconds, max([1.0, *overruns]))


def answers_by_minute(job: Job, *, minutes: int, moment: datetime | None = None) -> list[int]:
    """Answers in each of the last `minutes` minutes, the oldest first."""
    moment = moment or timezone.now()
    first_moment = moment - timedelta(minutes=minutes)
    counts = [0] * minutes
    for slot, count in (
        job_kind(job).units.filter(job=job).at_work_since(first_moment).pace().items()
    ):
        minute_index = int((slot * PACE_SECONDS - first_moment.timestamp()) // 60)
        if 0 <= minute_index < minutes:
            counts[minute_index] += count
    return counts


def job_lines(jobs: Sequence[Job]) -> list[JobLine]:
    """Jobs of one kind with their counts, read in one query for all."""
    counts = job_kind(jobs[0]).units.counts_by_job(jobs) if jobs else {}
    has_queued_job = any(job.state == Job.State.QUEUED for job in jobs)
    place_by_job = services.queue_places() if has_queued_job else {}
    return [
        _job_line(job, counts.get(job.pk, UnitCounts()), place_by_job.get((type(job), job.pk)))
        for job in jobs
    ]


def _job_line(job: Job, counts: UnitCounts, queue_place: int | None) -> JobLine:
    # `stopping` as long as a worker is still at what was stopped
    state = "stopping" if job.state == Job.State.STOPPED and counts.held else job.state
    return JobLine(job, job.size(counts), counts.done, counts.failed, state, queue_place)


def job_progress(job: Job) -> JobProgress:
    """Everything about the work that a job's page shows, read afresh."""
    moment, kind = timezone.now(), job_kind(job)
    units = kind.units.light().filter(job=job)
    line = _job_line(job, units.counts_of(job), _queue_place(job))
    held_units = tuple(units.held().order_by("pk"))
    living_workers = workers.living_workers(moment)
    return JobProgress(
        job=job,
        total=line.total,
        done=line.done,
        failed=line.failed,
        state=line.state,
        noun=kind.name,
        unit=kind.unit_noun,
        rate=_rate(units, job, moment) if job.is_open else None,
        workers=tuple(_job_worker(kind, worker, held_units) for worker in living_workers),
        held=held_units,
        waiting=units.filter(state=WorkUnit.State.WAITING).count(),
        silent=tuple(unit.worker for unit in held_units if unit.lease and unit.lease < moment),
        last_seen=workers.last_beat() if not living_workers else None,
        left=remaining_work(units, held_units, moment) if job.is_open else RemainingWork(),
        queue_place=line.queue_place,
    )


def _queue_place(job: Job) -> int | None:
    """Place in the queue of a job that no worker has begun."""
    if job.state != Job.State.QUEUED:
        return None
    return services.queue_places().get((type(job), job.pk))


def _rate(units: WorkUnitQuerySet[Any], job: Job, moment: datetime) -> float | None:
    """Answers a second over the last minute, of a unit at work as of one that has ended."""
    if job.began is None:
        return None
    first_slot = int((moment - RATE_OVER).timestamp()) // PACE_SECONDS
    first_moment = max(job.began.timestamp(), first_slot * PACE_SECONDS)
    passed_seconds = moment.timestamp() - first_moment
    if passed_seconds <= TOO_EARLY:
        return None
    pace = units.at_work_since(moment - RATE_OVER).pace()
    return sum(count for slot, count in pace.items() if slot >= first_slot) / passed_seconds


def _job_worker(
    kind: JobKind[Any, Any], worker: Worker, held_units: Sequence[WorkUnit]
) -> JobWorker:
    worker_unit = next((unit for unit in held_units if unit.worker == worker.name), None)
    if worker_unit is None:
        return JobWorker(worker, "busy with something else" if worker.busy_with else "free")
    counts = kind.units.beside(worker_unit).aggregate(
        of=Count("pk"), position=Count("pk", filter=Q(pk__lte=worker_unit.pk))
    )
    task = f"{kind.unit_noun} {grouped(counts['position'])} of {grouped(counts['of'])}"
    return JobWorker(worker, task, worker_unit, kind.code_of(worker_unit))
