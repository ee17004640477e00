"""How far a job is: counts and times only, never an answer of a series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, Q, Sum
from django.utils import timezone

from analysis.work import workers
from analysis.work.kinds import JobKind, kind_of
from analysis.work.models import LEASE, Job, UnitCounts, Worker, WorkUnit, WorkUnitQuerySet
from people.templatetags.writing import whole

RATE_OVER: Final = timedelta(seconds=60)  # the rate is that of the last minute


@dataclass(frozen=True, slots=True)
class JobLine:
    """One job in a list, counted as its units count."""

    job: Job
    total: int
    done: int  # failed ones included
    failed: int
    state: str  # queued, running, stopping, stopped, done

    @property
    def percent(self) -> int:
        return 100 if not self.total else 100 * self.done // self.total

    @property
    def going(self) -> bool:
        """Whether anything may still change by itself."""
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

    noun: str  # what it is called
    unit: str  # what its units are called
    rate: float | None  # a second, over the last minute
    workers: tuple[JobWorker, ...]
    held: tuple[WorkUnit, ...]  # at work, or left behind
    waiting: int  # units
    silent: tuple[str, ...]  # workers whose lease has run out
    last_seen: datetime | None
    milliseconds_left: float = 0.0  # of computing, where more is known of it than the rate says

    @property
    def seconds_left(self) -> float | None:
        """The longer of two estimates: cheap units may come first, and their rate mislead."""
        if not self.rate:
            return None
        computing = self.milliseconds_left / 1000 / max(len(self.workers), 1)
        return max((self.total - self.done) / self.rate, computing)

    @property
    def lease_seconds(self) -> int:
        """After so long without a word of its worker, a unit is given to another."""
        return round(LEASE.total_seconds())


def job_lines(jobs: Sequence[Job]) -> list[JobLine]:
    """Jobs of one kind with their counts, read in one query for all."""
    counts = kind_of(jobs[0]).units.counts_by_job(jobs) if jobs else {}
    return [_line(each, counts.get(each.pk, UnitCounts())) for each in jobs]


def _line(job: Job, counts: UnitCounts) -> JobLine:
    # `stopping` as long as a worker is still at what was stopped
    state = "stopping" if job.state == Job.State.STOPPED and counts.held else job.state
    return JobLine(job, job.size(counts), counts.done, counts.failed, state)


def job_progress(job: Job) -> JobProgress:
    """Everything about the work that a job's page shows, read afresh."""
    now, kind = timezone.now(), kind_of(job)
    units = kind.units.light().filter(job=job)
    line = _line(job, units.counts_of(job))
    held = tuple(units.held().order_by("pk"))
    alive = workers.living_workers(now)
    return JobProgress(
        job=job,
        total=line.total,
        done=line.done,
        failed=line.failed,
        state=line.state,
        noun=kind.name,
        unit=kind.unit_noun,
        rate=_rate(units, job, now) if job.is_open else None,
        workers=tuple(_worker(kind, each, held) for each in alive),
        held=held,
        waiting=units.filter(state=WorkUnit.State.WAITING).count(),
        silent=tuple(each.worker for each in held if each.lease and each.lease < now),
        last_seen=workers.last_seen() if not alive else None,
    )


def _rate(units: WorkUnitQuerySet[Any], job: Job, now: datetime) -> float | None:
    if job.began is None:
        return None
    since = max(job.began, now - RATE_OVER)
    lately = units.filter(Q(finished__gte=since) | Q(state=WorkUnit.State.TAKEN))
    done = lately.aggregate(done=Sum("done_count"))["done"] or 0
    passed = (now - since).total_seconds()
    return done / passed if done and passed > 0.5 else None


def _worker(kind: JobKind[Any, Any], worker: Worker, held: Sequence[WorkUnit]) -> JobWorker:
    mine = next((each for each in held if each.worker == worker.name), None)
    if mine is None:
        return JobWorker(worker, "busy with something else" if worker.busy_with else "free")
    figures = kind.units.beside(mine).aggregate(
        of=Count("pk"), position=Count("pk", filter=Q(pk__lte=mine.pk))
    )
    task = f"{kind.unit_noun} {whole(figures['position'])} of {whole(figures['of'])}"
    return JobWorker(worker, task, mine, kind.code_of(mine))
