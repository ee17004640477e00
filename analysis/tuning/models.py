"""An exploration: one method with many parameter sets on the series of a yardstick."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.urls import reverse

from analysis.methods.method_style import style_of
from analysis.work.models import Job, JobQuerySet, UnitCounts, WorkUnit, WorkUnitQuerySet


class ExplorationQuerySet(JobQuerySet["Exploration"]):
    def light(self) -> Self:
        return self.defer("design", "truth", "series_ids")


class Exploration(Job):
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

    SEARCHES = (Kind.SEARCH, Kind.FRONT)  # planned in rounds, from the answers so far

    kind = models.CharField(max_length=11, choices=Kind)
    method = models.CharField(max_length=120)  # slug@version
    varied = models.JSONField(default=list)  # `Varied.as_json` of each parameter that varies
    held = models.JSONField(default=dict)  # the other parameters as text, by name
    yardstick = models.CharField(max_length=500)  # code of the yardstick
    yardstick_title = models.CharField(max_length=300)
    dataset = models.CharField(max_length=200, blank=True)  # slug; empty: of any data set
    goal = models.JSONField(default=dict)  # weights of the figures that a search minimises
    most_error = models.FloatField(null=True)  # percent by which a result may be off; empty: any
    samples = models.PositiveIntegerField(default=0)  # base samples, or trials of a search
    seed = models.PositiveBigIntegerField(default=0)
    series_ids = models.JSONField(default=list)  # primary keys of series.Series
    truth = models.BinaryField()  # float64 little-endian, one a series; -1 never
    truth_digest = models.CharField(max_length=64)
    series_count = models.PositiveIntegerField()
    design = models.BinaryField()  # zlib of float64 (planned, varied parameters), row by row
    planned = models.PositiveIntegerField(default=0)  # parameter sets in the design
    wanted = models.PositiveIntegerField()  # parameter sets when it is complete

    objects = ExplorationQuerySet.as_manager()

    def get_absolute_url(self) -> str:
        names = {"study": self.study.slug, "exploration": self.public_id}
        return reverse("exploration", kwargs=names)

    @property
    def slug(self) -> str:
        """The method's slug."""
        return self.method.partition("@")[0]

    @property
    def method_title(self) -> str:
        return style_of(self.method).title

    @property
    def breadth(self) -> int:
        return self.wanted

    @property
    def has_more_to_plan(self) -> bool:
        return self.planned < self.wanted

    @classmethod
    def all_planned(cls) -> models.Q:
        return models.Q(planned__gte=models.F("wanted"))

    def size(self, counts: UnitCounts) -> int:
        """Answers: parameter sets, those yet to be planned included, times series."""
        return self.wanted * self.series_count

    @property
    def is_sensitivity(self) -> bool:
        return self.kind == self.Kind.SENSITIVITY


class PartQuerySet(WorkUnitQuerySet["Part"]):
    def light(self) -> Self:
        return self.defer("answers")


class Part(WorkUnit):
    """Some parameter sets of an exploration on some of its series.

    Sets and series are positions, first and number; `size` is their product. The answers are
    zlib of int32 little-endian (sets, series): -1 never, -2 no answer.
    """

    job = models.ForeignKey(
        Exploration, models.CASCADE, related_name="units", db_column="exploration_id"
    )
    first_set = models.PositiveIntegerField()
    sets = models.PositiveIntegerField()
    first_series = models.PositiveIntegerField()
    series = models.PositiveIntegerField()
    answers = models.BinaryField(default=bytes)
    seconds = models.FloatField(null=True, blank=True)  # seconds of computing

    objects = PartQuerySet.as_manager()

    class Meta(WorkUnit.Meta):
        constraints = [
            # Two workers that plan the next round of a search at once plan it once.
            models.UniqueConstraint(
                fields=["job", "first_set", "first_series"], name="parts_do_not_overlap"
            )
        ]
        indexes = [models.Index(fields=["job", "state"], name="part_progress")]

    def __str__(self) -> str:
        return f"{self.sets} sets on {self.series} series: {self.state}"

    @property
    def method_key(self) -> str:
        return self.job.method
