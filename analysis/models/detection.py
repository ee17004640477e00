"""One detector's answer for one series."""

from __future__ import annotations

from django.db import models

from analysis.models.run import KEY_LENGTH, Run
from series.models import Series


class Detection(models.Model):
    """Computed once, whichever run asks again: unique by series and detector key."""

    class Outcome(models.TextChoices):
        ANSWER = "answer", "answer"
        TOO_SHORT = "too-short", "too short"
        FAILED = "failed", "failed"

    series = models.ForeignKey(Series, models.CASCADE, related_name="detections")
    detector_key = models.CharField(max_length=KEY_LENGTH)  # slug@version?params, canonical
    slug = models.CharField(max_length=80, db_index=True)
    outcome = models.CharField(max_length=9, choices=Outcome, default=Outcome.ANSWER)
    steady_start = models.IntegerField(null=True, blank=True)  # 0-based; -1 never
    published_index = models.IntegerField(null=True, blank=True)
    decided_at = models.IntegerField(null=True, blank=True)
    flags = models.CharField(max_length=200, blank=True)  # words, separated by a space
    milliseconds = models.FloatField(null=True, blank=True)
    error = models.TextField(blank=True)
    run = models.ForeignKey(Run, models.SET_NULL, null=True, blank=True, related_name="detections")
    when = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["series_id", "detector_key"]
        constraints = [
            models.UniqueConstraint(
                fields=["series", "detector_key"], name="detection_computed_once"
            ),
            models.CheckConstraint(
                condition=models.Q(outcome="answer", steady_start__isnull=False)
                | (~models.Q(outcome="answer") & models.Q(steady_start__isnull=True)),
                name="detection_answers_or_says_why",
            ),
        ]
        indexes = [models.Index(fields=["detector_key", "series"], name="detection_by_key")]

    def __str__(self) -> str:
        return f"{self.detector_key}: {self.steady_start}"
