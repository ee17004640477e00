"""The same thing made by several people at the same moment: each gets one, under its own slug."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from annotate.campaign_rows import create_campaign
from annotate.models import Campaign
from people import services
from people.models import Role, Study, User
from people.slugs import create_with_slug
from series.importing.services import dataset_called
from series.models import Dataset
from tests.annotate.answering.test_at_once import all_at_once

PEOPLE = 4


@pytest.mark.django_db(transaction=True)
def test_equal_new_studies(make_person: Callable[..., User]) -> None:
    clients = [Client() for _ in range(PEOPLE)]
    for number, client in enumerate(clients):
        client.force_login(make_person(f"p{number}", None))

    answers = all_at_once(
        *(lambda one=one: one.post("/studies/new/", {"name": "Grid"}) for one in clients)
    )

    assert [answer.status_code for answer in answers] == [302] * PEOPLE
    slugs = Study.objects.filter(name="Grid").values_list("slug", flat=True)
    assert sorted(slugs) == ["grid", "grid-2", "grid-3", "grid-4"]


@pytest.mark.django_db(transaction=True)
def test_equal_new_campaigns_and_data_sets(study: Study) -> None:
    def campaign() -> Any:
        return create_campaign(study, "Look", otherwise="campaign").slug

    def dataset() -> Any:
        return dataset_called(study, "Nightly").slug

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


@pytest.mark.django_db
def test_a_slug_that_was_taken_in_between_is_followed_by_the_next(study: Study) -> None:
    """What the query says is out of date at first, as it is for who comes second."""
    seen = iter([set[str](), {study.slug}, {study.slug}])

    made = create_with_slug(
        study.slug,
        taken=lambda: next(seen),
        otherwise="study",
        create=lambda slug: Study.objects.create(name="x", slug=slug),
    )

    assert made.slug == f"{study.slug}-2"


@pytest.mark.django_db
def test_another_contradiction_is_no_taken_slug(dataset: Dataset) -> None:
    with pytest.raises(IntegrityError):
        create_with_slug(
            "other",
            taken=set,
            otherwise="data",
            create=lambda slug: Dataset.objects.create(
                study=dataset.study, name=dataset.name, slug=slug
            ),
        )
