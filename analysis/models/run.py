"""A run: detectors times series, cut into chunks that workers take."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.urls import reverse

from people.models import Study, User
from people.public_id import new_public_id

LEASE = timedelta(seconds=120)  # renewed after each series; then somebody else may take the chunk
TRIES = 5  # a chunk that killed its worker so often is given up


class RunQuerySet(models.QuerySet["Run"]):
    def visible_to(self, user: User | AnonymousUser) -> RunQuerySet:
        """Runs of the studies of which `user` is a member."""
        return self.filter(study__in=Study.objects.visible_to(user))


class Run(models.Model):
    """Detectors x series, executed by workers; never edited, only repeated."""

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        STOPPED = "stopped", "stopped"
        DONE = "done", "done"

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="runs")
    name = models.CharField(max_length=120)
    selection = models.JSONField(default=dict)  # data set and filter, as a person would say it
    detectors = models.JSONField(default=list)  # canonical keys, in the order chosen
    state = models.CharField(max_length=7, choices=State, default=State.QUEUED)
    wanted = models.PositiveIntegerField(default=0)  # detections asked for
    stored_before = models.PositiveIntegerField(default=0)  # of these, known when it began
    again = models.BooleanField(default=False)  # compute what is stored again, and compare
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("run", kwargs={"study": self.study.slug, "run": self.public_id})


class ChunkQuerySet(models.QuerySet["Chunk"]):
    def free(self, now: datetime) -> ChunkQuerySet:
        """Chunks that a worker may take: waiting, or left behind by one that died."""
        return self.filter(
            Q(state=Chunk.State.WAITING)
            | Q(state=Chunk.State.TAKEN, lease__lt=now, attempts__lt=TRIES)
        )


class Chunk(models.Model):
    """The unit that a worker takes: one detector on some series."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        TAKEN = "taken", "taken"
        DONE = "done", "done"
        STOPPED = "stopped", "stopped"
        GIVEN_UP = "given-up", "given up"

    run = models.ForeignKey(Run, models.CASCADE, related_name="chunks")
    detector_key = models.CharField(max_length=1000)
    series_ids = models.JSONField()  # primary keys of series.Series
    size = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    lease = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=100, blank=True)
    queued_at = models.DateTimeField(null=True, blank=True)  # when its message was last sent
    done_count = models.PositiveIntegerField(default=0)
    failed_count = models.PositiveIntegerField(default=0)
    differing = models.PositiveIntegerField(default=0)  # computed again with another result
    finished = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    objects = ChunkQuerySet.as_manager()

    class Meta:
        ordering = ["run_id", "pk"]
        indexes = [models.Index(fields=["run", "state"], name="chunk_progress")]

    def __str__(self) -> str:
        return f"{self.detector_key} on {self.size} series: {self.state}"


class Worker(models.Model):
    """A worker process that has reported: who is alive is read from the last beat."""

    name = models.CharField(max_length=100, unique=True)
    version = models.CharField(max_length=40, blank=True)
    busy_with = models.CharField(max_length=200, blank=True)
    started = models.DateTimeField()
    last_beat = models.DateTimeField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
