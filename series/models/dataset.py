"""A data set, its benchmarks, and the occasions on which they were measured."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.urls import reverse

from detectors.contract.directions import Direction, direction_of
from formats.params import split
from people.models import Study, User
from people.public_id import new_public_id


class DatasetQuerySet(models.QuerySet["Dataset"]):
    def visible_to(self, user: User | AnonymousUser) -> DatasetQuerySet:
        """Data sets of the studies of which `user` is a member."""
        return self.filter(study__in=Study.objects.visible_to(user))


class Dataset(models.Model):
    """Measurements that belong together: one suite, one project, one archive."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="datasets")
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60)
    about = models.TextField(blank=True)
    source = models.CharField(max_length=300, blank=True)
    licence = models.CharField(max_length=120, blank=True)
    simulated = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    objects = DatasetQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="dataset_name_once_per_study"),
            models.UniqueConstraint(fields=["study", "slug"], name="dataset_slug_once_per_study"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("dataset", kwargs={"study": self.study.slug, "dataset": self.slug})

    @property
    def names_machines(self) -> bool:
        """True where recordings name two machines or more, or an instance of one."""
        named_recordings = self.recordings.exclude(instance="", machine="").order_by()
        names = named_recordings.values_list("instance", "machine").distinct()[:2]
        return len(names) > 1 or any(instance for instance, _ in names)


class BenchmarkQuerySet(models.QuerySet["Benchmark"]):
    def visible_to(self, user: User | AnonymousUser) -> BenchmarkQuerySet:
        """Benchmarks of the studies of which `user` is a member."""
        return self.filter(dataset__study__in=Study.objects.visible_to(user))


class Benchmark(models.Model):
    """One benchmark with one set of parameters."""

    class Better(models.TextChoices):
        MORE = "more", "more is better"
        LESS = "less", "less is better"

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="benchmarks")
    system = models.CharField(max_length=200, blank=True)
    name = models.CharField(max_length=400)
    params = models.CharField(max_length=1000, blank=True)  # canonical text, formats.Measurement
    unit = models.CharField(max_length=40, blank=True)
    mode = models.CharField(max_length=40, blank=True)
    # What an owner or importer said; empty: as unit and mode say (`direction`).
    better = models.CharField(max_length=4, choices=Better, blank=True)
    # What its row in lists draws: the lowest fork of the newest recording. Set at import, so
    # that a page of 50 rows costs the same in a data set of 10 and of 10 000.
    shown = models.OneToOneField(
        "series.Series", models.SET_NULL, null=True, blank=True, related_name="shown_for"
    )

    objects = BenchmarkQuerySet.as_manager()

    class Meta:
        ordering = ["system", "name", "params"]
        constraints = [
            models.UniqueConstraint(
                fields=["dataset", "system", "name", "params"], name="benchmark_once_per_dataset"
            )
        ]

    def __str__(self) -> str:
        return " · ".join(text for text in (self.name, self.spoken_params) if text)

    def get_absolute_url(self) -> str:
        return reverse(
            "benchmark",
            kwargs={
                "study": self.dataset.study.slug,
                "dataset": self.dataset.slug,
                "benchmark": self.public_id,
            },
        )

    @property
    def direction(self) -> Direction:
        """Direction of better values: what an owner said, else what unit and mode say."""
        if self.better:
            return Direction("more" if self.better == self.Better.MORE else "less", "owner")
        return direction_of(self.unit, self.mode)

    @property
    def spoken_params(self) -> str:
        """The parameters as pages write them: `size=8 · type=heap`."""
        pairs = split(self.params).items()
        return " · ".join(f"{name}={value}" for name, value in pairs) or self.params

    @property
    def short_name(self) -> str:
        """Class and method, the last two parts of a dotted name."""
        return ".".join(self.name.split(".")[-2:])

    @property
    def package(self) -> str:
        """Parts of a dotted name before class and method; empty without any."""
        return ".".join(self.name.split(".")[:-2])


class Recording(models.Model):
    """One occasion on which benchmarks of a data set were measured."""

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="recordings")
    label = models.CharField(max_length=200)
    build = models.CharField(max_length=200, blank=True)
    measured_at = models.DateTimeField(null=True, blank=True)
    machine = models.CharField(max_length=300, blank=True)
    # Which machine of that description, such as a host name; empty: `machine` is the only one.
    instance = models.CharField(max_length=200, blank=True, default="")
    # Recordings of one duet were measured side by side: fork with fork, iteration with iteration.
    duet = models.CharField(max_length=200, blank=True, default="")
    runtime = models.CharField(max_length=300, blank=True)
    notes = models.TextField(blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-measured_at", "-created", "label"]
        constraints = [
            models.UniqueConstraint(
                fields=["dataset", "label"], name="recording_label_once_per_dataset"
            )
        ]

    def __str__(self) -> str:
        return self.label
