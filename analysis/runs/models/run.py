"""A run: detectors times series, cut into chunks that workers take."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.urls import reverse

from analysis.methods.models import KEY_LENGTH
from analysis.work.models import Leased, LeasedQuerySet
from people.models import Study, User
from people.public_id import new_public_id
from series.models import Series

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
        app_label = "analysis"
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

    def create_with(self, planned: Sequence[tuple[Chunk, Sequence[int]]]) -> list[Chunk]:
        """Store chunks and their series (primary keys); each counts its own."""
        for chunk, series in planned:
            chunk.size = len(series)
        chunks = self.bulk_create([chunk for chunk, _ in planned], batch_size=500)
        ChunkSeries.objects.bulk_create(
            (
                ChunkSeries(chunk=chunk, series_id=pk)
                for chunk, (_, series) in zip(chunks, planned, strict=True)
                for pk in series
            ),
            batch_size=5000,
        )
        return chunks


class Chunk(Leased):
    """The unit that a worker takes: one detector on some series, which `size` counts.

    The series are rows (`ChunkSeries`), so that the database finds the chunks of a series and
    counts their answers.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="chunks")
    detector_key = models.CharField(max_length=KEY_LENGTH)
    differing = models.JSONField(default=list)  # keys of series with another result than stored

    objects = ChunkQuerySet.as_manager()

    class Meta:
        app_label = "analysis"
        ordering = ["run_id", "pk"]
        indexes = [models.Index(fields=["run", "state"], name="chunk_progress")]

    def __str__(self) -> str:
        return f"{self.detector_key} on {self.size} series: {self.state}"

    @property
    def task(self) -> str:
        return self.detector_key.partition("@")[0]

    def series_ids(self) -> list[int]:
        """Primary keys of its series, in ascending order."""
        return list(self.members.order_by("series_id").values_list("series_id", flat=True))

    def is_wanted(self) -> bool:
        return Run.objects.filter(pk=self.run_id, state__in=Run.OPEN).exists()


class ChunkSeries(models.Model):
    """That a chunk has a series."""

    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="members", db_index=False)
    series = models.ForeignKey(Series, models.CASCADE, related_name="in_chunks")

    class Meta:
        app_label = "analysis"
        ordering = ["chunk_id", "series_id"]
        constraints = [
            models.UniqueConstraint(fields=["chunk", "series"], name="chunk_has_series_once"),
        ]

    def __str__(self) -> str:
        return f"series {self.series_id} of chunk {self.chunk_id}"
