"""A run: detectors times series, cut into chunks that workers take."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.urls import reverse

from analysis.models.leased import LEASE, TRIES, Leased, LeasedQuerySet
from people.models import Study, User
from people.public_id import new_public_id

__all__ = ["ALONE_AFTER", "KEY_LENGTH", "LEASE", "TRIES", "Chunk", "Run", "Worker"]

KEY_LENGTH = 2000  # characters of a detector key; an index of PostgreSQL takes 2,700 bytes
ALONE_AFTER = 2  # so many, and its series are tried one by one: the others must not suffer


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

    OPEN = (State.QUEUED, State.RUNNING)  # workers may take chunks of it

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="runs")
    name = models.CharField(max_length=120)
    selection = models.JSONField(default=dict)  # data set and filter, as a person would say it
    detectors = models.JSONField(default=list)  # canonical keys, in the order chosen
    state = models.CharField(max_length=7, choices=State, default=State.QUEUED)
    series_count = models.PositiveIntegerField(default=0)
    wanted = models.PositiveIntegerField(default=0)  # detections asked for
    stored_before = models.PositiveIntegerField(default=0)  # of these, known when it began
    stored_by_key = models.JSONField(default=dict)  # the same for each detector key
    again = models.BooleanField(default=False)  # compute what is stored again, and compare
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(auto_now_add=True)
    began = models.DateTimeField(null=True, blank=True)  # when the first chunk was taken
    finished = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("run", kwargs={"study": self.study.slug, "run": self.public_id})

    @property
    def is_open(self) -> bool:
        """Whether workers may still take chunks of it."""
        return self.state in self.OPEN

    @property
    def to_compute(self) -> int:
        """Detections that were not stored when it began."""
        return self.wanted - self.stored_before


class ChunkQuerySet(LeasedQuerySet["Chunk"]):
    """Chunks that are free, open, or left behind."""


class Chunk(Leased):
    """The unit that a worker takes: one detector on some series, which `size` counts."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="chunks")
    detector_key = models.CharField(max_length=KEY_LENGTH)
    series_ids = models.JSONField()  # primary keys of series.Series
    differing = models.JSONField(default=list)  # keys of series with another result than stored

    objects = ChunkQuerySet.as_manager()

    class Meta:
        ordering = ["run_id", "pk"]
        indexes = [models.Index(fields=["run", "state"], name="chunk_progress")]

    def __str__(self) -> str:
        return f"{self.detector_key} on {self.size} series: {self.state}"

    @property
    def task(self) -> str:
        return self.detector_key.partition("@")[0]

    def is_wanted(self) -> bool:
        return Run.objects.filter(pk=self.run_id, state__in=Run.OPEN).exists()


class Worker(models.Model):
    """A process that takes chunks: who is alive is read from the last beat."""

    name = models.CharField(max_length=100, unique=True)  # w-1@host: the same after a restart
    pid = models.PositiveIntegerField(default=0)
    version = models.CharField(max_length=40, blank=True)
    busy_with = models.CharField(max_length=200, blank=True)
    started = models.DateTimeField()
    last_beat = models.DateTimeField()

    class Meta:
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
