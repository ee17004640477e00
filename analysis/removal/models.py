"""Removals: where removed things lie, what went with them, and what puts them back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import models
from django.db.models import Q
from django.utils import timezone

from analysis.runs.models.detection import DetectionFacts
from people.models import Role, Study, User
from people.public_id import new_public_id
from series.models import Series

KEPT: Final = timedelta(days=30)


class RemovalQuerySet(models.QuerySet["Removal"]):
    def restorable(self) -> RemovalQuerySet:
        """Removals that can still be put back."""
        return self.filter(holder__isnull=False)

    def for_owner(self, user: User) -> RemovalQuerySet:
        """Removals from studies that `user` owns, and of studies that `user` owned."""
        owned_removal_pks = RemovedMembership.objects.filter(user=user, role=Role.OWNER).values(
            "removal"
        )
        return self.filter(Q(study__in=Study.objects.owned_by(user)) | Q(pk__in=owned_removal_pks))


class Removal(models.Model):
    """One removal. What was removed lies in `holder`, a study without members.

    Of a removed study `holder` is the study itself. Once it has been put back or purged there is
    no holder, and the row is a line of the study's activity.
    """

    class Kind(models.TextChoices):
        STUDY = "study", "study"
        DATASET = "dataset", "data set"
        RECORDING = "recording", "recording"
        CAMPAIGN = "campaign", "campaign"
        RUN = "run", "run"
        METHOD = "method", "imported method"

    class Outcome(models.TextChoices):
        RESTORED = "restored", "restored"
        PURGED = "purged", "purged"

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    kind = models.CharField(max_length=9, choices=Kind)
    name = models.CharField(max_length=200)
    study = models.ForeignKey(Study, models.CASCADE, related_name="removals")
    holder = models.OneToOneField(
        Study, models.SET_NULL, null=True, blank=True, related_name="holds"
    )
    counts = models.JSONField(default=dict)  # `RemovalCounts`, as the page showed them before
    links = models.JSONField(default=dict)  # links of `moves` to rows outside the holder
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    when = models.DateTimeField(auto_now_add=True)
    outcome = models.CharField(max_length=8, choices=Outcome, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    objects = RemovalQuerySet.as_manager()

    class Meta:
        app_label = "analysis"
        ordering = ["-when", "-pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.name}"

    @property
    def kept_until(self) -> datetime:
        return self.when + KEPT


class RemovedMembership(models.Model):
    """Membership of a study before it was removed."""

    removal = models.ForeignKey(Removal, models.CASCADE, related_name="members")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    role = models.CharField(max_length=9, choices=Role)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        app_label = "analysis"
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


class RemovedDetection(DetectionFacts):
    """An answer that went with the run that computed it, or the method that it was brought as."""

    removal = models.ForeignKey(Removal, models.CASCADE, related_name="detections")
    series = models.ForeignKey(Series, models.CASCADE, related_name="+")
    run = models.ForeignKey(
        "analysis.Run", models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        app_label = "analysis"
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.detector_key}: {self.steady_start}"
