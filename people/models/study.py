"""A study, what a team works on, and who belongs to it in which role."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.urls import reverse
from django.utils import timezone

from people.models.user import User


class Role(models.TextChoices):
    """Role of a member: what they may do; `owner` may do everything."""

    OWNER = "owner", "owner"
    ANNOTATOR = "annotator", "annotator"
    VIEWER = "viewer", "viewer"


class StudyQuerySet(models.QuerySet["Study"]):
    def visible_to(self, user: User | AnonymousUser) -> StudyQuerySet:
        """Studies of which `user` is a member."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(memberships__user=user)

    def owned_by(self, user: User | AnonymousUser) -> StudyQuerySet:
        """Studies in which `user` is an owner."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(memberships__user=user, memberships__role=Role.OWNER)


class PresentStudyManager(models.Manager.from_queryset(StudyQuerySet)):  # type: ignore[misc]
    """Manager of studies, without those that hold what was removed."""

    def get_queryset(self) -> StudyQuerySet:
        studies: StudyQuerySet = super().get_queryset()
        return studies.filter(removed=None)


class Study(models.Model):
    """Study that a team works on; its members see it, and nobody else does.

    What was removed lies in a study of its own without members, so that nothing of it is found by
    whoever asks for what they may see, until it is put back or purged.
    """

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    about = models.TextField(blank=True)
    created = models.DateTimeField(auto_now_add=True)
    removed = models.DateTimeField(null=True, blank=True)  # since when it holds what was removed
    removed_from = models.ForeignKey(  # whose room on the disk it takes; empty of a whole study
        "self", models.CASCADE, null=True, blank=True, related_name="holders"
    )
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Membership", related_name="studies"
    )

    objects = PresentStudyManager()
    every = StudyQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("study", kwargs={"study": self.slug})

    def role_of(self, user: User | AnonymousUser) -> str | None:
        """The role of `user`, or None for somebody who is no member."""
        if not user.is_authenticated:
            return None
        membership = self.memberships.filter(user=user).first()
        return membership.role if membership else None


class Membership(models.Model):
    """One person's place in one study."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=9, choices=Role)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["study_id", "user_id"]
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="membership_once_per_study")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.study}: {self.role}"
