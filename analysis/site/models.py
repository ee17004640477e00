"""The row that `/health/` writes, to know that writing works."""

from __future__ import annotations

from django.db import models


class WriteProbe(models.Model):
    """One row, written again each time; nobody reads more of it than its age."""

    written = models.DateTimeField()

    class Meta:
        app_label = "analysis"

    def __str__(self) -> str:
        return f"written {self.written}"
