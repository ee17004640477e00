"""Measurement deviations that were computed once."""

from __future__ import annotations

from django.db import models


class MeasuredRatio(models.Model):
    """A measurement deviation: drawn ten thousand times once, and kept.

    The key is a digest of all that it depends on, which are series and iterations of them: values
    never change. Without an interval (a value that is not positive) there are no ends.
    """

    key = models.CharField(max_length=64, unique=True)
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    close = models.BooleanField(default=False)  # True if another seed might decide otherwise

    class Meta:
        app_label = "analysis"
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.key[:12]}: {self.low} to {self.high}"
