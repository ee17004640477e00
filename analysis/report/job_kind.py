"""Reports as a kind of job: one unit, in which the whole report is made."""

from __future__ import annotations

from collections.abc import Callable

from analysis.report import write_unit
from analysis.report.models import ReportJob, ReportUnit
from analysis.work.kinds import JobKind
from analysis.work.leases import Claim, Outcome


class ReportKind(JobKind[ReportJob, ReportUnit]):
    """Nothing of a report is stored before all of it is made: a unit left behind begins again."""

    name, unit_noun = "report", "report"
    job_model, unit_model = ReportJob, ReportUnit

    def compute(self, claim: Claim[ReportUnit]) -> Callable[[], Outcome]:
        return write_unit.compute(claim)
