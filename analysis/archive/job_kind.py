"""Archives as a kind of job: one unit, whose file takes its name when it is complete."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from analysis.archive import archive_storage
from analysis.archive.bundle import StudyArchive, StudyChanged
from analysis.archive.models import ArchiveJob, ArchiveUnit
from analysis.archive.services import NoArchive, check_may_archive
from analysis.work.kinds import OneUnitKind
from analysis.work.leases import Claim, Outcome


class ArchiveKind(OneUnitKind[ArchiveJob, ArchiveUnit]):
    """Archives, each a file that takes its name when it is complete."""

    name, unit_noun = "archive", "archive"
    job_model, unit_model = ArchiveJob, ArchiveUnit
    refusals = (NoArchive, StudyChanged)
    too_long = "it took longer than {limit} s; `manage.py archive` has no such limit"

    def make(self, claim: Claim[ArchiveUnit]) -> Callable[[], Outcome]:
        path = archive_storage.partial_path(claim.unit.job, claim.unit.attempts)
        try:
            _write(claim, path)
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            return partial(_store, claim, path, digest)
        except BaseException:  # the half-written file goes, too
            path.unlink(missing_ok=True)
            raise


def _write(claim: Claim[ArchiveUnit], path: Path) -> None:
    """Write the archive for a person who still may see all of it; report progress after each
    file.
    """
    job, steps_done = claim.unit.job, 0

    def go_on() -> None:
        claim.go_on(steps_done)

    check_may_archive(job.study, job.started_by)
    for step in StudyArchive(job.study, job.archive_settings).write(path, go_on):
        steps_done = step
        go_on()


def _store(claim: Claim[ArchiveUnit], path: Path, digest: str) -> Outcome:
    outcome = claim.end(done_count=claim.unit.size)
    if outcome == "done":
        job = claim.unit.job
        size = path.stat().st_size
        path.replace(archive_storage.archive_path(job))
        ArchiveJob.objects.filter(pk=job.pk).update(digest=digest, file_size=size)
    path.unlink(missing_ok=True)
    return outcome
