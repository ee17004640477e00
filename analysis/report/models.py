"""Reports that workers make: a job of one unit, kept with what it was made of."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.urls import reverse
from django.utils.http import urlencode

from analysis.work.models import Job, JobQuerySet, WorkUnit, WorkUnitQuerySet


class ReportJobQuerySet(JobQuerySet["ReportJob"]):
    def light(self) -> Self:
        return self.defer("content", "series_ids")

    def with_document(self) -> Self:
        """Jobs that have their document."""
        return self.exclude(digest="")


class ReportJob(Job):
    """One comparison to be written down for one person, and the report once it is there.

    state_key  what the answers and settings were when it was asked for: the same key, the same
               report (`analysis.report.reads`)
    series_ids primary keys of every series that the report tells of; whoever may not see one of
               them may not see the report
    content    the .zip, with the document and every table in it
    """

    state_key = models.CharField(max_length=64, db_index=True)
    query = models.JSONField(default=list)  # (key, value) pairs of the comparison's address
    yardstick = models.CharField(max_length=500)  # code of the yardstick
    series_ids = models.JSONField(default=list)
    digest = models.CharField(max_length=64, blank=True)  # of all figures; empty before the end
    content = models.BinaryField(default=bytes)

    objects = ReportJobQuerySet.as_manager()

    def get_absolute_url(self) -> str:
        """Compare as it was asked for, at its download button."""
        compare_address = reverse("comparison", args=[self.study.slug])
        return f"{compare_address}?{urlencode(self.query)}#download"


class ReportUnit(WorkUnit):
    """The whole report, counted in its parts."""

    method_key = "report"
    job = models.ForeignKey(ReportJob, models.CASCADE, related_name="units", db_column="report_id")

    objects = WorkUnitQuerySet["ReportUnit"].as_manager()

    class Meta(WorkUnit.Meta):
        indexes = [models.Index(fields=["job", "state"], name="report_progress")]

    def __str__(self) -> str:
        return f"{self.size} parts of a report: {self.state}"
