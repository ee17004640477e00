"""Addresses: taken from trusted proxies only, and bounded across names at the sign-in."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from config.middleware import ClientAddress
from people.models import User
from people.throttle import WRONG_PASSWORDS, Throttle
from tests.conftest import PASSWORD

SIGN_IN = "/sign-in/"


def seen_address(forwarded: str | None, peer: str = "10.0.0.1") -> str:
    """The address that views see of a request with this X-Forwarded-For."""
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR=peer)
    requests: list[HttpRequest] = []

    def view(request: HttpRequest) -> HttpResponse:
        requests.append(request)
        return HttpResponse()

    ClientAddress(view)(request)
    return str(requests[0].META["REMOTE_ADDR"])


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "1.1.1.1", "10.0.0.1"),  # nobody is trusted: anybody may write the header
        (1, None, "10.0.0.1"),
        (1, "1.1.1.1", "1.1.1.1"),
        (1, "6.6.6.6, 1.1.1.1", "1.1.1.1"),  # the first one is invented by the client
        (2, "6.6.6.6, 1.1.1.1, 10.0.0.2", "1.1.1.1"),
        (2, "1.1.1.1", "10.0.0.1"),  # came past a proxy
        (1, "1.1.1.1:5033", "1.1.1.1"),
        (1, "[2001:db8::7]:443", "2001:db8::7"),
        (1, "2001:db8::7", "2001:db8::7"),
        (1, "unknown", "10.0.0.1"),
        (1, "", "10.0.0.1"),
    ],
)
def test_the_address_is_what_the_trusted_proxies_saw(
    settings: Any, proxies: int, forwarded: str | None, expected: str
) -> None:
    settings.TRUSTED_PROXIES = proxies

    assert seen_address(forwarded) == expected


def test_a_lock_holds_for_its_address_only(client: Client, ana: User, settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    credentials = {"username": "ana", "password": PASSWORD}
    attacker, herself = {"X-Forwarded-For": "6.6.6.6"}, {"X-Forwarded-For": "1.1.1.1"}

    for _ in range(settings.AXES_FAILURE_LIMIT + 1):
        client.post(SIGN_IN, {"username": "ana", "password": "guess"}, headers=attacker)

    assert client.post(SIGN_IN, credentials, headers=attacker).status_code == 429
    assert client.post(SIGN_IN, credentials, headers=herself).status_code == 302


def test_an_address_may_not_try_one_name_after_the_other(client: Client, ana: User) -> None:
    def guess(number: int, peer: str) -> int:
        form = {"username": f"name-{number}", "password": "guess"}
        return client.post(SIGN_IN, form, REMOTE_ADDR=peer).status_code

    first = [guess(number, "6.6.6.6") for number in range(WRONG_PASSWORDS.limit)]

    assert set(first) == {200}
    assert guess(1000, "6.6.6.6") == 429
    assert guess(1001, "1.1.1.1") == 200


def test_a_page_of_somebody_who_is_signed_in_is_kept_by_nobody(client: Client, ana: User) -> None:
    stranger = client.get(reverse("methods")).headers.get("Cache-Control")
    client.force_login(ana)

    assert stranger is None
    assert client.get(reverse("methods")).headers["Cache-Control"] == "private, no-store"


def test_the_limit_is_told_to_the_log_once_and_counted(
    rf: RequestFactory, caplog: pytest.LogCaptureFixture
) -> None:
    limit = Throttle("test", limit=2)
    first_request, other_request = rf.get("/"), rf.get("/", REMOTE_ADDR="192.0.2.9")

    for request in (first_request, first_request, first_request, other_request):
        limit.count(request)

    assert (limit.seconds_to_wait(first_request) > 0, limit.seconds_to_wait(other_request)) == (
        True,
        0,
    )
    assert limit.reached() == 1
    assert caplog.messages == ["an address has reached the limit test"]


def test_a_window_and_an_hour_end_on_their_own_lines(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is counted 50 s into a minute holds for 10 s, and is reported to the end of the hour."""
    clock = SimpleNamespace(now=7 * 3600 + 50.0)
    monkeypatch.setattr("people.throttle.time", SimpleNamespace(time=lambda: clock.now))
    limit, request = Throttle("window", limit=1), rf.get("/")
    waits, calls = [], []

    limit.count(request)
    for second in (50.0, 59.5, 60.0, 3599.0, 3600.0):
        clock.now = 7 * 3600 + second
        waits.append(limit.seconds_to_wait(request))
        calls.append(limit.reached())

    assert waits == [11, 1, 0, 0, 0]
    assert calls == [1, 1, 1, 1, 0]


def test_a_limit_of_none_lets_nobody_in(rf: RequestFactory) -> None:
    assert Throttle("closed", limit=0).seconds_to_wait(rf.get("/")) > 0
