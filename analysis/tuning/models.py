"""An exploration: one method with many parameter sets on the series of a yardstick."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.urls import reverse

from analysis.work.models import Leased, LeasedQuerySet
from people.models import Study, User
from people.public_id import new_public_id


class ExplorationQuerySet(models.QuerySet["Exploration"]):
    def visible_to(self, user: User | AnonymousUser) -> ExplorationQuerySet:
        """Explorations of the studies of which `user` is a member."""
        return self.filter(study__in=Study.objects.visible_to(user))

    def light(self) -> ExplorationQuerySet:
        """Without what only computing needs: lists stay small."""
        return self.defer("design", "truth", "series_ids")


class Exploration(models.Model):
    """A method, the parameters that vary, and what its answers are measured against.

    The yardstick's answers are kept as they were when it began: its figures never change. What
    it computes is every answer for every parameter set, so that figures are read from it by any
    objective, and without the series that a reader has yet to answer.
    """

    class Kind(models.TextChoices):
        SENSITIVITY = "sensitivity", "sensitivity"
        GRID = "grid", "grid"
        SEARCH = "search", "search"
        FRONT = "front", "search for a front"

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        STOPPED = "stopped", "stopped"
        DONE = "done", "done"

    OPEN = (State.QUEUED, State.RUNNING)  # workers may take parts of it
    SEARCHES = (Kind.SEARCH, Kind.FRONT)  # planned round by round, from what is known so far

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="explorations")
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=11, choices=Kind)
    method = models.CharField(max_length=120)  # slug@version
    varied = models.JSONField(default=list)  # `Varied.as_json` of each parameter that varies
    held = models.JSONField(default=dict)  # the other parameters as text, by name
    yardstick = models.CharField(max_length=500)  # its code
    yardstick_title = models.CharField(max_length=300)
    dataset = models.CharField(max_length=200, blank=True)  # slug; empty: of any data set
    goal = models.JSONField(default=dict)  # figures and weights that a search looks for
    samples = models.PositiveIntegerField(default=0)  # base samples, or trials of a search
    seed = models.PositiveBigIntegerField(default=0)
    series_ids = models.JSONField(default=list)  # primary keys of series.Series
    truth = models.BinaryField()  # float64 little-endian, one a series; -1 never
    truth_digest = models.CharField(max_length=64)
    series_count = models.PositiveIntegerField()
    design = models.BinaryField()  # zlib of float64 (planned, varied parameters), row by row
    planned = models.PositiveIntegerField(default=0)  # parameter sets in the design
    wanted = models.PositiveIntegerField()  # parameter sets when it is complete
    state = models.CharField(max_length=7, choices=State, default=State.QUEUED)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(auto_now_add=True)
    began = models.DateTimeField(null=True, blank=True)  # when the first part was taken
    finished = models.DateTimeField(null=True, blank=True)

    objects = ExplorationQuerySet.as_manager()

    class Meta:
        app_label = "analysis"
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        names = {"study": self.study.slug, "exploration": self.public_id}
        return reverse("exploration", kwargs=names)

    @property
    def slug(self) -> str:
        """The method's slug."""
        return self.method.partition("@")[0]

    @property
    def is_open(self) -> bool:
        """Whether workers may still take parts of it."""
        return self.state in self.OPEN

    @property
    def is_sensitivity(self) -> bool:
        return self.kind == self.Kind.SENSITIVITY


class PartQuerySet(LeasedQuerySet["Part"]):
    def without_answers(self) -> PartQuerySet:
        """Everything but the answers: what progress and messages need."""
        return self.defer("answers")


class Part(Leased):
    """What a worker takes of an exploration: some parameter sets on some of its series.

    Sets and series are positions, first and number; `size` is their product. The answers are
    zlib of int32 little-endian (sets, series): -1 never, -2 no answer.
    """

    exploration = models.ForeignKey(Exploration, models.CASCADE, related_name="parts")
    first_set = models.PositiveIntegerField()
    sets = models.PositiveIntegerField()
    first_series = models.PositiveIntegerField()
    series = models.PositiveIntegerField()
    answers = models.BinaryField(default=bytes)
    seconds = models.FloatField(null=True, blank=True)  # of computing

    objects = PartQuerySet.as_manager()

    class Meta:
        app_label = "analysis"
        ordering = ["exploration_id", "pk"]
        constraints = [
            # Two workers that plan the next round of a search at once plan it once.
            models.UniqueConstraint(
                fields=["exploration", "first_set", "first_series"], name="parts_do_not_overlap"
            ),
        ]
        indexes = [models.Index(fields=["exploration", "state"], name="part_progress")]

    def __str__(self) -> str:
        return f"{self.sets} sets on {self.series} series: {self.state}"

    @property
    def task(self) -> str:
        return self.exploration.slug

    def is_wanted(self) -> bool:
        mine = Exploration.objects.filter(pk=self.exploration_id)
        return mine.filter(state__in=Exploration.OPEN).exists()
