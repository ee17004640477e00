"""Signing in: throttled, and it lasts from its last use."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.models import User
from tests.conftest import PASSWORD

SIGN_IN = "/sign-in/"


def test_right_name_and_password_open_home(client: Client, ana: User) -> None:
    answer = client.post(SIGN_IN, {"username": "ana", "password": PASSWORD})

    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


def test_wrong_passwords_are_throttled_by_name_and_address(client: Client, ana: User) -> None:
    credentials = {"username": "ana", "password": "guess"}
    answers = [client.post(SIGN_IN, credentials) for _ in range(settings.AXES_FAILURE_LIMIT + 1)]

    assert [answer.status_code for answer in answers[:2]] == [200, 200]
    assert "You are not signed" in answers[0].content.decode()
    assert answers[-1].status_code == 429
    assert "Wait five minutes" in answers[-1].content.decode()
    assert client.post(SIGN_IN, {"username": "ana", "password": PASSWORD}).status_code == 429


def test_a_visit_renews_the_sign_in_once_an_hour(client: Client, ana: User) -> None:
    client.force_login(ana)
    client.get(reverse("account"))
    first_time = User.objects.get(pk=ana.pk).last_seen
    client.get(reverse("account"))
    second_time = User.objects.get(pk=ana.pk).last_seen
    User.objects.filter(pk=ana.pk).update(last_seen=timezone.now() - timedelta(hours=2))

    answer = client.get(reverse("account"))

    assert first_time == second_time
    assert settings.SESSION_COOKIE_NAME in answer.cookies
    assert int(answer.cookies[settings.SESSION_COOKIE_NAME]["max-age"]) == 7 * 24 * 3600


def test_signing_out_needs_a_post(client: Client, ana: User) -> None:
    client.force_login(ana)

    assert client.get(reverse("sign-out")).status_code == 405
    client.post(reverse("sign-out"))
    assert client.get(reverse("account")).status_code == 302


def test_only_signing_out_takes_the_cookie(client: Client, ana: User) -> None:
    """The answer to a request of a session that is gone may come after the next sign-in."""
    client.force_login(ana)
    response = client.post(reverse("sign-out"))
    assert response.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == 0
    client = Client()
    client.force_login(ana)
    Session.objects.all().delete()
    late_response = client.get(reverse("account"))

    assert late_response.status_code == 302
    assert settings.SESSION_COOKIE_NAME not in late_response.cookies
    assert "Cookie" in late_response.headers["Vary"]


def test_a_changed_password_keeps_this_device_signed_in(client: Client, ana: User) -> None:
    client.force_login(ana)
    new_password = "another-long-pass-phrase"
    form = {"old_password": PASSWORD, "new_password1": new_password, "new_password2": new_password}

    client.post(reverse("account-password"), form)

    assert client.get(reverse("account")).status_code == 200
    assert User.objects.get(pk=ana.pk).check_password(new_password)


def test_other_devices_can_be_signed_out(ana: User) -> None:
    this_device, other_device = Client(), Client()
    this_device.force_login(ana)
    other_device.force_login(ana)

    this_device.post(reverse("account-other-sessions"))

    assert this_device.get(reverse("account")).status_code == 200
    assert other_device.get(reverse("account")).status_code == 302


def test_the_account_keeps_how_pages_look(client: Client, ana: User) -> None:
    client.force_login(ana)
    form = {"theme": "dark", "density": "compact", "zone": "Europe/Prague", "single_keys": ""}

    client.post(reverse("account"), form)

    page = client.get(reverse("account")).content.decode()
    assert 'data-theme="dark" data-density="compact" data-single-keys="off"' in page
