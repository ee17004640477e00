"""Imports: what was imported, by whom, from which file."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse

from people.public_id import new_public_id
from series.models.dataset import Dataset, Recording


class Import(models.Model):
    """One file on its way in: uploaded, previewed, and written at once or not at all."""

    class State(models.TextChoices):
        UPLOADED = "uploaded", "waiting for confirmation"
        RUNNING = "running", "being imported"
        DONE = "done", "imported"
        FAILED = "failed", "not imported"
        DISCARDED = "discarded", "discarded"

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey("people.Study", models.CASCADE, related_name="imports")
    dataset = models.ForeignKey(
        Dataset, models.CASCADE, null=True, blank=True, related_name="imports"
    )
    recording = models.ForeignKey(
        Recording, models.SET_NULL, null=True, blank=True, related_name="imports"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    file_name = models.CharField(max_length=300)
    file_digest = models.CharField(max_length=64, db_index=True)  # SHA-256 of the file's bytes
    size = models.PositiveBigIntegerField()
    state = models.CharField(max_length=9, choices=State, default=State.UPLOADED)
    options = models.JSONField(default=dict, blank=True)  # format and column mapping, as chosen
    preview = models.JSONField(default=dict, blank=True)  # what the file holds, found at upload
    stored = models.PositiveIntegerField(default=0)  # series that are new
    known = models.PositiveIntegerField(default=0)  # series that were there with the same values
    job = models.CharField(max_length=12, blank=True)  # names the files confirmed together
    error = models.TextField(blank=True)
    when = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-when"]

    def __str__(self) -> str:
        return f"{self.file_name}: {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("import-one", kwargs={"study": self.study.slug, "import_id": self.public_id})

    @property
    def is_waiting(self) -> bool:
        """True if the file is still there, to be imported or discarded."""
        return self.state in {self.State.UPLOADED, self.State.FAILED}
