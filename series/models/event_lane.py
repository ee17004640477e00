"""Lanes of events of one series: what happened in its process while it was measured."""

from __future__ import annotations

from django.db import models

from series.models.series import Series


class StoredEventLane(models.Model):
    """Events of one kind, as the file had them; their iterations are computed when they are read.

    `events` has equally long lists ``start``, ``end``, ``value`` (null: none) and, as numbers in
    the list ``texts``, ``name`` and ``detail`` (`formats.events.packed`). Blindness is the
    reader's duty: a compilation tells much of an answer.
    """

    class Clock(models.TextChoices):
        SECONDS = "seconds", "seconds since the process started"
        ITERATIONS = "iterations", "iterations"

    series = models.ForeignKey(Series, models.CASCADE, related_name="event_lanes")
    kind = models.CharField(max_length=60)
    title = models.CharField(max_length=300)
    unit = models.CharField(max_length=40, blank=True)
    clock = models.CharField(max_length=10, choices=Clock)
    ends_known = models.BooleanField(default=True)
    # Seconds from the start of the process to the first recorded iteration; null: as long as the
    # warm-up that is known of the series, with nothing for the start of the process.
    offset = models.FloatField(null=True, blank=True)
    events = models.JSONField(default=dict)
    count = models.PositiveIntegerField()
    size = models.PositiveIntegerField()  # bytes of `events` as text, for the quota
    file_name = models.CharField(max_length=300)
    file_digest = models.CharField(max_length=64)  # SHA-256 of the file's bytes
    when = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["series_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["series", "kind"], name="event_lane_once_per_series")
        ]

    def __str__(self) -> str:
        return f"{self.title} of {self.series_id}"
