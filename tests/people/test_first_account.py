"""The first account: whoever comes first makes it on their own machine, nobody does elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from people.models import User
from people.views import first_account as views

FILLED = {
    "first_name": "Olga",
    "username": "olga",
    "password1": "a-long-pass-phrase",
    "password2": "a-long-pass-phrase",
}


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.mark.django_db
def test_an_installation_without_accounts_leads_to_the_first_study(client: Client) -> None:
    address = reverse("first-account")
    assert address in text(client, "/")
    assert address in text(client, reverse("sign-in"))

    answer = client.post(address, FILLED)

    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("study-new"))
    assert client.get(reverse("study-new")).status_code == 200
    user = User.objects.get()
    assert (user.username, user.is_staff, user.is_superuser) == ("olga", True, True)


@pytest.mark.django_db
def test_a_wrong_form_makes_no_account(client: Client) -> None:
    answer = client.post(reverse("first-account"), {**FILLED, "password2": "another"})

    assert "is not made yet" in answer.content.decode()
    assert not User.objects.exists()


def test_nobody_makes_a_second_one(client: Client, ana: User) -> None:
    address = reverse("first-account")

    answers = client.get(address), client.post(address, FILLED)

    assert [answer.headers["Location"] for answer in answers] == ["/", "/"]
    assert [user.username for user in User.objects.all()] == ["ana"]
    assert address not in text(client, "/") + text(client, reverse("sign-in"))


@pytest.mark.django_db
def test_who_comes_second_at_the_same_moment_is_told(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look whether there is an account and the making of this one, another is made."""
    form = views.FirstAccountForm

    class SlowForm(form):  # type: ignore[misc, valid-type]
        def is_valid(self) -> bool:
            User.objects.create_user("ana")
            return bool(super().is_valid())

    monkeypatch.setattr(views, "FirstAccountForm", SlowForm)

    answer = client.post(reverse("first-account"), FILLED, follow=True)

    assert views.TAKEN in answer.content.decode()
    assert [user.username for user in User.objects.all()] == ["ana"]


@pytest.mark.django_db
def test_on_a_public_server_the_command_line_makes_it(client: Client, settings: Any) -> None:
    settings.DEVELOPMENT = False
    address = reverse("first-account")

    answer = client.post(address, FILLED)

    assert answer.headers["Location"] == "/"
    assert not User.objects.exists()
    assert "createsuperuser" in text(client, reverse("sign-in"))
    assert address not in text(client, "/") + text(client, reverse("sign-in"))
