"""Work that a worker takes: held by a lease, so that nobody's death loses it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Count, Q, Sum
from django.db.models.expressions import Combinable

# Renewed while the work goes on; when it has run out, somebody else may take it.
LEASE = timedelta(seconds=settings.CHUNK_LEASE_SECONDS)
STALE = LEASE / 4  # a message that no worker took for so long may have been lost
TRIES = 5  # what killed its worker so often is given up

Work = TypeVar("Work", bound="Leased")


class UnitCounts(NamedTuple):
    """Of the units of one run or exploration: `size`, `done` and `failed` as units count them."""

    size: int = 0
    done: int = 0
    failed: int = 0
    held: int = 0  # units at work


class LeasedQuerySet(models.QuerySet[Work]):
    def free(self, now: datetime) -> LeasedQuerySet[Work]:
        """What a worker may take: waiting, or left behind by one that died."""
        return self.filter(
            Q(state=Leased.State.WAITING)
            | Q(state=Leased.State.TAKEN, lease__lt=now, attempts__lt=TRIES)
        )

    def open(self) -> LeasedQuerySet[Work]:
        """What has not ended: waiting or at work."""
        return self.filter(state__in=[Leased.State.WAITING, Leased.State.TAKEN])

    def left_behind(self, now: datetime) -> LeasedQuerySet[Work]:
        """That whose worker has not reported for the length of a lease."""
        return self.filter(state=Leased.State.TAKEN, lease__lt=now)

    def wait_again(self, *, done: int | Combinable = 0) -> int:
        """Let these units wait as if nobody had taken them, with `done` looked at; how many."""
        return self.update(
            state=Leased.State.WAITING,
            attempts=0,
            done_count=done,
            failed_count=0,
            lease=None,
            worker="",
            error="",
            queued_at=None,
            finished=None,
        )

    def counts_by(self, owner: str) -> dict[int, UnitCounts]:
        """Counts by what the units are parts of, the field `owner`, in one query for all."""
        rows = (
            self.values_list(owner)
            .annotate(
                Sum("size"),
                Sum("done_count"),
                Sum("failed_count"),
                held=Count("pk", filter=Q(state=Leased.State.TAKEN)),
            )
            .order_by()
        )
        return {key: UnitCounts(*counts) for key, *counts in rows}


class Leased(models.Model):
    """The unit that a worker takes, counted in whatever it has to compute."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        TAKEN = "taken", "taken"
        DONE = "done", "done"
        STOPPED = "stopped", "stopped"
        GIVEN_UP = "given-up", "given up"

    size = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    lease = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=100, blank=True)
    queued_at = models.DateTimeField(null=True, blank=True)  # when its message was last sent
    done_count = models.PositiveIntegerField(default=0)  # looked at, failed ones included
    failed_count = models.PositiveIntegerField(default=0)
    finished = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        app_label = "analysis"
        abstract = True

    @property
    def task(self) -> str:
        """What its worker is at, in a word."""
        raise NotImplementedError

    def is_wanted(self) -> bool:
        """Whether what it is a part of goes on, read afresh."""
        raise NotImplementedError


class Worker(models.Model):
    """A process that takes chunks: who is alive is read from the last beat."""

    name = models.CharField(max_length=100, unique=True)  # w-1@host: the same after a restart
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
        """Without its machine: `w-1`."""
        return self.name.partition("@")[0]

    @property
    def machine(self) -> str:
        """`@host`, after the short name."""
        return self.name.removeprefix(self.short_name)
