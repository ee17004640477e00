"""A campaign: chosen series, the people who mark them, and the recipe."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse

from people.models import Study, User

SIMULATED = "simulated annotators"  # end of the name of a campaign that has no others
SIMULATED_PSEUDONYM = "simulated-"  # beginning of theirs


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def visible_to(self, user: User | AnonymousUser) -> CampaignQuerySet:
        """Campaigns of the studies of which `user` is a member."""
        return self.filter(study__in=Study.objects.visible_to(user))

    def present(self) -> CampaignQuerySet:
        """Leave out removed campaigns, which lie in studies without members."""
        return self.filter(study__removed=None)

    def for_truth(self) -> CampaignQuerySet:
        """Campaigns whose marks make one steady start a series: no screening, no changes of level,
        no training, no second pass.
        """
        return self.filter(purpose=Campaign.Purpose.ANNOTATE)

    def by_settled_series(self, *, least_series: int = 0) -> CampaignQuerySet:
        """Campaigns of people first, of most settled series, the newest of equals; no drafts.

        Every page that begins with a campaign takes the first of these.

        least_series  series with a final answer that a campaign has at least
        """
        truths = apps.get_model("annotate", "GroundTruth").objects.settled()
        # A screening alone has no start in it: somebody has marked first.
        people_truths = truths.filter(task__campaign=OuterRef("pk"), task__expected=None).exclude(
            agreement__startswith="screened-"
        )
        settled_counts = (
            people_truths.order_by().values("task__campaign").annotate(n=Count("pk")).values("n")
        )
        begun_campaigns = self.exclude(state=Campaign.State.DRAFT)
        settled_count = Coalesce(Subquery(settled_counts), 0)
        counted_campaigns = begun_campaigns.annotate(settled=settled_count).filter(
            settled__gte=least_series
        )
        return counted_campaigns.order_by("simulated", "-settled", "-created", "-pk")

    def best_first(self) -> list[int]:
        """Primary keys in the order of `by_settled_series`."""
        return list(self.by_settled_series().values_list("pk", flat=True))


class Campaign(models.Model):
    """Series that annotators mark, with a recipe that turns their marks into ground truth."""

    class State(models.TextChoices):
        DRAFT = "draft", "draft"
        OPEN = "open", "open"
        CLOSED = "closed", "closed"

    class Purpose(models.TextChoices):
        ANNOTATE = "annotate", "annotate"
        SCREENING = "screening", "screening"  # steady, never or unclear: no iteration is asked
        CHANGES = "changes", "all changes of level"  # several iterations, or none
        TRAINING = "training", "training"
        REPEAT = "repeat", "second pass"

    study = models.ForeignKey(Study, models.CASCADE, related_name="campaigns")
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60)
    state = models.CharField(max_length=6, choices=State, default=State.DRAFT)
    purpose = models.CharField(max_length=10, choices=Purpose, default=Purpose.ANNOTATE)
    repeats = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="second_passes"
    )
    follows = models.ForeignKey(  # the screening whose steady series are marked here
        "self", models.SET_NULL, null=True, blank=True, related_name="followed_by"
    )
    training = models.ForeignKey(  # to be passed before the first answer
        "self", models.SET_NULL, null=True, blank=True, related_name="trains"
    )
    pass_mark = models.FloatField(default=0.75)  # of a training: share of its points
    second_share = models.FloatField(default=0.0)  # of each person's series, asked once more
    second_days = models.PositiveIntegerField(default=7)  # after the person's last answer
    checks = models.PositiveIntegerField(default=0)  # series with a known answer, unannounced
    ask_difficulty = models.BooleanField(default=False)  # 1 to 5, beside the answer
    recipe = models.CharField(max_length=40, default="jagt")
    params = models.JSONField(default=dict, blank=True)  # what differs from the recipe's defaults
    instructions = models.TextField(blank=True)
    guide_version = models.PositiveIntegerField(default=1)
    hide_names = models.BooleanField(default=True)
    hide_values = models.BooleanField(default=False)
    show_events = models.BooleanField(default=False)  # lanes of events under the chart
    overlap = models.PositiveIntegerField(
        null=True, blank=True
    )  # annotators a series; all if empty
    seed = models.PositiveBigIntegerField(default=0)  # order of series, of people's queues
    # Its annotators are simulated, all of them; its name says so wherever it is shown.
    simulated = models.BooleanField(default=False, editable=False)
    selection = models.JSONField(default=dict, blank=True)  # how the series were chosen
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    opened_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)  # below the list; all else as before
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-created"]
        constraints = [
            models.UniqueConstraint(fields=["study", "slug"], name="campaign_slug_once_per_study"),
            models.CheckConstraint(
                condition=Q(simulated=False) | Q(name__endswith=SIMULATED),
                name="simulated_campaign_says_so",
                violation_error_message=f"The name of this campaign ends with “{SIMULATED}”.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("campaign", kwargs={"study": self.study.slug, "campaign": self.slug})

    def next_position(self) -> int:
        """The position behind all that are there; removed series may have left gaps."""
        return (self.tasks.aggregate(last=models.Max("position"))["last"] or 0) + 1

    def marks_the_steady(self) -> bool:
        """Return whether its people were given only series that had been called steady before."""
        labels = self.annotators.filter(kind__in=Annotator.CLASSIFICATIONS)
        return self.follows_id is not None or labels.exists()

    @property
    def makes_truth(self) -> bool:
        """True if its marks become one steady start a series."""
        return self.purpose == self.Purpose.ANNOTATE

    @property
    def is_screening(self) -> bool:
        return self.purpose == self.Purpose.SCREENING

    @property
    def asks_changes(self) -> bool:
        """True if people mark every change of level, not the one steady start."""
        return self.purpose == self.Purpose.CHANGES

    @property
    def is_training(self) -> bool:
        return self.purpose == self.Purpose.TRAINING

    @property
    def is_repeat(self) -> bool:
        return self.purpose == self.Purpose.REPEAT


class AnnotatorQuerySet(models.QuerySet["Annotator"]):
    def human(self) -> AnnotatorQuerySet:
        """Annotators whose marks count: no classification, of a publication or of a screening."""
        return self.exclude(kind__in=Annotator.CLASSIFICATIONS)


class Annotator(models.Model):
    """A person's place in a campaign, under a pseudonym.

    Answers may stand under a name that is no person: a round that was dealt to several people, the
    classification that a publication made of their answers, or the majority of a screening.
    """

    class Kind(models.TextChoices):
        PERSON = "person", "person"
        ROUND = "round", "round, dealt to several people"
        PUBLISHED = "published", "published classification, no person"
        SCREENING = "screening", "majority of the screening, no person"

    CLASSIFICATIONS = (Kind.PUBLISHED, Kind.SCREENING)  # steady or never, decided before the marks

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="annotators")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="annotates")
    pseudonym = models.CharField(max_length=40)  # a1, a2, … in files; A1, A2, … on pages
    cap = models.PositiveIntegerField(null=True, blank=True)  # most series for this person
    guide_seen = models.PositiveIntegerField(default=0)  # version of the instructions read
    passed_at = models.DateTimeField(null=True, blank=True)  # of a training
    kind = models.CharField(max_length=9, choices=Kind, default=Kind.PERSON)

    objects = AnnotatorQuerySet.as_manager()

    class Meta:
        ordering = ["campaign_id", "pseudonym"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="annotator_once"),
            models.UniqueConstraint(fields=["campaign", "pseudonym"], name="pseudonym_once"),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} of {self.campaign}"

    def save(self, **kwargs: Any) -> None:
        """Marks of people and of simulated annotators never meet in one campaign."""
        if self.user.simulated != self.campaign.simulated:
            kind = SIMULATED if self.campaign.simulated else "people"
            raise ValidationError(
                f"The annotators of {self.campaign} are {kind}; {self.user} is of another kind. "
                "Choose another campaign."
            )
        super().save(**kwargs)

    @property
    def human(self) -> bool:
        """True for an annotator whom the query set of that name has."""
        return self.kind not in self.CLASSIFICATIONS
