"""A training: a model of windows, fitted fold by fold and seed by seed on labelled series."""

from __future__ import annotations

from typing import Final, Self

from django.db import models
from django.urls import reverse

from analysis.work.models import Job, JobQuerySet, WorkUnit, WorkUnitQuerySet

TOGETHER: Final = -1  # the fold of the last unit, which makes a set of the first seed's models


class TrainingQuerySet(JobQuerySet["Training"]):
    def light(self) -> Self:
        return self.defer("labels", "card")

    def with_weights(self) -> Self:
        """Trainings that have their set of weights."""
        return self.exclude(weights="")


class Training(Job):
    """Training job: labels and settings, and a set of weights once all models are there.

    labels   pairs of the primary key of a series and its first steady iteration, -1 never, as
             they were when it began: what comes of it never changes
    model    `rocket`, `fcn`, `oscnn`, or a classifier ``package.module:Class``
    weights  the name of the set; empty until it is there
    card     what the set was made of and how it does, by seed and fold
    """

    yardstick = models.CharField(max_length=500)  # code of the yardstick
    yardstick_title = models.CharField(max_length=300)
    dataset = models.CharField(max_length=200, blank=True)  # slug; empty: of any data set
    labels = models.JSONField(default=list)
    series_count = models.PositiveIntegerField()
    model = models.CharField(max_length=200)
    window = models.PositiveIntegerField()
    benchmarks = models.PositiveIntegerField(null=True, blank=True)  # to learn from; None: all
    seeds = models.PositiveIntegerField()
    unseen = models.CharField(max_length=10)  # a fold holds out benchmarks or systems
    weights = models.CharField(max_length=80, blank=True, db_index=True)
    card = models.JSONField(default=dict)

    objects = TrainingQuerySet.as_manager()

    def get_absolute_url(self) -> str:
        return reverse("training", kwargs={"study": self.study.slug, "training": self.public_id})

    @property
    def slug(self) -> str:
        """The method that answers by its weights."""
        return "classifier" if ":" in self.model else self.model

    @property
    def breadth(self) -> int:
        return self.seeds

    @property
    def has_more_to_plan(self) -> bool:
        return not self.weights

    @classmethod
    def all_planned(cls) -> models.Q:
        return ~models.Q(weights="")


class TrainingUnitQuerySet(WorkUnitQuerySet["TrainingUnit"]):
    def light(self) -> Self:
        return self.defer("content")

    def fitted(self) -> Self:
        """Models that are there, seed by seed and fold by fold."""
        finished_units = self.filter(state=WorkUnit.State.DONE, failed_count=0).exclude(
            fold=TOGETHER
        )
        return finished_units.order_by("seed", "fold")


class TrainingUnit(WorkUnit):
    """The model of one fold and seed; or, last of all, the set that is made of them.

    said     its threshold and how it does on windows that it has not seen
    content  the model as a file, of the first seed only
    """

    job = models.ForeignKey(Training, models.CASCADE, related_name="units", db_column="training_id")
    seed = models.PositiveIntegerField()
    fold = models.SmallIntegerField()
    said = models.JSONField(default=dict)
    content = models.BinaryField(default=bytes)

    objects = TrainingUnitQuerySet.as_manager()

    class Meta(WorkUnit.Meta):
        constraints = [
            # Two workers that end the last two models at once plan the set once.
            models.UniqueConstraint(fields=["job", "seed", "fold"], name="one_model_a_fold")
        ]
        indexes = [models.Index(fields=["job", "state"], name="training_progress")]

    def __str__(self) -> str:
        return f"fold {self.fold} of seed {self.seed}: {self.state}"

    @property
    def method_key(self) -> str:
        return self.job.slug
