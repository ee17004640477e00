"""Sign-in by a header of a proxy: off by default, of known people alone, and it ends with it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from people.models import AuditEvent, User
from tests.conftest import PASSWORD


@pytest.fixture
def proxied_client(settings: Any) -> Client:
    """A browser behind a proxy whose header is believed."""
    settings.REMOTE_USER_HEADER = "X-Remote-User"
    backends, middleware = settings.AUTHENTICATION_BACKENDS, settings.MIDDLEWARE
    settings.AUTHENTICATION_BACKENDS = [*backends, "people.remote_user.KnownPeopleBackend"]
    position = middleware.index("django.contrib.auth.middleware.AuthenticationMiddleware") + 1
    signing_in = "people.remote_user.RemoteUserSignIn"
    settings.MIDDLEWARE = [*middleware[:position], signing_in, *middleware[position:]]
    return Client()


def page_username(client: Client, header: str = "") -> str:
    """Who a page is for; empty where it leads to the sign-in page."""
    headers = {"X-Remote-User": header} if header else {}
    answer = client.get(reverse("account"), headers=headers)
    return answer.wsgi_request.user.get_username() if answer.status_code == 200 else ""


def test_without_the_setting_nobody_is_believed(client: Client, ana: User) -> None:
    assert page_username(client, "ana") == ""


def test_who_is_named_is_signed_in_once_and_noted(proxied_client: Client, ana: User) -> None:
    assert [page_username(proxied_client, "ana"), page_username(proxied_client, "ana")] == [
        "ana",
        "ana",
    ]
    assert list(AuditEvent.objects.values_list("action", "person_name", "what")) == [
        ("sign-in", "ana", "named by the proxy")
    ]


def test_the_session_ends_with_the_header(proxied_client: Client, ana: User) -> None:
    assert [page_username(proxied_client, "ana"), page_username(proxied_client)] == ["ana", ""]


def test_another_name_is_another_person(proxied_client: Client, ana: User, vic: User) -> None:
    assert [page_username(proxied_client, "ana"), page_username(proxied_client, "vic")] == [
        "ana",
        "vic",
    ]


@pytest.mark.parametrize("name", ["nobody", "Ana", "ana "])
def test_a_name_that_nobody_has_makes_no_account_however_often(
    name: str, proxied_client: Client, ana: User
) -> None:
    assert {page_username(proxied_client, name) for _ in range(10)} == {""}
    assert User.objects.count() == 1
    assert (
        proxied_client.get(reverse("sign-in"), headers={"X-Remote-User": name}).status_code == 200
    )


def test_a_disabled_account_is_not_signed_in_and_ends_at_once(
    proxied_client: Client, ana: User
) -> None:
    name_before = page_username(proxied_client, "ana")

    User.objects.filter(pk=ana.pk).update(is_active=False)

    assert (name_before, page_username(proxied_client, "ana")) == ("ana", "")


def test_passwords_go_on_working(proxied_client: Client, ana: User) -> None:
    proxied_client.post(reverse("sign-in"), {"username": "ana", "password": PASSWORD})

    assert page_username(proxied_client) == "ana"
