"""Invitations: a link makes one person a member, once."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people import services
from people.models import Invitation, Role, Study, User


def link_in(page: str) -> str:
    found = re.search(r'value="http://testserver(/join/[^"]+)"', page)
    assert found, page
    return found[1]


def test_an_owner_gets_a_link_that_is_stored_nowhere(
    client: Client, study: Study, olga: User
) -> None:
    client.force_login(olga)

    answer = client.post(reverse("invite", args=[study.slug]), {"role": "annotator"})

    token = link_in(answer.content.decode()).split("/")[2]
    invitation = Invitation.objects.get()
    assert token not in str(vars(invitation))
    assert (
        link_in(answer.content.decode())
        not in client.get(reverse("people", args=[study.slug])).content.decode()
    )


def test_a_stranger_makes_an_account_and_joins(client: Client, study: Study, olga: User) -> None:
    _, token = services.invite(study, by=olga, role=Role.ANNOTATOR)
    new = {"username": "eva", "password1": "a-long-pass-phrase", "password2": "a-long-pass-phrase"}

    answer = client.post(reverse("join", args=[token]), new)

    assert answer.status_code == 302
    assert study.role_of(User.objects.get(username="eva")) == Role.ANNOTATOR


def test_a_link_works_once(study: Study, olga: User, stranger: User, vic: User) -> None:
    invitation, _ = services.invite(study, by=olga, role=Role.VIEWER)
    services.accept(invitation, by=stranger)

    with pytest.raises(ValidationError, match=r"This invitation is used\. Ask for a new one\."):
        services.accept(Invitation.objects.get(), by=vic)


def test_an_invitation_never_lowers_a_member(study: Study, olga: User) -> None:
    invitation, _ = services.invite(study, by=olga, role=Role.VIEWER)

    services.accept(invitation, by=olga)

    assert study.role_of(olga) == Role.OWNER


@pytest.mark.parametrize(
    ("change", "words", "status"),
    [
        ({"used_at": timezone.now()}, "This invitation was used", 410),
        ({"revoked_at": timezone.now()}, "This invitation was revoked", 410),
        ({"expires": timezone.now() - timedelta(days=1)}, "This invitation has expired", 410),
    ],
)
def test_a_closed_invitation_says_why(
    client: Client, study: Study, olga: User, change: dict[str, object], words: str, status: int
) -> None:
    _, token = services.invite(study, by=olga, role=Role.VIEWER)
    Invitation.objects.update(**change)

    answer = client.get(reverse("join", args=[token]))

    assert answer.status_code == status
    assert words in answer.content.decode()
    assert "Ask olga for a new one." in " ".join(answer.content.decode().split())


def test_an_unknown_link_says_so(client: Client, db: None) -> None:
    answer = client.get(reverse("join", args=["nobody-made-this"]))

    assert answer.status_code == 404
    assert "There is no such invitation" in answer.content.decode()


def test_revoking_closes_the_link(client: Client, study: Study, olga: User) -> None:
    invitation, _ = services.invite(study, by=olga, role=Role.VIEWER)
    client.force_login(olga)

    client.post(reverse("invitation-revocation", args=[study.slug, invitation.public_id]))

    assert Invitation.objects.get().state(timezone.now()) == "revoked"
