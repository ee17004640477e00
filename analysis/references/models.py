"""Review decisions about series on which answers differ: added to, never changed."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from annotate.models import Task
from series.models import Series

TEXT_LENGTH: Final = 500


class ReviewDecision(models.Model):
    """One decision or note, by name and time; undoing one adds another.

    `task` says for which campaign: its ground truth loses an excluded series. Without a task the
    decision is about the series in every comparison of its study. Ground truth is never set here.
    """

    class Kind(models.TextChoices):
        ACCEPT = "accept", "accepted"
        LOOK_AGAIN = "look-again", "asked for a new answer"
        EXCLUDE = "exclude", "left it out"
        UNDO = "undo", "undid the decision"
        NOTE = "note", "wrote"

    series = models.ForeignKey(Series, models.CASCADE, related_name="review_decisions")
    task = models.ForeignKey(
        Task, models.CASCADE, null=True, blank=True, related_name="review_decisions"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    text = models.TextField(blank=True, max_length=TEXT_LENGTH)  # question, reason or note
    to_whom = models.JSONField(default=list, blank=True)  # pseudonyms who look again
    reasons = models.JSONField(default=list, blank=True)  # codes of the reasons of the case
    marks_digest = models.CharField(max_length=64, blank=True)  # marks that the reviewer saw
    client_id = models.UUIDField(unique=True)  # id of the click: sent twice, it is stored once
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    when = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "analysis"
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(kind__in=["look-again", "exclude", "note"]) | ~Q(text=""),
                name="review_says_why",
            ),
            models.CheckConstraint(
                condition=~Q(kind="look-again") | Q(task__isnull=False),
                name="review_asks_annotators_of_a_campaign",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.series}: {self.get_kind_display()}"

    def save(self, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("decisions are append-only: add another one")
        super().save(**kwargs)

    def clean(self) -> None:
        message_by_kind = {
            self.Kind.LOOK_AGAIN: "Write the question; one sentence is enough.",
            self.Kind.EXCLUDE: "Say why it is left out; the reason stands in every export.",
            self.Kind.NOTE: "The note is empty.",
        }
        if self.kind in message_by_kind and not self.text.strip():
            raise ValidationError({"text": message_by_kind[self.Kind(self.kind)]})
