"""Problems with a series, reported by annotators."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotate.models.task import Task


class Problem(models.Model):
    """Wrong values, a duplicate, a series that was cut off: for the owner to look at."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="problems")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    text = models.TextField(max_length=500)
    when = models.DateTimeField(auto_now_add=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-when"]

    def __str__(self) -> str:
        return f"{self.task}: {self.text[:60]}"
