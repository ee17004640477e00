"""Means and results that were computed once, regressions that were told, what people say."""

from __future__ import annotations

from typing import Any

from django.db import models

from analysis.methods.models import KEY_LENGTH
from people.models import User
from series.models import Benchmark, Recording, Series


class SteadyMean(models.Model):
    """The mean of a series from an iteration on. Values never change, so neither does this.

    Kept because a trend asks for the mean of every series of a data set each time, and reading
    the values again takes most of a second for a thousand of them.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="steady_means")
    start = models.PositiveIntegerField()  # 0-based
    mean = models.FloatField()  # in the unit of the series
    half = models.FloatField(null=True)  # half width of the 95 % interval; null if unknown

    class Meta:
        app_label = "analysis"
        ordering = ["series_id", "start"]
        constraints = [
            models.UniqueConstraint(fields=["series", "start"], name="steady_mean_computed_once")
        ]

    def __str__(self) -> str:
        return f"{self.series_id} from {self.start}: {self.mean}"


class TrendSummary(models.Model):
    """Results of all benchmarks of a recording from a start on, for readers who are blind to none.

    `key` is a digest of what they were made of: a summary whose key is another one today is made
    anew (`analysis.trend.recording_results`).
    """

    recording = models.ForeignKey(Recording, models.CASCADE, related_name="trend_summaries")
    start = models.CharField(max_length=KEY_LENGTH)  # a rule, or a detector key
    key = models.CharField(max_length=64)
    rows = models.BinaryField()  # of `recording_results.RESULT`, rising by benchmark

    class Meta:
        app_label = "analysis"
        verbose_name_plural = "trend summaries"
        constraints = [
            models.UniqueConstraint(
                fields=["recording", "start"], name="trend_summary_of_recording"
            )
        ]

    def __str__(self) -> str:
        return f"results of {self.recording_id} from {self.start}"


class RegressionNotice(models.Model):
    """A regression that appeared, told once: the log of an installation without mail or webhook."""

    benchmark = models.ForeignKey(Benchmark, models.CASCADE, related_name="regression_notices")
    recording = models.ForeignKey(Recording, models.CASCADE, related_name="regression_notices")
    share = models.FloatField()  # change of the level as a share: -0.1 is 10 % less
    when = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "analysis"
        ordering = ["-when", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "recording"], name="regression_is_told_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.benchmark} since {self.recording}"


class RegressionAlarm(models.Model):
    """Judgement of people about a regression: the one that began with `recording`.

    Without a row it is new. A later regression of the benchmark is another alarm.
    """

    class State(models.TextChoices):
        NEW = "new", "new"
        CONFIRMED = "confirmed", "confirmed"
        EXPLAINED = "explained", "explained"
        FIXED = "fixed", "fixed"
        IGNORED = "ignored", "ignored"

    benchmark = models.ForeignKey(Benchmark, models.CASCADE, related_name="alarms")
    recording = models.ForeignKey(Recording, models.CASCADE, related_name="alarms")
    state = models.CharField(max_length=9, choices=State, default=State.NEW)
    assignee = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    note = models.CharField(max_length=500, blank=True)
    commit = models.URLField(max_length=300, blank=True)  # commit that explains the change
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    when = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "analysis"
        ordering = ["-when", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "recording"], name="regression_has_one_alarm"
            )
        ]

    def __str__(self) -> str:
        return f"regression of {self.benchmark.short_name} since {self.recording}"


class AlarmEntry(models.Model):
    """Entry of an alarm's history: one statement of one person. Entries are only added."""

    alarm = models.ForeignKey(RegressionAlarm, models.CASCADE, related_name="entries")
    state = models.CharField(max_length=9, choices=RegressionAlarm.State)
    assignee = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    note = models.CharField(max_length=500, blank=True)
    commit = models.URLField(max_length=300, blank=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    when = models.DateTimeField()

    class Meta:
        app_label = "analysis"
        ordering = ["-when", "-pk"]

    def __str__(self) -> str:
        return f"{self.alarm}: {self.state}"

    def save(self, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("the history of an alarm is append-only: judge the alarm again")
        super().save(**kwargs)


class TrendWatch(models.Model):
    """Up to which series regressions were looked for, by primary key, and up to which stored answer
    summaries are kept: a row each.
    """

    upto = models.BigIntegerField()

    class Meta:
        app_label = "analysis"

    def __str__(self) -> str:
        return f"up to {self.upto}"
