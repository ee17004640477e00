"""Asking for an archive, by who may see everything in it."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from analysis.archive import archive_storage
from analysis.archive.bundle import StudyArchive
from analysis.archive.models import ArchiveJob, ArchiveUnit
from analysis.work import services as work
from annotate import blind
from people.models import Role, Study, User
from series.models import Series

KEPT: Final = 3  # archives that a study keeps
AT_ONCE: Final = 1  # archives of a study that are made at the same time


class NoArchive(Exception):  # a state of the study, not a fault
    """Refusal: this person can have no archive now; the sentence says why."""


def check_may_archive(study: Study, user: User | None) -> None:
    """Raises NoArchive where `user` is no owner, or may not see all answers yet."""
    if user is None or study.role_of(user) != Role.OWNER:
        raise NoArchive("Only an owner of the study may archive it")
    hidden_count = blind.count_hidden_series(
        user, Series.objects.filter(benchmark__dataset__study=study)
    )
    if hidden_count:
        raise NoArchive(
            f"An archive shows the answers of all series, and {_count_words(hidden_count)} kept "
            f"from you because {hidden_count.because}. Answer the open series, close the campaign, "
            "or let another owner make the archive"
        )


def _count_words(count: int) -> str:
    return "one of them is" if count == 1 else f"{count} of them are"


@transaction.atomic
def ask_for_archive(
    study: Study, *, user: User, licence: str = "", authors: str = "", queued: bool = True
) -> ArchiveJob:
    """A job that makes it. Raises NoArchive."""
    check_may_archive(study, user)
    locked_study = Study.objects.select_for_update().get(pk=study.pk)
    if ArchiveJob.objects.filter(study=locked_study).open().count() >= AT_ONCE:
        raise NoArchive("An archive of this study is being made. Try again when it is done")
    for old_job in ArchiveJob.objects.filter(study=locked_study).ended_before(count=KEPT - 1):
        archive_storage.archive_path(old_job).unlink(missing_ok=True)
        old_job.delete()
    job = ArchiveJob.objects.create(
        study=locked_study,
        name=f"Archive: {locked_study}"[:120],
        started_by=user,
        licence=licence,
        authors=authors,
    )
    archive = StudyArchive(locked_study, job.archive_settings)
    ArchiveUnit.objects.create(job=job, size=archive.n_steps)
    work.queue_first_units(job, queued=queued)
    return job
