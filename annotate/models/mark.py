"""Marks, which only ever grow in number."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from annotate.models.task import Task

NOTE_LENGTH = 500
MOST_CHANGES = 1_000  # of one answer


class Mark(models.Model):
    """One annotator's answer for one series; a change of mind adds a revision."""

    class Kind(models.TextChoices):
        STEADY = "steady", "steady from"
        NEVER = "never", "never steady"
        UNCLEAR = "unclear", "unclear"
        CHANGES = "changes", "changes of level"

    task = models.ForeignKey(Task, models.CASCADE, related_name="marks")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="marks")
    revision = models.PositiveIntegerField(default=1)
    kind = models.CharField(max_length=7, choices=Kind)
    index = models.PositiveIntegerField(null=True, blank=True)  # first steady iteration, 0-based
    # First iterations of new levels, rising, of an answer of that kind; [] says: no change.
    changes = models.JSONField(null=True, blank=True)
    unsure = models.BooleanField(default=False)
    difficulty = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 easy … 5 hard
    note = models.TextField(blank=True, max_length=NOTE_LENGTH)
    seconds = models.FloatField(null=True, blank=True)  # time the series was looked at
    series_digest = models.CharField(max_length=64)  # of the series that was on the screen
    client_id = models.UUIDField(unique=True)  # names the click: sent twice, saved once
    guide_version = models.PositiveIntegerField(default=1)
    # from, to, y mode, version of the rule of the y-range, log, width, pixel ratio
    view = models.JSONField(default=dict, blank=True)
    when = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["task_id", "annotator_id", "revision"]
        constraints = [
            models.UniqueConstraint(
                fields=["task", "annotator", "revision"], name="mark_revisions_differ"
            ),
            models.CheckConstraint(
                condition=Q(kind="steady") | Q(index__isnull=True),
                name="mark_index_only_if_steady",
                violation_error_message="An iteration belongs to “steady from”, and only there.",
            ),
            models.CheckConstraint(
                condition=Q(kind="changes", changes__isnull=False)
                | (~Q(kind="changes") & Q(changes__isnull=True)),
                name="mark_changes_of_their_kind",
                violation_error_message="Changes of level are an answer of their own kind.",
            ),
            models.CheckConstraint(
                condition=Q(difficulty__isnull=True) | Q(difficulty__range=(1, 5)),
                name="mark_difficulty_1_to_5",
                violation_error_message="Difficulty is a number from 1 (easy) to 5 (hard).",
            ),
        ]

    def __str__(self) -> str:
        positions = (self.changes or []) if self.index is None else [self.index]
        return " ".join(map(str, [f"{self.annotator}: {self.get_kind_display()}", *positions]))

    def save(self, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("marks are append-only: add a revision")
        super().save(**kwargs)

    def clean(self) -> None:
        n = self.task.series.n
        self._check_kind()
        if self.kind == self.Kind.CHANGES:
            self._check_changes(n)
        if self.kind == self.Kind.STEADY:
            is_screening = self.task.campaign.is_screening
            if is_screening and self.index is not None:
                raise ValidationError({"index": "A screening asks for no iteration."})
            if not is_screening and self.index is None:
                raise ValidationError(
                    {"index": "Say from which iteration on the series is steady."}
                )
        if self.index is not None and self.index >= n:
            raise ValidationError(
                {"index": f"Series {self.task.position} has iterations 0 to {n - 1}."}
            )
        if self.kind == self.Kind.UNCLEAR and not self.note.strip():
            raise ValidationError({"note": "Say what makes it unclear; one sentence is enough."})

    def _check_kind(self) -> None:
        is_changes = self.kind == self.Kind.CHANGES
        if is_changes and not self.task.campaign.asks_changes:
            raise ValidationError({"kind": "This campaign asks for no changes of level."})
        if self.task.campaign.asks_changes and not is_changes and self.kind != self.Kind.UNCLEAR:
            raise ValidationError({"kind": "This campaign asks for all changes of level."})

    def _check_changes(self, n: int) -> None:
        changes = self.changes
        position_error = ValidationError(
            {"changes": f"Series {self.task.position} can change at iterations 1 to {n - 1}."}
        )
        if changes is None or not all(type(index) is int and 0 < index < n for index in changes):
            raise position_error
        if changes != sorted(set(changes)):
            raise position_error
        if len(changes) > MOST_CHANGES:
            most_words = (
                f"An answer has up to {MOST_CHANGES:,} changes; this one has {len(changes):,}."
            )
            raise ValidationError({"changes": most_words})
