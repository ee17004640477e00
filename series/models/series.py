"""A series: one fork of one benchmark in one recording, an ordered array of values."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import numpy as np
import numpy.typing as npt
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.urls import reverse

from detectors.shapes.shape_words import WORDS as SHAPE_WORDS
from formats.iterations import IterationLength, length_of
from people.models import Study, User
from people.public_id import new_public_id
from series import values_store
from series.models.dataset import Benchmark, Recording


class SeriesQuerySet(models.QuerySet["Series"]):
    def visible_to(self, user: User | AnonymousUser) -> SeriesQuerySet:
        """Series of the studies of which `user` is a member."""
        return self.filter(benchmark__dataset__study__in=Study.objects.visible_to(user))


class Series(models.Model):
    """Row of one fork for lists and pages; its values lie in `SeriesValues`.

    Two tables, so that no list can load the values of its rows by accident.
    """

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    benchmark = models.ForeignKey(Benchmark, models.CASCADE, related_name="series")
    # Without an index of its own: SQLite would take that instead of the one that has all.
    recording = models.ForeignKey(Recording, models.CASCADE, related_name="series", db_index=False)
    fork = models.PositiveIntegerField()
    n = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, db_index=True)  # SHA-256 of the values' bytes
    # Configured warm-up and measurement as formats.Measurement.settings has them.
    settings = models.JSONField(default=dict, blank=True)
    seconds_per_iteration = models.FloatField(null=True, blank=True)
    minimum = models.FloatField()
    median = models.FloatField()
    maximum = models.FloatField()
    median_last_half = models.FloatField()
    robust_low = models.FloatField()  # the y-range that everybody sees first
    robust_high = models.FloatField()
    scale = models.FloatField()  # power of two; the drawing payload is values / scale
    outline = models.JSONField(default=dict)  # {"low": [64], "high": [64], "middle": [64]}, 0…1000
    # The same number for series that are copies of one another (series.values.copies); empty for
    # most.
    copy_group = models.BigIntegerField(null=True, blank=True, db_index=True)
    known_start = models.IntegerField(null=True, blank=True)  # simulated series only; -1 never
    known_reason = models.CharField(max_length=300, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    objects = SeriesQuerySet.as_manager()

    class Meta:
        ordering = ["benchmark_id", "recording_id", "fork"]
        verbose_name_plural = "series"
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "recording", "fork"], name="series_once_per_recording"
            )
        ]
        indexes = [
            # Has all that quota and keys of trends count and sum: no row is read for them.
            models.Index(fields=["recording", "benchmark", "id", "n"], name="series_of_recording"),
            models.Index(
                fields=["known_start"],
                name="series_known",
                condition=models.Q(known_start__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark} · fork {self.fork}"

    def get_absolute_url(self) -> str:
        study = self.benchmark.dataset.study.slug
        return reverse("series", kwargs={"study": study, "series": self.public_id})

    @property
    def iteration_length(self) -> IterationLength | None:
        """Length of its iterations in time; None where nobody says."""
        return length_of(self.benchmark.unit, self.benchmark.mode, self.settings)

    def array(self) -> npt.NDArray[np.float64]:
        """The n values, float64, read-only, in the benchmark's unit."""
        return self.stored.array()


class SeriesValues(models.Model):
    """The values of one series, as the digest describes them; never changed.

    They lie in `data`, or outside of the database at `address` (`series.values_store`).
    """

    series = models.OneToOneField(Series, models.CASCADE, primary_key=True, related_name="stored")
    data = models.BinaryField()  # float64, little-endian, n x 8 bytes; empty where they lie outside
    # Null instead of empty: SQLite adds such a column without writing all values anew.
    address = models.CharField(max_length=80, null=True, blank=True)  # noqa: DJ001
    ahead: Future[bytes] | None = None  # on their way (`series.values.read_ahead`)

    class Meta:
        indexes = [
            models.Index(
                fields=["address"], name="values_outside", condition=models.Q(address__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return f"values of {self.series_id}"

    def save(self, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("values never change: import them as another recording")
        super().save(**kwargs)

    def content(self) -> bytes:
        """Their bytes, from wherever they lie; `ValuesUnavailable` where they cannot be had."""
        if self.ahead is not None:
            return self.ahead.result()
        return values_store.read_values(self.address) if self.address else bytes(self.data)

    def array(self) -> npt.NDArray[np.float64]:
        """The values, float64, read-only; errors as `content`."""
        return np.frombuffer(self.content(), dtype="<f8")


class ReleasedValues(models.Model):
    """Values outside of the database that a row named and no longer does: to be deleted."""

    address = models.CharField(max_length=80, unique=True)
    since = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "released values"

    def __str__(self) -> str:
        return self.address


class SeriesSketch(models.Model):
    """Sketch by which copies of one series are known (`detectors.panel.copies`); tells nothing of
    its values.
    """

    series = models.OneToOneField(Series, models.CASCADE, primary_key=True, related_name="sketched")
    hashes = models.BinaryField()  # uint32, little-endian, rising; empty: no copy can be told
    # The same of the values without their order; null: not computed yet (`copies.has_copy` does).
    value_hashes = models.BinaryField(null=True)

    class Meta:
        verbose_name_plural = "series sketches"

    def __str__(self) -> str:
        return f"sketch of {self.series_id}"


class SeriesShape(models.Model):
    """Shape and noise of one series (`detectors.shapes.series_shape`, `detectors.shapes.noise`),
    with their numbers.

    `classes`: every class that it shows, between blanks. Blindness is the reader's duty: a shape
    tells much of an answer.
    """

    series = models.OneToOneField(Series, models.CASCADE, primary_key=True, related_name="shaped")
    rule = models.PositiveSmallIntegerField()  # version of the rules
    shape = models.CharField(max_length=12, db_index=True)
    classes = models.CharField(max_length=60)
    noise = models.CharField(max_length=5, blank=True, db_index=True)  # empty: too short to tell
    facts = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.series_id}: {self.shape}"

    @property
    def word(self) -> str:
        """`step down`, in one piece."""
        return SHAPE_WORDS[self.shape].replace(" ", "\u00a0")


class Samples(models.Model):
    """Raw (value, count) pairs of each iteration, where the file had them.

    Iteration i has the pairs offsets[i] … offsets[i + 1] of `values` and `counts`.
    """

    series = models.OneToOneField(Series, models.CASCADE, primary_key=True, related_name="samples")
    offsets = models.BinaryField()  # int64, little-endian, n + 1 of them
    values = models.BinaryField()  # float64, little-endian
    counts = models.BinaryField()  # int64, little-endian

    class Meta:
        verbose_name_plural = "samples"

    def __str__(self) -> str:
        return f"samples of {self.series_id}"
