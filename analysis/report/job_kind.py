"""Reports as a kind of job: one unit, in which the whole report is made and stored."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.table import compare_stored
from analysis.references.yardsticks import UnknownYardstick
from analysis.report.bundle import Report
from analysis.report.models import ReportJob, ReportUnit
from analysis.report.reads import asked_comparison, state_key
from analysis.work.kinds import OneUnitKind
from analysis.work.leases import Claim, Outcome


class NothingToReport(LookupError):
    """Error: the requester is gone, or nothing can be compared; the sentence says which."""


class ReportKind(OneUnitKind[ReportJob, ReportUnit]):
    """Reports, each made for who asked for it."""

    name, unit_noun = "report", "report"
    job_model, unit_model = ReportJob, ReportUnit
    refusals = (NothingToReport, UnknownYardstick, UnknownMethod)

    def make(self, claim: Claim[ReportUnit]) -> Callable[[], Outcome]:
        if claim.unit.job.started_by is None:
            raise NothingToReport("the person who asked for it is no longer a member")
        comparison = compare_stored(
            claim.unit.job.study, claim.unit.job.started_by, asked_comparison(claim.unit.job)
        )
        if comparison is None:
            raise NothingToReport("there is nothing to compare with any more")
        report = Report(comparison)
        for step_number, step in enumerate(report.steps(), start=1):
            step()
            claim.go_on(step_number)
        return partial(_store, claim, report)


def _store(claim: Claim[ReportUnit], report: Report) -> Outcome:
    """Store the report with the key of its inputs: answers may have come since it was asked for."""
    outcome = claim.end(done_count=claim.unit.size)
    if outcome == "done":
        comparison = report.compared
        excluded_pks = [excluded_series.line.pk for excluded_series in comparison.inputs.excluded]
        ReportJob.objects.filter(pk=claim.unit.job_id).update(
            state_key=state_key(comparison.inputs, comparison.asked),
            series_ids=[line.pk for line in comparison.lines] + excluded_pks,
            digest=report.digest,
            content=report.zip,
        )
    return outcome
