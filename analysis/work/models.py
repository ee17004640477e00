"""Jobs, the units that workers take of them by a lease, and workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Self, TypeVar

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Count, Q, Sum
from django.db.models.expressions import Combinable
from django.utils import timezone

from people.models import Study, User
from people.public_id import new_public_id

# Renewed while the work goes on; when it has run out, somebody else may take it.
LEASE = timedelta(seconds=settings.CHUNK_LEASE_SECONDS)
STALE = LEASE / 4  # age from which on an untaken message counts as lost
PACE_SECONDS = 5  # answers are counted by slots of so many seconds
TRIES = 5  # deaths of workers after which a unit is given up

AnyJob = TypeVar("AnyJob", bound="Job")
AnyUnit = TypeVar("AnyUnit", bound="WorkUnit")


class UnitCounts(NamedTuple):
    """Counts over the units of one job: `size`, `done` and `failed` as units count them."""

    size: int = 0
    done: int = 0
    failed: int = 0
    held: int = 0  # units at work


# --- jobs -------------------------------------------------------------------------------------
class JobQuerySet(models.QuerySet[AnyJob]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Jobs of the studies of which `user` is a member."""
        return self.filter(study__in=Study.objects.visible_to(user))

    def light(self) -> Self:
        """Leave out columns that only computing needs: lists stay small."""
        return self

    def open(self) -> Self:
        """Jobs of which workers may take units."""
        return self.filter(state__in=Job.OPEN)

    def ended_before(self, count: int) -> Self:
        """Jobs that have ended, but for the newest `count` of them."""
        return self.exclude(finished=None).order_by("-created", "-pk")[count:]

    def close_ended(self) -> bool:
        """Close those whose last unit has ended; whether there was any.

        A stop that came after the last unit was taken has stopped nothing: such a job is done.
        """
        ended_jobs = self.filter(finished=None).exclude(units__state__in=WorkUnit.OPEN)
        has_stopped_units = Q(
            pk__in=ended_jobs.filter(units__state=WorkUnit.State.STOPPED).values("pk")
        )
        complete_jobs = ended_jobs.filter(self.model.all_planned()).exclude(has_stopped_units)
        moment = timezone.now()
        closed_count = complete_jobs.update(state=Job.State.DONE, finished=moment)
        closed_count += ended_jobs.open().update(state=Job.State.DONE, finished=moment)
        stopped_count = ended_jobs.filter(state=Job.State.STOPPED).update(finished=moment)
        return bool(closed_count + stopped_count)


