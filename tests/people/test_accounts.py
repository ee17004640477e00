"""Accounts disabled and enabled by staff: sessions and tokens end at once, somebody stays."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from people import accounts, tokens
from people.models import AuditEvent, Study, User
from tests.conftest import PASSWORD


@pytest.fixture
def stella(db: None) -> User:
    """Runs the installation; is in no study."""
    return User.objects.create_user("stella", "stella@example.org", PASSWORD, is_staff=True)


@pytest.fixture
def as_stella(stella: User) -> Client:
    client = Client()
    client.force_login(stella)
    return client


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def test_sessions_and_tokens_of_the_disabled_end_at_once_and_of_nobody_else(
    as_stella: Client, client: Client, study: Study, ana: User, olga: User
) -> None:
    ana_token, olga_token = (
        tokens.make_token(study, by=person, name="Nightly", scopes=["read"], days=None)[1]
        for person in (ana, olga)
    )
    client.force_login(ana)
    olga_client = Client()
    olga_client.force_login(olga)

    as_stella.post(reverse("account-disabling", args=["ana"]))

    assert (is_signed_in(client), is_signed_in(olga_client)) == (False, True)
    assert (bool(tokens.usable_token(ana_token)), bool(tokens.usable_token(olga_token))) == (
        False,
        True,
    )
    event_row = AuditEvent.objects.values_list("action", "person_name", "what").first()
    assert event_row == ("account-disabled", "stella", "ana; sessions ended: 1, tokens revoked: 1")


def test_the_enabled_sign_in_with_their_password_but_old_tokens_stay_revoked(
    as_stella: Client, client: Client, study: Study, ana: User
) -> None:
    _, secret = tokens.make_token(study, by=ana, name="Nightly", scopes=["read"], days=None)
    client.force_login(ana)

    as_stella.post(reverse("account-disabling", args=["ana"]))
    as_stella.post(reverse("account-enabling", args=["ana"]))

    assert not is_signed_in(client)  # the session of before
    assert tokens.usable_token(secret) is None
    assert AuditEvent.objects.values_list("action", flat=True).first() == "account-enabled"
    client.post(reverse("sign-in"), {"username": "ana", "password": PASSWORD})
    assert is_signed_in(client)


def test_the_sign_in_page_says_no_more_to_the_disabled_than_to_a_stranger(
    client: Client, stella: User, ana: User
) -> None:
    accounts.disable(ana, by=stella)
    address, credentials = reverse("sign-in"), {"username": "ana", "password": PASSWORD}

    refused_page = client.post(address, credentials).content.decode()
    unknown_page = client.post(address, {**credentials, "username": "nobody"}).content.decode()

    sentence = "User name or password is wrong"
    assert sentence in refused_page
    assert sentence in unknown_page


def test_nobody_disables_themself_and_so_somebody_of_the_staff_stays(
    stella: User, stranger: User
) -> None:
    User.objects.filter(pk=stranger.pk).update(is_staff=True)
    stranger.refresh_from_db()
    with pytest.raises(ValidationError, match="your own account"):
        accounts.disable(stella, by=stella)

    accounts.disable(stranger, by=stella)
    with pytest.raises(ValidationError, match="has just been disabled"):
        accounts.disable(stella, by=stranger)  # their request was under way

    assert User.objects.filter(is_staff=True, is_active=True).get() == stella


def test_staff_disable_no_superuser(stella: User, stranger: User) -> None:
    User.objects.filter(pk=stranger.pk).update(is_superuser=True)
    stranger.refresh_from_db()

    with pytest.raises(ValidationError, match="only a superuser"):
        accounts.disable(stranger, by=stella)


def test_twice_is_told(as_stella: Client, ana: User) -> None:
    pages = [
        as_stella.post(reverse(name, args=["ana"]), follow=True).content.decode()
        for name in ("account-enabling", "account-disabling", "account-disabling")
    ]

    assert "was enabled already" in pages[0]
    assert "cannot sign in" in pages[1]
    assert "was disabled already" in pages[2]


@pytest.mark.parametrize("name", ["account-disabling", "account-enabling"])
def test_an_owner_who_is_no_staff_disables_and_enables_nobody(
    name: str, client: Client, ana: User, olga: User
) -> None:
    client.force_login(olga)

    assert client.get(reverse("accounts")).status_code == 403
    assert client.post(reverse(name, args=["ana"])).status_code == 403
    assert User.objects.filter(username="ana", is_active=True).exists()
    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", ["ana", "olga", "stella"]),
        ("?q=OLGA", ["olga"]),
        ("?q=example.org", ["ana", "olga", "stella"]),
        ("?state=disabled", ["ana"]),
        ("?state=enabled", ["olga", "stella"]),
        ("?q=none", []),
    ],
)
def test_the_list_is_narrowed(
    query: str, shown: list[str], as_stella: Client, stella: User, ana: User, olga: User
) -> None:
    accounts.disable(ana, by=stella)

    page = as_stella.get(reverse("accounts") + query).content.decode()

    assert [name for name in ("ana", "olga", "stella") if f'data-account="{name}"' in page] == shown
