"""A run: detectors times series, cut into chunks that workers take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from django.db import models
from django.urls import reverse

from analysis.methods.models import KEY_LENGTH
from analysis.work.models import Job, JobQuerySet, WorkUnit, WorkUnitQuerySet
from series.models import Series


class Run(Job):
    """Detectors x series, executed by workers; never edited, only repeated."""

    selection = models.JSONField(default=dict)  # data set and filter, as a person would say it
    detectors = models.JSONField(default=list)  # canonical keys, in the order chosen
    series_count = models.PositiveIntegerField(default=0)
    wanted = models.PositiveIntegerField(default=0)  # detections asked for
    stored_before = models.PositiveIntegerField(default=0)  # wanted detections stored before
    stored_by_key = models.JSONField(default=dict)  # stored answers by detector key
    again = models.BooleanField(default=False)  # compute what is stored again, and compare
    left_out = models.JSONField(default=list, blank=True)  # public ids of series

    objects = JobQuerySet["Run"].as_manager()

    def get_absolute_url(self) -> str:
        return reverse("run", kwargs={"study": self.study.slug, "run": self.public_id})

    @property
    def breadth(self) -> int:
        return len(self.detectors)

    @property
    def to_compute(self) -> int:
        """Detections that were not stored when it began."""
        return self.wanted - self.stored_before


class ChunkQuerySet(WorkUnitQuerySet["Chunk"]):
    def of_method(self, key: str) -> Self:
        return self.filter(detector_key=key) if key else self

    def beside(self, unit: Chunk) -> Self:
        return super().beside(unit).of_method(unit.detector_key)

    def create_with(self, chunks_and_series: Sequence[tuple[Chunk, Sequence[int]]]) -> list[Chunk]:
        """Store chunks and their series (primary keys); each counts its own."""
        for chunk, series in chunks_and_series:
            chunk.size = len(series)
        chunks = self.bulk_create([chunk for chunk, _ in chunks_and_series], batch_size=500)
        ChunkSeries.objects.bulk_create(
            (
                ChunkSeries(chunk=chunk, series_id=pk)
                for chunk, (_, series) in zip(chunks, chunks_and_series, strict=True)
                for pk in series
            ),
            batch_size=5000,
        )
        return chunks


class Chunk(WorkUnit):
    """One detector on some series, which `size` counts.

    The series are rows (`ChunkSeries`), so that the database finds the chunks of a series and
    counts their answers.
    """

    job = models.ForeignKey(Run, models.CASCADE, related_name="units", db_column="run_id")
    detector_key = models.CharField(max_length=KEY_LENGTH)
    differing = models.JSONField(default=list)  # keys of series with another result than stored

    objects = ChunkQuerySet.as_manager()

    class Meta(WorkUnit.Meta):
        indexes = [models.Index(fields=["job", "state"], name="chunk_progress")]

    def __str__(self) -> str:
        return f"{self.detector_key} on {self.size} series: {self.state}"

    @property
    def method_key(self) -> str:
        return self.detector_key

    def series_ids(self) -> list[int]:
        """Primary keys of its series, in ascending order."""
        return list(self.members.order_by("series_id").values_list("series_id", flat=True))


class ChunkSeries(models.Model):
    """Membership of one series in a chunk."""

    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="members", db_index=False)
    series = models.ForeignKey(Series, models.CASCADE, related_name="in_chunks")

    class Meta:
        app_label = "analysis"
        ordering = ["chunk_id", "series_id"]
        constraints = [
            models.UniqueConstraint(fields=["chunk", "series"], name="chunk_has_series_once")
        ]

    def __str__(self) -> str:
        return f"series {self.series_id} of chunk {self.chunk_id}"