class Job(models.Model):
    """Work of workers for a study, unit by unit. Its units have a foreign key `job` to it."""

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        STOPPED = "stopped", "stopped"
        DONE = "done", "done"

    OPEN = (State.QUEUED, State.RUNNING)  # workers may take units of it

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="%(class)ss")
    name = models.CharField(max_length=120)
    state = models.CharField(max_length=7, choices=State, default=State.QUEUED)
    started_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    began = models.DateTimeField(null=True, blank=True)  # when the first unit was taken
    served = models.DateTimeField(null=True, blank=True)  # when a worker last took a unit of it
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        app_label = "analysis"
        abstract = True
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Its page; `cancellation/` and `retry/` stand below it."""
        raise NotImplementedError

    @property
    def is_open(self) -> bool:
        """True if workers may still take units of the job."""
        return self.state in self.OPEN

    @property
    def seconds(self) -> float | None:
        """Seconds that the job took, or has taken; None before it began."""
        if self.began is None:
            return None
        return ((self.finished or timezone.now()) - self.began).total_seconds()

    @property
    def breadth(self) -> int:
        """Number of answers per series: methods of a run, parameter sets of an exploration."""
        raise NotImplementedError

    @property
    def has_more_to_plan(self) -> bool:
        """True if units will follow that are not stored yet."""
        return False

    @classmethod
    def all_planned(cls) -> Q:
        """Condition in a query: `has_more_to_plan` is false."""
        return Q()

    def size(self, counts: UnitCounts) -> int:
        """All that it computes, counted as its units count it."""
        return counts.size


# --- units ------------------------------------------------------------------------------------
class WorkUnitQuerySet(models.QuerySet[AnyUnit]):
    def light(self) -> Self:
        """Leave out columns that only results need: progress and messages read the rest."""
        return self

    def free(self, moment: datetime) -> Self:
        """Units that a worker may take: waiting, or left behind by a dead worker; of open jobs.

        Jobs are a subquery of their own, which an UPDATE needs: with a join the units would be in
        the subquery, too, and PostgreSQL would give a unit to each worker that waits for its row.
        """
        abandoned_units = Q(state=WorkUnit.State.TAKEN, lease__lt=moment, attempts__lt=TRIES)
        job: Any = self.model._meta.get_field("job").related_model  # noqa: SLF001
        open_jobs = job._default_manager.filter(state__in=Job.OPEN)  # noqa: SLF001
        return self.filter(Q(state=WorkUnit.State.WAITING) | abandoned_units, job__in=open_jobs)

    def open(self) -> Self:
        """Units that have not ended: waiting or at work."""
        return self.filter(state__in=WorkUnit.OPEN)

    def held(self) -> Self:
        """Units at work, or that were when their worker died."""
        return self.filter(state=WorkUnit.State.TAKEN)

    def of_method(self, key: str) -> Self:
        """Units of a detector key where units of a job differ in it; all for an empty key."""
        return self

    def beside(self, unit: AnyUnit) -> Self:
        """Units of the same job as `unit`, as a page numbers them."""
        return self.filter(job=unit.job_id)

    def short_first(self) -> Self:
        """Units in the order in which workers take them: least expected milliseconds first."""
        return self.order_by("expected_ms", "pk")

    def unsent(self) -> Self:
        """Waiting units of open jobs for which no message is on its way."""
        return self.filter(
            state=WorkUnit.State.WAITING, queued_at=None, job__state__in=Job.OPEN
        ).short_first()

    def sent(self) -> Self:
        """Waiting units of open jobs whose message no worker has taken, the oldest first."""
        waiting_units = self.filter(state=WorkUnit.State.WAITING, job__state__in=Job.OPEN)
        return waiting_units.exclude(queued_at=None).order_by("queued_at")

    def at_work_since(self, moment: datetime) -> Self:
        """Units that a worker has, or ended after `moment`: whose pace tells of that time."""
        return self.filter(Q(finished__gte=moment) | Q(state=WorkUnit.State.TAKEN))

    def pace(self) -> Counter[int]:
        """Count answers of all these units, by slots of PACE_SECONDS since the epoch."""
        paces = self.order_by().values_list("pace", flat=True)
        return _sum_paces(pace for pace in paces if pace)

    def unfinished(self) -> Self:
        """Units that can be run again: failed, stopped or given up."""
        states = WorkUnit.State
        has_failures = Q(state=states.DONE, failed_count__gt=0)
        return self.filter(has_failures | Q(state__in=[states.STOPPED, states.GIVEN_UP]))

    def with_failures(self) -> Self:
        return self.filter(Q(failed_count__gt=0) | Q(state=WorkUnit.State.GIVEN_UP))

    def wait_again(self, *, count: int | Combinable = 0) -> int:
        """Let these units wait as if nobody had taken them, with `count` items done; how many."""
        return self.update(
            state=WorkUnit.State.WAITING,
            attempts=0,
            done_count=count,
            failed_count=0,
            lease=None,
            worker="",
            error="",
            queued_at=None,
            finished=None,
        )

    def counts_by_job(self, jobs: Collection[Job]) -> dict[int, UnitCounts]:
        """Counts of the units of each of `jobs`, in one query for all."""
        rows = (
            self.filter(job__in=jobs)
            .values_list("job")
            .annotate(
                Sum("size"),
                Sum("done_count"),
                Sum("failed_count"),
                held=Count("pk", filter=Q(state=WorkUnit.State.TAKEN)),
            )
            .order_by()
        )
        return {key: UnitCounts(*counts) for key, *counts in rows}

    def counts_of(self, job: Job) -> UnitCounts:
        """Counts of the units of one job; zeros where it has none."""
        return self.counts_by_job([job]).get(job.pk, UnitCounts())


class WorkUnit(models.Model):
    """Part of a job that one worker takes, counted in whatever it has to compute.

    A kind's own model has the foreign key `job`, which its job knows as `units`.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        TAKEN = "taken", "taken"
        DONE = "done", "done"
        STOPPED = "stopped", "stopped"
        GIVEN_UP = "given-up", "given up"

    OPEN = (State.WAITING, State.TAKEN)

    job: Any  # a foreign key of the kind's own model
    job_id: int
    size = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    lease = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=100, blank=True)
    queued_at = models.DateTimeField(null=True, blank=True)  # when its message was last sent
    done_count = models.PositiveIntegerField(default=0)  # series, failed ones included
    failed_count = models.PositiveIntegerField(default=0)
    finished = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)
    expected_ms = models.FloatField(default=0.0)  # computing that the plan foresaw
    current = models.CharField(max_length=20, blank=True)  # public id of a series at work
    current_since = models.DateTimeField(null=True, blank=True)
    pace = models.JSONField(default=dict, blank=True)  # answers by slot of PACE_SECONDS

    class Meta:
        app_label = "analysis"
        abstract = True
        ordering = ["job_id", "pk"]

    @property
    def method_key(self) -> str:
        """The detector key, or the part of one, of what is computed."""
        raise NotImplementedError


def _sum_paces(paces: Iterable[dict[str, int]]) -> Counter[int]:
    counts: Counter[int] = Counter()
    for pace in paces:
        counts.update({int(slot): count for slot, count in pace.items()})
    return counts


# --- workers ----------------------------------------------------------------------------------
class Worker(models.Model):
    """A process that takes units: who is alive is read from the last beat."""

    name = models.CharField(max_length=100, unique=True)  # w-1@host, kept over restarts
    pid = models.PositiveIntegerField(default=0)
    version = models.CharField(max_length=40, blank=True)
    busy_with = models.CharField(max_length=200, blank=True)
    started = models.DateTimeField()
    last_beat = models.DateTimeField()

    class Meta:
        app_label = "analysis"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def short_name(self) -> str:
        """Name without its machine: `w-1`."""
        return self.name.partition("@")[0]

    @property
    def machine(self) -> str:
        """`@host`, after the short name."""
        return self.name.removeprefix(self.short_name)
