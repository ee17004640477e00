"""Invitations: a link makes one person a member, once."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people import services
from people.models import Invitation, Role, Study, User
from people.views import members


def link_in(page: str) -> str:
    match = re.search(r"http://testserver(/join/[^<]+)<", page)
    assert match, page
    return match[1]


def test_an_owner_is_shown_a_link_again_that_is_stored_nowhere(
    client: Client, study: Study, olga: User, vic: User
) -> None:
    client.force_login(olga)
    people = reverse("people", args=[study.slug])

    answer = client.post(reverse("invite", args=[study.slug]), {"role": "annotator"}, follow=True)

    token = link_in(answer.content.decode()).split("/")[2]
    assert token not in str(Invitation.objects.values().get())
    assert token in client.get(people).content.decode()
    client.force_login(vic)
    assert token not in client.get(people).content.decode()


def test_a_used_link_is_shown_no_more(
    client: Client, study: Study, olga: User, stranger: User
) -> None:
    invitation = services.create_invitation(study, by=olga, role=Role.VIEWER)
    services.accept(invitation, by=stranger)
    client.force_login(olga)

    assert invitation.token not in client.get(reverse("people", args=[study.slug])).content.decode()


def test_another_secret_key_shows_no_link_that_opens_nothing(
    client: Client, study: Study, olga: User, settings: Any
) -> None:
    invitation = services.create_invitation(study, by=olga, role=Role.VIEWER)
    settings.SECRET_KEY = "another"
    client.force_login(olga)

    page = client.get(reverse("people", args=[study.slug])).content.decode()

    assert invitation.token == ""
    assert "cannot be shown" in page


def test_a_stranger_makes_an_account_and_joins(client: Client, study: Study, olga: User) -> None:
    invitation = services.create_invitation(study, by=olga, role=Role.ANNOTATOR)
    answer = client.post(reverse("join", args=[invitation.token]), {"name": "Eva"})

    assert answer.status_code == 302
    assert study.role_of(User.objects.get(username="eva")) == Role.ANNOTATOR


def test_the_page_of_a_link_speaks_plainly_and_tells_nobody_its_address(
    client: Client, study: Study, olga: User
) -> None:
    invitation = services.create_invitation(study, by=olga, role=Role.OWNER, name="Dina")

    answer = client.post(reverse("join", args=[invitation.token]), {"username": "Dina B"})

    page = answer.content.decode()
    assert "A user name has letters" in page
    assert "Required. 150 characters" not in page
    assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert '<meta name="referrer" content="strict-origin">' in page
    assert "no-store" in answer.headers["Cache-Control"]
    assert Invitation.objects.get().opened_at is not None


def test_who_guesses_links_has_to_wait(client: Client, study: Study, olga: User) -> None:
    invitation = services.create_invitation(study, by=olga, role=Role.VIEWER)
    guess = reverse("join", args=["nobody-made-this"])

    status_codes = [client.get(guess).status_code for _ in range(members.UNKNOWN_LINKS.limit + 1)]

    assert status_codes == [404] * members.UNKNOWN_LINKS.limit + [429]
    assert client.get(reverse("join", args=[invitation.token])).status_code == 429


def test_a_link_works_once(study: Study, olga: User, stranger: User, vic: User) -> None:
    invitation = services.create_invitation(study, by=olga, role=Role.VIEWER)
    services.accept(invitation, by=stranger)

    with pytest.raises(ValidationError, match=r"This invitation is used\. Ask for a new one\."):
        services.accept(Invitation.objects.get(), by=vic)


def test_an_invitation_never_lowers_a_member(study: Study, olga: User) -> None:
    invitation = services.create_invitation(study, by=olga, role=Role.VIEWER)

    services.accept(invitation, by=olga)

    assert study.role_of(olga) == Role.OWNER


@pytest.mark.parametrize(("had", "has"), [("viewer", "annotator"), ("owner", "owner")])
def test_a_member_who_accepts_may_do_what_both_roles_may(
    study: Study, make_person: Callable[..., User], olga: User, had: str, has: str
) -> None:
    eva = make_person("eva", had)

    services.accept(services.create_invitation(study, by=olga, role=Role.ANNOTATOR), by=eva)

    assert study.role_of(eva) == has


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
    token = services.create_invitation(study, by=olga, role=Role.VIEWER).token
    Invitation.objects.update(**change)

    answer = client.get(reverse("join", args=[token]))

    assert answer.status_code == status
    assert words in answer.content.decode()
    assert "Ask olga for a new" in " ".join(answer.content.decode().split())


def test_an_unknown_link_says_so(client: Client, db: None) -> None:
    answer = client.get(reverse("join", args=["nobody-made-this"]))

    assert answer.status_code == 404
    assert "There is no such" in answer.content.decode()


def test_revoking_closes_the_link(client: Client, study: Study, olga: User) -> None:
    invitation = services.create_invitation(study, by=olga, role=Role.VIEWER)
    client.force_login(olga)

    client.post(reverse("invitation-revocation", args=[study.slug, invitation.public_id]))

    assert Invitation.objects.get().state(timezone.now()) == "revoked"
