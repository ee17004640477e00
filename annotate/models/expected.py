"""Known answers of series before anybody answers: for training and attention checks."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotate.models.task import Task


class Expected(models.Model):
    """The accepted answer to one task, and the sentence that says why.

    A task that has one never counts: its marks enter no ground truth, no agreement and no file.
    Nobody reads it before they have answered the task.
    """

    task = models.OneToOneField(Task, models.CASCADE, primary_key=True, related_name="expected")
    never = models.BooleanField(default=False)
    low = models.PositiveIntegerField(null=True, blank=True)  # first accepted iteration
    high = models.PositiveIntegerField(null=True, blank=True)  # last accepted iteration
    sentence = models.CharField(max_length=300)
    attempt = models.PositiveIntegerField(default=1)  # of a training: each has other series

    class Meta:
        verbose_name_plural = "expected"
        constraints = [
            models.CheckConstraint(
                condition=Q(never=True, low__isnull=True, high__isnull=True)
                | Q(never=False, low__isnull=False, high__isnull=False),
                name="expected_band_unless_never",
            )
        ]

    def __str__(self) -> str:
        band = "never" if self.never else f"{self.low} to {self.high}"
        return f"{self.task}: {band}"
