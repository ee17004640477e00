"""Reports as a kind of job: one unit, in which the whole report is made and stored."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings

from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.table import ComparisonResult, compare
from analysis.references.yardsticks import UnknownYardstick
from analysis.report.bundle import Report
from analysis.report.models import ReportJob, ReportUnit
from analysis.report.reads import asked_by
from analysis.report.state import state_key
from analysis.work.kinds import JobKind
from analysis.work.leases import Claim, Outcome

log = logging.getLogger(__name__)


class NothingToReport(LookupError):
    """There is nobody to report to, or nothing to compare with; the sentence says which."""


class ReportKind(JobKind[ReportJob, ReportUnit]):
    """Nothing of a report is stored before all of it is made: a unit left behind begins again."""

    name, unit_noun = "report", "report"
    job_model, unit_model = ReportJob, ReportUnit

    def compute(self, claim: Claim[ReportUnit]) -> Callable[[], Outcome]:
        """Make it for who asked for it, telling after each part how far it is."""
        try:
            report = Report(_compared(claim.unit.job))
            for done, step in enumerate(report.steps(), start=1):
                step()
                if not claim.report(done, 0):
                    return partial(claim.end, complete=False, done_count=0)
        except (NothingToReport, UnknownYardstick, UnknownMethod) as why:
            return partial(_failed, claim, str(why))
        except SoftTimeLimitExceeded:
            limit = settings.CELERY_TASK_SOFT_TIME_LIMIT
            return partial(_failed, claim, f"took longer than {limit} s")
        except Exception as error:  # a fault of ours: the page says so, nobody computes it again
            log.exception("report %s could not be made", claim.unit.job.public_id)
            told = f"{type(error).__name__}; the log of the worker has more"
            return partial(_failed, claim, told)
        return partial(_store, claim, report)


def _compared(job: ReportJob) -> ComparisonResult:
    """What the person who asked for it may see now."""
    if job.started_by is None:
        raise NothingToReport("the person who asked for it is no longer a member")
    found = compare(job.study, job.started_by, asked_by(job))
    if found is None:
        raise NothingToReport("there is nothing to compare with any more")
    return found


def _store(claim: Claim[ReportUnit], report: Report) -> Outcome:
    """With the key of what was read: answers may have come since it was asked for."""
    outcome = claim.end(done_count=claim.unit.size)
    if outcome == "done":
        compared = report.compared
        excluded = [each.line.pk for each in compared.inputs.excluded]
        ReportJob.objects.filter(pk=claim.unit.job_id).update(
            state_key=state_key(compared.inputs, compared.asked),
            series_ids=[line.pk for line in compared.lines] + excluded,
            digest=report.digest,
            content=report.zip,
        )
    return outcome


def _failed(claim: Claim[ReportUnit], text: str) -> Outcome:
    size = claim.unit.size
    return claim.end(done_count=size, failed_count=size, error=text)
