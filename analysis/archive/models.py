"""Archives that workers make, and archives that people upload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from django.db import models
from django.urls import reverse

from analysis.work.models import Job, JobQuerySet, WorkUnit, WorkUnitQuerySet
from people.models import Study, User
from people.public_id import new_public_id


@dataclass(frozen=True, slots=True)
class ArchiveSettings:
    """Under which licence the data are, and who made them, as whoever makes the archive says."""

    licence: str = ""
    authors: tuple[str, ...] = ()


class ArchiveJobQuerySet(JobQuerySet["ArchiveJob"]):
    def with_file(self) -> Self:
        """Jobs that have their file."""
        return self.exclude(digest="")


class ArchiveJob(Job):
    """An archive of the study, as it is when a worker makes it.

    `digest` (SHA-256) and `file_size` (bytes) are empty until it is there.
    """

    licence = models.CharField(max_length=120, blank=True)
    authors = models.TextField(blank=True)  # an author a line
    digest = models.CharField(max_length=64, blank=True)
    file_size = models.PositiveBigIntegerField(default=0)

    objects = ArchiveJobQuerySet.as_manager()

    def get_absolute_url(self) -> str:
        return reverse("archive", kwargs={"study": self.study.slug, "archive": self.public_id})

    @property
    def archive_settings(self) -> ArchiveSettings:
        authors = (line.strip() for line in self.authors.splitlines())
        return ArchiveSettings(self.licence, tuple(author for author in authors if author))


class ArchiveUnit(WorkUnit):
    """The whole archive, counted in its files."""

    method_key = "archive"
    job = models.ForeignKey(
        ArchiveJob, models.CASCADE, related_name="units", db_column="archive_id"
    )

    objects = WorkUnitQuerySet["ArchiveUnit"].as_manager()

    class Meta(WorkUnit.Meta):
        indexes = [models.Index(fields=["job", "state"], name="archive_progress")]

    def __str__(self) -> str:
        return f"{self.size} files of an archive: {self.state}"


class ArchiveUpload(models.Model):
    """An archive that somebody uploaded: checked, looked at, then imported as a new study.

    It lies in the data folder while it waits. `contents` is what `archive.contents` found.
    """

    class State(models.TextChoices):
        CHECKING = "checking", "being checked"
        READY = "ready", "waiting for confirmation"
        IMPORTING = "importing", "being imported"
        REFUSED = "refused", "refused"
        DONE = "done", "imported"

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    by = models.ForeignKey(User, models.CASCADE, related_name="+")
    file_name = models.CharField(max_length=300)
    size = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)  # SHA-256
    state = models.CharField(max_length=9, choices=State, default=State.CHECKING)
    contents = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    study = models.ForeignKey(Study, models.SET_NULL, null=True, blank=True, related_name="+")
    when = models.DateTimeField(auto_now_add=True)
    pid = models.PositiveIntegerField(default=0)  # process that checks or imports the file
    host = models.CharField(max_length=255, blank=True)

    class Meta:
        app_label = "analysis"
        ordering = ["-when", "-pk"]

    def __str__(self) -> str:
        return f"{self.file_name}: {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("archive-upload", kwargs={"upload": self.public_id})

    @property
    def is_going(self) -> bool:
        """True while a process checks or imports the upload, or ought to."""
        return self.state in {self.State.CHECKING, self.State.IMPORTING}
