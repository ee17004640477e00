"""Membership: a study always keeps an owner; only owners change who belongs."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people import services
from people.member_query import members_sentence
from people.models import Membership, Role, Study, User


def test_who_makes_a_study_owns_it(ana: User) -> None:
    first = services.create_study(name="Grid runs", by=ana)
    second = services.create_study(name="Grid runs", by=ana)

    assert first.role_of(ana) == Role.OWNER
    assert (first.slug, second.slug) == ("grid-runs", "grid-runs-2")


def test_the_last_owner_stays(study: Study, olga: User) -> None:
    with pytest.raises(ValidationError, match="would have no owner"):
        services.change_role(study, user=olga, role=Role.VIEWER)
    with pytest.raises(ValidationError, match="would have no owner"):
        services.remove_member(study, user=olga)

    assert study.role_of(olga) == Role.OWNER


def test_one_of_two_owners_may_leave(study: Study, olga: User, vic: User) -> None:
    services.change_role(study, user=vic, role=Role.OWNER)

    services.remove_member(study, user=olga)

    assert study.role_of(olga) is None


def test_the_page_says_why_the_last_owner_stays(client: Client, study: Study, olga: User) -> None:
    client.force_login(olga)

    answer = client.post(reverse("member-removal", args=[study.slug, "olga"]), follow=True)

    assert "Make somebody else an" in answer.content.decode()


def test_a_viewer_changes_nobody(client: Client, study: Study, vic: User, ana: User) -> None:
    client.force_login(vic)

    answer = client.post(reverse("member-role", args=[study.slug, "ana"]), {"role": "owner"})

    assert answer.status_code == 403
    assert study.role_of(ana) == Role.ANNOTATOR


def test_mail_addresses_are_for_owners(client: Client, study: Study, vic: User, olga: User) -> None:
    address = reverse("people", args=[study.slug])

    client.force_login(vic)
    assert "olga@example.org" not in client.get(address).content.decode()
    client.force_login(olga)
    assert "vic@example.org" in client.get(address).content.decode()


@pytest.fixture
def crowd(study: Study) -> None:
    """995 members more."""
    users = User.objects.bulk_create(User(username=f"person-{n:03}") for n in range(995))
    seats = (Membership(study=study, user=user, role=Role.ANNOTATOR) for user in users)
    Membership.objects.bulk_create(seats)


def test_a_page_of_many_members_is_short(
    client: Client, study: Study, olga: User, crowd: None
) -> None:
    client.force_login(olga)
    page = client.get(reverse("people", args=[study.slug])).content.decode()
    last_page = client.get(reverse("people", args=[study.slug]), {"page": 99}).content.decode()

    assert len(page) < 200_000
    assert "Role of olga" in page  # owners come first
    assert "person-994" in last_page
    assert f"of {study.memberships.count()} members" in last_page


def test_members_are_found_by_a_part_of_their_name(
    client: Client, study: Study, olga: User, crowd: None
) -> None:
    client.force_login(olga)
    page = client.get(reverse("people", args=[study.slug]), {"q": "SON-41"}).content.decode()
    empty_page = client.get(reverse("people", args=[study.slug]), {"q": "nobody"}).content.decode()

    assert page.count('aria-label="Role of person-41') == 10
    assert 'aria-label="Role of olga' not in page
    assert "data-nobody" in empty_page


def test_a_sentence_counts_members_by_role_and_those_who_were_never_here(
    study: Study, olga: User, vic: User, crowd: None
) -> None:
    User.objects.filter(username="person-001").update(last_seen=timezone.now())
    User.objects.filter(username="person-002").update(password="!from-a-file")
    roles = members_sentence(study).partition(";")[0]
    absent = study.memberships.filter(user__last_seen=None).count() - 1

    assert roles.startswith("1 owner, ")
    assert roles.endswith("annotators, 1 viewer")
    assert members_sentence(study) == f"{roles}; {absent} never here."
