"""Asking for a report: the one that is kept for the same state, or a job that makes it."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from analysis.comparison.inputs import ComparisonInputs
from analysis.comparison.query import ComparisonQuery
from analysis.report.bundle import STEPS
from analysis.report.models import ReportJob, ReportUnit
from analysis.report.reads import report_of_state, state_key
from analysis.work import services as work
from people.models import Study, User

KEPT: Final = 20  # reports that a study keeps; one of 586 series and 31 methods has 1 MB
AT_ONCE: Final = 5  # reports of a study that are made at the same time


class TooManyReports(Exception):  # a state of the report, not a fault
    """So many reports of the study are being made that another one has to wait."""


@transaction.atomic
def ask_for_report(
    inputs: ComparisonInputs, query: ComparisonQuery, *, user: User, queued: bool = True
) -> ReportJob:
    """The report of this state, made or on its way; else a new job. Raises TooManyReports.

    inputs: what `user` may see now. queued: as in `analysis.work.services.queue_first_units`.
    """
    study = Study.objects.select_for_update().get(pk=inputs.yardstick.study.pk)
    key = state_key(inputs, query)
    if stored_report := report_of_state(study, key):
        return stored_report
    if study.reportjobs.open().count() >= AT_ONCE:
        raise TooManyReports(
            f"{AT_ONCE} reports of this study are being made. Ask again when one of them is ready."
        )
    for old_job in ReportJob.objects.filter(study=study).light().ended_before(count=KEPT - 1):
        old_job.delete()
    job = ReportJob.objects.create(
        study=study,
        name=f"Report: {inputs.yardstick.title}"[:120],
        started_by=user,
        state_key=key,
        query=query.changed(yardstick=inputs.yardstick.code).alone.pairs(),
        yardstick=inputs.yardstick.code,
    )
    ReportUnit.objects.create(job=job, size=STEPS)
    work.queue_first_units(job, queued=queued)
    return job
