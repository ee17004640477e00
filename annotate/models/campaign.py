"""A campaign: chosen series, the people who mark them, and the recipe."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.urls import reverse

from people.models import Study, User


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def visible_to(self, user: User | AnonymousUser) -> CampaignQuerySet:
        """Campaigns of the studies of which `user` is a member."""
        return self.filter(study__in=Study.objects.visible_to(user))


class Campaign(models.Model):
    """Series that annotators mark, with a recipe that turns their marks into ground truth."""

    class State(models.TextChoices):
        DRAFT = "draft", "draft"
        OPEN = "open", "open"
        CLOSED = "closed", "closed"

    class Purpose(models.TextChoices):
        ANNOTATE = "annotate", "annotate"
        TRAINING = "training", "training"
        REPEAT = "repeat", "second pass"

    study = models.ForeignKey(Study, models.CASCADE, related_name="campaigns")
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60)
    state = models.CharField(max_length=6, choices=State, default=State.DRAFT)
    purpose = models.CharField(max_length=8, choices=Purpose, default=Purpose.ANNOTATE)
    repeats = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="second_passes"
    )
    recipe = models.CharField(max_length=40, default="jagt")
    params = models.JSONField(default=dict, blank=True)  # what differs from the recipe's defaults
    instructions = models.TextField(blank=True)
    guide_version = models.PositiveIntegerField(default=1)
    hide_names = models.BooleanField(default=True)
    hide_values = models.BooleanField(default=False)
    overlap = models.PositiveIntegerField(
        null=True, blank=True
    )  # annotators a series; all if empty
    seed = models.PositiveBigIntegerField(default=0)  # order of series, of people's queues
    selection = models.JSONField(default=dict, blank=True)  # how the series were chosen
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-created"]
        constraints = [
            models.UniqueConstraint(fields=["study", "slug"], name="campaign_slug_once_per_study"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("campaign", kwargs={"study": self.study.slug, "campaign": self.slug})


class Annotator(models.Model):
    """A person's place in a campaign, under a pseudonym."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="annotators")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="annotates")
    pseudonym = models.CharField(max_length=40)  # a1, a2, … in files; A1, A2, … on pages
    cap = models.PositiveIntegerField(null=True, blank=True)  # most series for this person
    guide_seen = models.PositiveIntegerField(default=0)  # version of the instructions read

    class Meta:
        ordering = ["campaign_id", "pseudonym"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="annotator_once"),
            models.UniqueConstraint(fields=["campaign", "pseudonym"], name="pseudonym_once"),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} of {self.campaign}"
