"""Means of series that were computed once."""

from __future__ import annotations

from django.db import models

from series.models import Series


class SteadyMean(models.Model):
    """The mean of a series from an iteration on. Values never change, so neither does this.

    Kept because a trend asks for the mean of every series of a data set each time, and reading
    the values again takes most of a second for a thousand of them.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="steady_means")
    start = models.PositiveIntegerField()  # 0-based
    mean = models.FloatField()  # in the unit of the series

    class Meta:
        app_label = "analysis"
        ordering = ["series_id", "start"]
        constraints = [
            models.UniqueConstraint(fields=["series", "start"], name="steady_mean_computed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.series_id} from {self.start}: {self.mean}"
