"""The same thing made by several people at the same moment: each gets one, under its own slug."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Event
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from annotate.campaign_rows import create_campaign
from annotate.models import Campaign
from formats import TooLarge
from people import services
from people.models import Role, Study, User
from people.slugs import create_with_slug
from series.importing import quota, uploads
from series.importing.import_plan import RecordingDetails
from series.importing.quota import QuotaUse
from series.importing.services import ensure_dataset, import_file
from series.models import Dataset, Import
from series.reading.file_readers import FileToRead
from tests.annotate.answering.test_at_once import all_at_once

PEOPLE = 4


@pytest.mark.django_db(transaction=True)
def test_equal_new_studies(make_person: Callable[..., User]) -> None:
    clients = [Client() for _ in range(PEOPLE)]
    for number, client in enumerate(clients):
        client.force_login(make_person(f"p{number}", None))

    answers = all_at_once(
        *(
            lambda client=client_of_person: client.post("/studies/new/", {"name": "Grid"})
            for client_of_person in clients
        )
    )

    assert [answer.status_code for answer in answers] == [302] * PEOPLE
    slugs = Study.objects.filter(name="Grid").values_list("slug", flat=True)
    assert sorted(slugs) == ["grid", "grid-2", "grid-3", "grid-4"]


@pytest.mark.django_db(transaction=True)
def test_equal_new_campaigns_and_data_sets(study: Study) -> None:
    def campaign() -> Any:
        return create_campaign(study, "Look", fallback_slug="campaign").slug

    def dataset() -> Any:
        return ensure_dataset(study, "Nightly").slug

    slugs = all_at_once(*[campaign] * PEOPLE)
    datasets = all_at_once(*[dataset] * PEOPLE)

    assert sorted(slugs) == ["look", "look-2", "look-3", "look-4"]
    assert datasets == ["nightly"] * PEOPLE
    assert (Campaign.objects.count(), Dataset.objects.count()) == (PEOPLE, 1)


@pytest.mark.django_db(transaction=True)
def test_one_invitation_used_by_several_gives_one_account(study: Study, olga: User) -> None:
    invitation = services.create_invitation(study, by=olga, role=Role.ANNOTATOR)
    address = reverse("join", args=[invitation.token])

    answers = all_at_once(
        *(lambda n=n: Client().post(address, {"name": f"Chen {n}"}) for n in range(PEOPLE))
    )

    assert sorted(answer.status_code for answer in answers) == [302, *[410] * (PEOPLE - 1)]
    assert User.objects.filter(first_name__startswith="Chen").count() == 1
    assert study.memberships.filter(role=Role.ANNOTATOR).count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_personal_link_used_by_several_signs_one_device_in(study: Study, olga: User) -> None:
    invitation = services.create_invitation(study, by=olga, role=Role.ANNOTATOR)
    first = Client()
    first.post(reverse("join", args=[invitation.token]), {"name": "Chen"})
    link = first.post(reverse("account-device")).context["link"]

    answers = all_at_once(*(lambda: Client().post(link) for _ in range(PEOPLE)))

    assert sorted(answer.status_code for answer in answers) == [302, *[404] * (PEOPLE - 1)]


def restore_call(study: Study, content: bytes, by: User) -> Callable[[], object]:
    upload = uploads.store_upload(study, [content], "sort.txt", by=by)
    uploads.discard(upload)
    return lambda: uploads.restore_upload(upload, Import.State.UPLOADED)


def upload_call(study: Study, content: bytes, by: User) -> Callable[[], object]:
    return lambda: uploads.store_upload(study, [content], "sort.txt", by=by)


def import_call(study: Study, content: bytes, by: User) -> Callable[[], object]:
    dataset, file = ensure_dataset(study, by.username), FileToRead("sort.txt", data=content)
    return lambda: import_file(dataset, file, by=by)


def refusal_place(act: Callable[[], object]) -> str:
    try:
        act()
    except TooLarge as refused:
        return refused.where
    return ""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("make_call", [restore_call, upload_call, import_call])
def test_files_that_come_at_once_share_the_quota(
    study: Study,
    olga: User,
    ana: User,
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_call: Callable[..., Callable[[], object]],
) -> None:
    """Each that is told that there is room waits until the other one asks, at most a second."""
    settings.DATA_DIR, settings.STUDY_MAX_BYTES = tmp_path, 100
    acts = [
        make_call(study, content * 10, owner)
        for content, owner in ((b"1.50000\n", olga), (b"2.50000\n", ana))
    ]
    both_asked, check_quota = Barrier(2), quota.check_quota

    def check_and_wait(*arguments: Any, **named: Any) -> None:
        check_quota(*arguments, **named)
        with suppress(BrokenBarrierError):
            both_asked.wait(timeout=1)

    monkeypatch.setattr(quota, "check_quota", check_and_wait)
    refusals = all_at_once(*(partial(refusal_place, act) for act in acts))

    assert sorted(refusals) == ["", "size"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("make_act", [restore_call, upload_call])
def test_a_file_that_comes_during_an_import_finds_its_room_taken(
    study: Study,
    olga: User,
    ana: User,
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_act: Callable[..., Callable[[], object]],
) -> None:
    """The import is told that there is room, and then waits for the file, at most a second."""
    settings.DATA_DIR, settings.STUDY_MAX_BYTES = tmp_path, 100
    import_act = import_call(study, b"1.50000\n" * 10, olga)
    file_act = make_act(study, b"2.50000\n" * 10, ana)
    import_asked, file_ended, check_quota = Event(), Event(), quota.check_quota

    def check_and_wait(*arguments: Any, **named: Any) -> None:
        check_quota(*arguments, **named)
        if not import_asked.is_set():
            import_asked.set()
            file_ended.wait(timeout=1)

    def add_file() -> str:
        import_asked.wait(timeout=10)
        refused_place = refusal_place(file_act)
        file_ended.set()
        return refused_place

    monkeypatch.setattr(quota, "check_quota", check_and_wait)
    refusals = all_at_once(partial(refusal_place, import_act), add_file)

    assert sorted(refusals) == ["", "size"]


@pytest.mark.django_db
def test_an_import_counts_files_that_wait(
    study: Study, olga: User, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR, settings.STUDY_MAX_BYTES = tmp_path, 100
    waiting_file = uploads.store_upload(study, [b"1.50000\n" * 10], "sort.txt", by=olga)
    direct_import = import_call(study, b"2.50000\n" * 10, olga)

    assert refusal_place(direct_import) == "size"
    uploads.confirm(
        waiting_file,
        ensure_dataset(study, "Nightly"),
        occasion=RecordingDetails(),
        on_problems="stop",
    )
    assert quota.study_quota(study) == QuotaUse(study, stored=80, waiting=0)


@pytest.mark.django_db
def test_a_slug_that_was_taken_in_between_is_followed_by_the_next(study: Study) -> None:
    """What the query says is out of date at first, as it is for who comes second."""
    slug_sets = iter([set[str](), {study.slug}, {study.slug}])

    new_study = create_with_slug(
        study.slug,
        read_slugs=lambda: next(slug_sets),
        fallback="study",
        create=lambda slug: Study.objects.create(name="x", slug=slug),
    )

    assert new_study.slug == f"{study.slug}-2"


@pytest.mark.django_db
def test_another_contradiction_is_no_taken_slug(dataset: Dataset) -> None:
    with pytest.raises(IntegrityError):
        create_with_slug(
            "other",
            read_slugs=set,
            fallback="data",
            create=lambda slug: Dataset.objects.create(
                study=dataset.study, name=dataset.name, slug=slug
            ),
        )
