"""What a worker does with one unit, of whichever kind of job."""

from __future__ import annotations

from typing import Any

from analysis.runs.models import Run
from analysis.work import services
from analysis.work.kinds import job_kind
from analysis.work.leases import Claim, Outcome
from analysis.work.models import Job, WorkUnit, WorkUnitQuerySet


def take(unit: WorkUnit | None, *, worker: str = "w-1@here") -> Claim[Any] | None:
    """Hold the unit, if it is free."""
    assert unit is not None
    return services.take_unit(job_kind(unit), unit.pk, worker=worker)


def work(unit: WorkUnit | None, *, worker: str = "") -> Outcome:
    """Compute the unit, if it is free, and let its job go on as a worker would; nobody is told."""
    assert unit is not None
    outcome = services.take_and_work(job_kind(unit), unit.pk, worker=worker)
    unit.job.refresh_from_db()
    services.next_units(unit.job)
    return outcome


def units_of(job: Job) -> WorkUnitQuerySet[Any]:
    return job_kind(job).units.filter(job=job).order_by("pk")


def first_unit(job: Job) -> WorkUnit:
    """Read afresh."""
    unit: WorkUnit = units_of(job)[0]
    return unit


def answers_of(job: Job) -> list[Any]:
    """Everything that the job has stored of its results, to be compared."""
    if isinstance(job, Run):
        return sorted(job.detections.values_list("series", "outcome", "steady_start"))
    return list(units_of(job).values_list("answers", flat=True))
