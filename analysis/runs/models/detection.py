"""One detector's answer for one series."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from typing import Final, Self

from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Concat

from analysis.methods.models import KEY_LENGTH
from analysis.runs.models.run import Chunk, Run
from detectors.contract import Certainty
from detectors.registry import registry
from series.models import Series


@cache
def methods_with_changes() -> tuple[str, ...]:
    """Slugs of the methods whose answers all have every change of level."""
    return tuple(slug for slug, method in registry().items() if method.gives_changes)


@cache
def methods_with_certainty() -> tuple[str, ...]:
    """Slugs of the methods whose answers all say how sure they are."""
    return tuple(slug for slug, method in registry().items() if method.says_certainty)


class DetectionQuerySet(models.QuerySet["Detection"]):
    def settled(self, run: Run | None = None) -> Self:
        """Detections that are not computed again: answers, and series that are too short or too
        long.

        A failure may have gone, and so may what a method lacked; earlier answers may lack how sure
        the method was, or its changes of level. `run` itself, tried again, leaves alone what it has
        found to be not available.
        """
        outcomes = Detection.Outcome
        is_unavailable = Q(outcome=outcomes.NOT_AVAILABLE)
        if run is not None:
            is_unavailable &= ~Q(run=run)
        lacks_certainty = Q(outcome=outcomes.ANSWER, near=None, slug__in=methods_with_certainty())
        lacks_changes = Q(
            outcome=outcomes.ANSWER, changes__isnull=True, slug__in=methods_with_changes()
        )
        return self.exclude(
            Q(outcome=outcomes.FAILED) | is_unavailable | lacks_certainty | lacks_changes
        )

    def of_chunk(self, chunk: Chunk) -> Self:
        """Detections of the chunk's detector for the chunk's series."""
        return self.filter(
            detector_key=chunk.detector_key, series__in=chunk.members.values("series")
        )

    def flagged(self, word: str, *more_words: str) -> Self:
        """Detections with any of these words among their flags; `seen` is no part of `unseen`."""
        padded_flags = Concat(Value(" "), "flags", Value(" "), output_field=models.TextField())
        flag_conditions = (Q(flag_words__contains=f" {flag} ") for flag in (word, *more_words))
        return self.alias(flag_words=padded_flags).filter(reduce(or_, flag_conditions))


CERTAINTY_MEANINGS: Final[Mapping[str, str]] = {
    "chance": "probability that people would call the series steady; empty: the method says none",
    "low": "first iteration of the interval in which four of five of people's answers lie",
    "high": "last iteration of it",
    "near": "probability that people's answer is within 50 iterations, if they call it steady",
}
"""Columns of `detectors.contract.Certainty`, with what files say of them."""
CERTAINTY_FIELDS: Final = tuple(CERTAINTY_MEANINGS)


class DetectionFacts(models.Model):
    """Stored facts of an answer, whether it counts or was removed and may come back."""

    class Outcome(models.TextChoices):
        ANSWER = "answer", "answer"
        TOO_SHORT = "too-short", "too short"
        TOO_LONG = "too-long", "too long"  # an answer would take longer than allowed
        NOT_AVAILABLE = "not-available", "not available"  # the method lacks something it needs
        FAILED = "failed", "failed"

    detector_key = models.CharField(max_length=KEY_LENGTH)  # slug@version?params, canonical
    slug = models.CharField(max_length=80, db_index=True)
    outcome = models.CharField(max_length=13, choices=Outcome, default=Outcome.ANSWER)
    steady_start = models.IntegerField(null=True, blank=True)  # 0-based; -1 never
    published_index = models.IntegerField(null=True, blank=True)
    decided_at = models.IntegerField(null=True, blank=True)
    flags = models.CharField(max_length=200, blank=True)  # words, separated by a space
    reason = models.TextField(blank=True)  # sentence on what the method saw in the series
    # How sure the method is (`detectors.contract.Certainty`); empty where it does not say.
    chance = models.FloatField(null=True, blank=True)
    low = models.IntegerField(null=True, blank=True)
    high = models.IntegerField(null=True, blank=True)
    near = models.FloatField(null=True, blank=True)
    # First iterations of new levels, rising, of a method that gives all of them; else empty.
    changes = models.JSONField(null=True, blank=True)
    milliseconds = models.FloatField(null=True, blank=True)
    error = models.TextField(blank=True)
    when = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "analysis"
        abstract = True

    @property
    def certainty(self) -> Certainty | None:
        """Stated certainty; None where the method states none."""
        fields = {name: getattr(self, name) for name in CERTAINTY_FIELDS}
        return None if None in fields.values() else Certainty(**fields)

    @certainty.setter
    def certainty(self, sure: Certainty | None) -> None:
        for name in CERTAINTY_FIELDS:
            setattr(self, name, None if sure is None else getattr(sure, name))


class Detection(DetectionFacts):
    """Computed once, whichever run asks again: unique by series and detector key."""

    series = models.ForeignKey(Series, models.CASCADE, related_name="detections")
    run = models.ForeignKey(Run, models.SET_NULL, null=True, blank=True, related_name="detections")

    objects = DetectionQuerySet.as_manager()

    class Meta:
        app_label = "analysis"
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


def flag_words(flags: str) -> tuple[str, ...]:
    """The words of the column `flags`."""
    return tuple(flags.split())
