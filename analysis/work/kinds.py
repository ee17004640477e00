"""Kinds of job: what differs between them, registered by the packages that have one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar, cast

from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models.expressions import Combinable

from analysis.work.leases import Claim, Outcome, Unwanted
from analysis.work.models import Job, JobQuerySet, WorkUnit, WorkUnitQuerySet
from people.late_registry import LateRegistry

log = logging.getLogger(__name__)
AnyJob = TypeVar("AnyJob", bound=Job)
AnyUnit = TypeVar("AnyUnit", bound=WorkUnit)


class JobKind(Generic[AnyJob, AnyUnit]):
    """One kind of job; what a kind does not say is done as for all.

    name        what a job is called, in messages to workers, addresses and sentences
    unit_noun   what a unit is called
    at_once     whether all units have a message from the beginning; else a few at a time, so that
                a job that begins meanwhile does not wait for all of them
    """

    name: ClassVar[str]
    unit_noun: ClassVar[str]
    at_once: ClassVar[bool] = True
    job_model: type[AnyJob]
    unit_model: type[AnyUnit]

    @property
    def jobs(self) -> JobQuerySet[AnyJob]:
        rows = self.job_model._default_manager.all()  # noqa: SLF001  # whichever model it is
        return cast("JobQuerySet[AnyJob]", rows)

    @property
    def units(self) -> WorkUnitQuerySet[AnyUnit]:
        rows = self.unit_model._default_manager.all()  # noqa: SLF001  # whichever model it is
        return cast("WorkUnitQuerySet[AnyUnit]", rows)

    def compute(self, claim: Claim[AnyUnit]) -> Callable[[], Outcome]:
        """Compute the unit, outside any transaction; what is returned stores it, in one.

        It reports as it goes, and ends the claim. To be done twice, at once or again after a
        worker died half-way, it has to be harmless.
        """
        raise NotImplementedError

    def done_before(self, job: AnyJob) -> int | Combinable:
        """SQL expression: results already stored for a unit that is queued again."""
        return 0

    def wants_current(self, claim: Claim[AnyUnit]) -> bool:
        """True if the work of the unit is still asked for, read afresh."""
        return claim.is_wanted()

    def take_apart(self, claim: Claim[AnyUnit]) -> bool:
        """Cut up a unit that has killed workers; False where it waits again as it is."""
        return False

    def was_given_up(self, unit: AnyUnit, text: str) -> None:
        """Store what the end of a unit that killed every worker means for its job's results."""

    def plan_more(self, job: AnyJob) -> bool:
        """Store more units once all have ended; False where nothing is left to plan."""
        return False

    def code_of(self, unit: AnyUnit) -> str:
        """Code of what is computed, in a few letters."""
        return ""

    def has_ended(self, job: AnyJob) -> None:
        """After the last unit, in the worker that ended it."""


class OneUnitKind(JobKind[AnyJob, AnyUnit]):
    """Jobs of one unit, in which all is made before any of it is stored.

    A unit left behind begins again.
    refusals  what `make` raises where it cannot be made; their sentences say why
    too_long  what is said where it takes longer than a unit may
    """

    refusals: ClassVar[tuple[type[Exception], ...]]
    too_long: ClassVar[str] = "took longer than {limit} s"

    def make(self, claim: Claim[AnyUnit]) -> Callable[[], Outcome]:
        """Make it, calling `claim.go_on` as it goes; what is returned stores it."""
        raise NotImplementedError

    def compute(self, claim: Claim[AnyUnit]) -> Callable[[], Outcome]:
        try:
            return self.make(claim)
        except Unwanted:
            return partial(claim.end, is_complete=False, done_count=0)
        except self.refusals as error:
            reason = str(error)
        except SoftTimeLimitExceeded:
            reason = self.too_long.format(limit=settings.CELERY_TASK_SOFT_TIME_LIMIT)
        except Exception as error:  # a fault of the program, which the page shows
            log.exception("%s %s could not be made", self.name, claim.unit.job.public_id)
            reason = f"{type(error).__name__}; the log of the worker has more"
        return partial(claim.fail, reason)


_kinds = LateRegistry[dict[str, JobKind[Any, Any]]]({})


def register_job_kind(kind: JobKind[Any, Any]) -> None:
    """Add a kind; a second one of the same name takes the place of the first."""
    _kinds.present[kind.name] = kind


def kinds() -> list[JobKind[Any, Any]]:
    return list(_kinds.entries.values())


def find_kind(name: str) -> JobKind[Any, Any]:
    return _kinds.entries[name]


def job_kind(job_or_unit: Job | WorkUnit) -> JobKind[Any, Any]:
    """The kind of a job, or of a unit."""
    return next(
        kind for kind in kinds() if isinstance(job_or_unit, (kind.job_model, kind.unit_model))
    )
