"""Archives as a kind of job: one unit, whose file takes its name when it is complete."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path

from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings

from analysis.archive import archive_storage
from analysis.archive.bundle import StudyArchive, StudyChanged
from analysis.archive.models import ArchiveJob, ArchiveUnit
from analysis.archive.services import NoArchive, check_may_archive
from analysis.work.kinds import JobKind
from analysis.work.leases import Claim, Outcome

log = logging.getLogger(__name__)


class ArchiveStopped(Exception):  # what happened, not a fault
    """Nobody wants the archive any more, or another worker makes it."""


class ArchiveKind(JobKind[ArchiveJob, ArchiveUnit]):
    """Nothing of an archive is shown before all of it is made: a unit left behind begins again."""

    name, unit_noun = "archive", "archive"
    job_model, unit_model = ArchiveJob, ArchiveUnit

    def compute(self, claim: Claim[ArchiveUnit]) -> Callable[[], Outcome]:
        path = archive_storage.partial_path(claim.unit.job, claim.unit.attempts)
        try:
            _write(claim, path)
            return partial(_store, claim, path, archive_storage.digest_of(path))
        except ArchiveStopped:
            outcome = partial(claim.end, complete=False, done_count=0)
        except (NoArchive, StudyChanged) as why:
            outcome = partial(_failed, claim, str(why))
        except SoftTimeLimitExceeded:
            limit = settings.CELERY_TASK_SOFT_TIME_LIMIT
            told = f"it took longer than {limit} s; `manage.py archive` has no such limit"
            outcome = partial(_failed, claim, told)
        except Exception as error:  # a fault of ours: the page says so, nobody computes it again
            log.exception("archive %s could not be made", claim.unit.job.public_id)
            told = f"{type(error).__name__}; the log of the worker has more"
            outcome = partial(_failed, claim, told)
        path.unlink(missing_ok=True)
        return outcome


def _write(claim: Claim[ArchiveUnit], path: Path) -> None:
    """For who asked, if they still may see all of it; tells after each file how far it is."""
    job, done = claim.unit.job, 0

    def go_on() -> None:
        if not claim.report(done, 0):
            raise ArchiveStopped

    check_may_archive(job.study, job.started_by)
    for step in StudyArchive(job.study, job.said).write(path, go_on):
        done = step
        go_on()


def _store(claim: Claim[ArchiveUnit], path: Path, digest: str) -> Outcome:
    outcome = claim.end(done_count=claim.unit.size)
    if outcome == "done":
        job = claim.unit.job
        size = path.stat().st_size
        path.replace(archive_storage.path_of(job))
        ArchiveJob.objects.filter(pk=job.pk).update(digest=digest, file_size=size)
    path.unlink(missing_ok=True)
    return outcome


def _failed(claim: Claim[ArchiveUnit], text: str) -> Outcome:
    size = claim.unit.size
    return claim.end(done_count=size, failed_count=size, error=text)
