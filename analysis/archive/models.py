"""Archives that workers make: a job of one unit, and a file in the data folder."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.urls import reverse

from analysis.archive.archive_settings import ArchiveSettings
from analysis.work.models import Job, JobQuerySet, WorkUnit, WorkUnitQuerySet


class ArchiveJobQuerySet(JobQuerySet["ArchiveJob"]):
    def made(self) -> Self:
        """Those that have their file."""
        return self.exclude(digest="")


class ArchiveJob(Job):
    """An archive of the study, as it is when a worker makes it.

    `digest` (SHA-256) and `file_size` (bytes) are empty until it is there.
    """

    licence = models.CharField(max_length=120, blank=True)
    authors = models.TextField(blank=True)  # one a line
    digest = models.CharField(max_length=64, blank=True)
    file_size = models.PositiveBigIntegerField(default=0)

    objects = ArchiveJobQuerySet.as_manager()

    def get_absolute_url(self) -> str:
        return reverse("archive", kwargs={"study": self.study.slug, "archive": self.public_id})

    @property
    def said(self) -> ArchiveSettings:
        authors = (each.strip() for each in self.authors.splitlines())
        return ArchiveSettings(self.licence, tuple(each for each in authors if each))


class ArchiveUnitQuerySet(WorkUnitQuerySet["ArchiveUnit"]):
    """Units of archives."""


class ArchiveUnit(WorkUnit):
    """The whole archive, counted in its files."""

    job = models.ForeignKey(
        ArchiveJob, models.CASCADE, related_name="units", db_column="archive_id"
    )

    objects = ArchiveUnitQuerySet.as_manager()

    class Meta:
        app_label = "analysis"
        ordering = ["job_id", "pk"]
        indexes = [models.Index(fields=["job", "state"], name="archive_progress")]

    def __str__(self) -> str:
        return f"{self.size} files of an archive: {self.state}"

    @property
    def method_key(self) -> str:
        return "archive"
