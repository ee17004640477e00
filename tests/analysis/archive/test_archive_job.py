"""An archive as a job: made for an owner who sees everything, and given to nobody else."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.archive import archive_storage, services
from analysis.archive.bundle import StudyArchive
from analysis.archive.job_kind import ArchiveKind
from analysis.archive.models import ArchiveJob, ArchiveUnit
from analysis.archive.services import NoArchive
from analysis.removal import services as removal_services
from analysis.work import services as work
from analysis.work.kinds import job_kind
from annotate.models import Assignment, Campaign, Task
from people.models import Membership, Role, Study, User
from tests.analysis.work.units import first_unit, take, work as work_on

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_folder(settings: LazySettings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "data"


@pytest.fixture
def answered_study(compared_study: Campaign) -> Study:
    return compared_study.study


@pytest.fixture
def as_olga(client: Client, olga: User) -> Client:
    client.force_login(olga)
    return client


def leftovers() -> list[str]:
    return sorted(path.name for path in archive_storage.archive_path(ArchiveJob()).parent.iterdir())


def test_it_is_the_archive_that_the_command_writes(
    answered_study: Study, as_olga: Client, archived: Callable[..., Path]
) -> None:
    place = reverse("archives", args=[answered_study.slug])
    assert "Make the archive" in as_olga.get(place).text

    response = as_olga.get(
        as_olga.post(place, {"licence": "CC0-1.0", "authors": "Ada\n\n Bo "}).headers["Location"]
    )

    job = ArchiveJob.objects.get()
    assert job.archive_settings.authors == ("Ada", "Bo")
    assert "The archive is ready" in response.text
    assert f"{job.digest[:32]}<wbr>{job.digest[32:]}" in response.text
    file = b"".join(as_olga.get(f"{job.get_absolute_url()}file/").streaming_content)  # type: ignore[attr-defined]
    assert file == archived(answered_study, job.archive_settings).read_bytes()
    assert hashlib.sha256(file).hexdigest() == job.digest
    assert job.file_size == len(file)
    assert (job.state, first_unit(job).done_count) == (
        "done",
        StudyArchive(answered_study, job.archive_settings).n_steps,
    )
    assert job.digest[:12] in as_olga.get(place).text
    assert leftovers() == [f"{job.public_id}.zip"]


def test_the_page_of_people_leads_to_it_for_owners(
    answered_study: Study, as_olga: Client, vic: User
) -> None:
    people, place = (reverse(name, args=[answered_study.slug]) for name in ("people", "archives"))
    assert f'href="{place}#archives"' in as_olga.get(people).text

    as_olga.force_login(vic)
    assert f'href="{place}"' not in as_olga.get(people).text
    assert as_olga.get(place).status_code == 403


# --- blindness --------------------------------------------------------------------------------
@pytest.fixture
def blind_olga(olga: User, answered_tasks: list[Task], compared_study: Campaign) -> User:
    """The owner annotates, too, and has yet to answer one series."""
    compared_study.annotators.create(user=olga, pseudonym="a3")
    Assignment.objects.create(task=answered_tasks[0], user=olga, order=0)
    return olga


def test_who_has_yet_to_answer_makes_none(
    answered_study: Study, as_olga: Client, blind_olga: User
) -> None:
    address = reverse("archives", args=[answered_study.slug])
    response = as_olga.get(address)

    refusal_words = "one of them is kept from you because you have yet to answer it"
    assert refusal_words in response.context["refusal"]
    assert f'action="{address}"' not in response.text
    answer = as_olga.post(address, {"licence": ""}, follow=True)
    assert answer.context["refusal"] == response.context["refusal"]
    assert answer.text.count(refusal_words) == 2  # what was asked for, and the page itself
    assert not ArchiveJob.objects.exists()


def test_what_was_made_before_is_not_given(
    answered_study: Study,
    as_olga: Client,
    olga: User,
    answered_tasks: list[Task],
    compared_study: Campaign,
) -> None:
    services.ask_for_archive(answered_study, user=olga)
    job = ArchiveJob.objects.get()
    file = f"{job.get_absolute_url()}file/"
    work_on(first_unit(job))
    assert as_olga.get(file).status_code == 200

    compared_study.annotators.create(user=olga, pseudonym="a3")
    Assignment.objects.create(task=answered_tasks[0], user=olga, order=0)

    assert as_olga.get(file).status_code == 404
    assert "Download" not in as_olga.get(job.get_absolute_url()).text


@pytest.mark.parametrize("change", ["asked meanwhile", "no owner any more", "gone"])
def test_a_worker_asks_again_who_it_is_for(
    change: str,
    answered_study: Study,
    olga: User,
    answered_tasks: list[Task],
    compared_study: Campaign,
) -> None:
    job = services.ask_for_archive(answered_study, user=olga, queued=False)
    if change == "asked meanwhile":
        compared_study.annotators.create(user=olga, pseudonym="a3")
        Assignment.objects.create(task=answered_tasks[0], user=olga, order=0)
    elif change == "no owner any more":
        Membership.objects.filter(user=olga).update(role=Role.VIEWER)
    else:
        ArchiveJob.objects.update(started_by=None)

    work_on(first_unit(job))

    job.refresh_from_db()
    assert (job.digest, first_unit(job).failed_count > 0) == ("", True)
    assert first_unit(job).error.startswith(("An archive shows", "Only an owner"))
    assert leftovers() == []


# --- workers ----------------------------------------------------------------------------------
def test_a_worker_that_was_too_slow_changes_nothing(answered_study: Study, olga: User) -> None:
    job = services.ask_for_archive(answered_study, user=olga, queued=False)
    dead_claim = take(first_unit(job), worker="w-1@here")
    assert dead_claim is not None
    finish_late = ArchiveKind().compute(dead_claim)
    ArchiveUnit.objects.update(lease=timezone.now() - timedelta(days=1))
    assert work.recover(job_kind(job)) == [first_unit(job).pk]
    assert work_on(first_unit(job), worker="w-2@here") == "done"

    assert finish_late() == "lost"
    assert leftovers() == [f"{job.public_id}.zip"]


def test_a_stopped_one_leaves_nothing(
    answered_study: Study, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.work.leases.RENEW_EVERY", 0.0)
    job = services.ask_for_archive(answered_study, user=olga, queued=False)
    claim = take(first_unit(job))
    assert claim is not None
    assert work.stop(job)

    assert ArchiveKind().compute(claim)() == "stopped"
    assert leftovers() == []


def test_a_fault_of_ours_is_told(
    answered_study: Study,
    as_olga: Client,
    olga: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    job = services.ask_for_archive(answered_study, user=olga, queued=False)
    monkeypatch.setattr(StudyArchive, "readable_tables", property(lambda _: 1 / 0))
    with caplog.at_level(logging.CRITICAL, logger="analysis"):
        work_on(first_unit(job))

    response = as_olga.get(job.get_absolute_url())
    assert response.context["failure"].startswith("ZeroDivisionError; ")
    assert response.context["failure"] in response.text


def test_one_at_a_time_and_the_oldest_make_room(
    answered_study: Study, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "KEPT", 1)
    first = services.ask_for_archive(answered_study, user=olga, queued=False)
    with pytest.raises(NoArchive, match="is being made"):
        services.ask_for_archive(answered_study, user=olga)
    work_on(first_unit(first))

    second = services.ask_for_archive(answered_study, user=olga, queued=False)
    work_on(first_unit(second))

    assert list(ArchiveJob.objects.all()) == [second]
    assert leftovers() == [f"{second.public_id}.zip"]


def test_files_go_with_their_study(answered_study: Study, olga: User) -> None:
    job = services.ask_for_archive(answered_study, user=olga, queued=False)
    work_on(first_unit(job))
    assert archive_storage.purge_archives() == 0

    removal_services.purge_removal(removal_services.remove_from_study(answered_study, user=olga))
    assert (ArchiveJob.objects.exists(), archive_storage.purge_archives()) == (False, 0)
    for name in leftovers():  # as if it had lain there for two days
        path = archive_storage.archive_path(ArchiveJob()).parent / name
        os.utime(path, (0, 0))

    assert archive_storage.purge_archives() == 1
    assert leftovers() == []
