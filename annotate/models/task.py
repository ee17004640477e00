"""A task: one series of a campaign; and who is to answer it, in which order."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, OuterRef
from django.urls import reverse

from annotate.models.campaign import Annotator, Campaign
from people.models import User
from series.models import Series


class TaskQuerySet(models.QuerySet["Task"]):
    def counted(self) -> TaskQuerySet:
        """Leave out tasks whose answer is known: training and checks count nowhere."""
        return self.filter(expected=None)

    def to_mark(self) -> TaskQuerySet:
        """Leave out tasks that a screening did not judge steady: a new annotator gets none."""
        screening_assignments = Assignment.objects.filter(
            task=OuterRef("pk"),
            user__annotates__campaign=OuterRef("campaign"),
            user__annotates__kind=Annotator.Kind.SCREENING,
        )
        return self.exclude(Exists(screening_assignments))

    def visible_to(self, user: User | AnonymousUser) -> TaskQuerySet:
        """Tasks of the campaigns that `user` may see."""
        return self.filter(campaign__in=Campaign.objects.visible_to(user))

    def at_position(self, study: str, campaign: str, position: int) -> TaskQuerySet:
        """The task at `position` (from 1) of a campaign, by the slugs of its address."""
        return self.filter(campaign__study__slug=study, campaign__slug=campaign, position=position)


class Task(models.Model):
    """One series of a campaign, at a position that is the same for everybody (from 1)."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="tasks")
    series = models.ForeignKey(Series, models.PROTECT, related_name="tasks")
    position = models.PositiveIntegerField()
    # Queues ask by turn, and within a turn in each person's own order.
    turn = models.PositiveIntegerField(default=0, db_default=0)

    objects = TaskQuerySet.as_manager()

    class Meta:
        ordering = ["campaign_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "series"], name="task_series_once"),
            models.UniqueConstraint(fields=["campaign", "position"], name="task_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: series {self.position}"

    def get_absolute_url(self) -> str:
        return reverse(
            "annotate-task",
            kwargs={
                "study": self.campaign.study.slug,
                "campaign": self.campaign.slug,
                "position": self.position,
            },
        )


class Assignment(models.Model):
    """Assignment of one task to one person: when they answered it, and with which mark.

    `latest` is what blindness, progress and the recipe read: one indexed
    column instead of a search through revisions. It is set in the
    transaction that stores the mark.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="assignments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="assignments")
    order = models.PositiveIntegerField()  # place in this person's own queue, from 0
    skipped_at = models.DateTimeField(null=True, blank=True)  # goes to the end of the queue
    latest = models.ForeignKey(
        "annotate.Mark", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # Asked to look again: open as before the first answer, with these words beside the chart.
    question = models.CharField(max_length=500, blank=True, default="")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["user_id", "order"]
        constraints = [models.UniqueConstraint(fields=["task", "user"], name="assignment_once")]
        indexes = [models.Index(fields=["user", "latest"], name="assignment_open")]

    def __str__(self) -> str:
        return f"{self.user}: {self.task}"
