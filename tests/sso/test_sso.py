"""Sign-in by a provider and the second factor: their defaults, refused half-set, and as they work.

Their applications are there from a process's start or not at all: the cases run in one of their
own, against a provider that this one starts.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from config import sso
from evidence.bench.processes import ROOT
from people.models import User
from tests.sso.running import CLIENT, run_cases

CASES = [
    Path(__file__).with_name(name)
    for name in ("cases.py", "provider_cases.py", "key_cases.py", "browser_cases.py")
]
ISSUER = {"PLATEAU_OIDC_ISSUER": "https://login.example.org/realms/a"}

PROVIDER = """
import sys, oidc_provider_mock
with oidc_provider_mock.run_server_in_thread() as server:
    print(server.server_port, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def issuer() -> Iterator[str]:
    """A provider in a process of its own, which ends with its standard input."""
    command = [sys.executable, "-W", "ignore", "-c", PROVIDER]
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, text=True, stdin=pipe, stdout=pipe, stderr=quiet) as provider:
        assert provider.stdout
        yield f"http://localhost:{int(provider.stdout.readline())}"


def test_the_cases_hold_with_the_settings_on(issuer: str) -> None:
    run_cases(CASES, PLATEAU_OIDC_ISSUER=issuer)


def environment(monkeypatch: pytest.MonkeyPatch, **words: str) -> dict[str, Any]:
    """The settings of an environment with these words."""
    for name, value in words.items():
        monkeypatch.setenv(name, value)
    return sso.sso_settings()


OFF_CASE = """
import django
django.setup()
from django.conf import settings
from django.urls import NoReverseMatch, reverse
for name in ("second-factor", "provider-sign-in", "mfa_authenticate"):
    try:
        reverse(name)
    except NoReverseMatch:
        print(name, "is nowhere")
print([app for app in settings.INSTALLED_APPS if "allauth" in app])
"""


def run_without_either(*arguments: str) -> subprocess.CompletedProcess[str]:
    words = {"PLATEAU_SECOND_FACTOR": "off", "DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **words},
        capture_output=True,
        text=True,
        check=False,
    )


def test_turned_off_there_is_nothing() -> None:
    process = run_without_either("-c", OFF_CASE)

    assert process.stdout.splitlines() == [
        "second-factor is nowhere",
        "provider-sign-in is nowhere",
        "mfa_authenticate is nowhere",
        "[]",
    ]
    refused_process = run_without_either("manage.py", "second_factor")
    assert "PLATEAU_SECOND_FACTOR is off" in refused_process.stderr
    assert refused_process.returncode == 2


@pytest.mark.django_db
def test_the_account_page_offers_a_second_factor(client: Client, ana: User) -> None:
    client.force_login(ana)

    page = client.get(reverse("account")).content.decode()

    assert reverse("second-factor") in page
    assert "Set up a second factor" in page
    assert "Sign in with" not in client.get(reverse("sign-in")).content.decode()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (ISSUER, "PLATEAU_OIDC_CLIENT_ID is not"),
        ({**ISSUER, "PLATEAU_OIDC_CLIENT_ID": "a"}, "PLATEAU_OIDC_CLIENT_SECRET is not"),
        ({**CLIENT, "PLATEAU_OIDC_ISSUER": "http://login.example.org"}, "expected https://"),
        ({"PLATEAU_SECOND_FACTOR": "yes"}, "expected one of optional, off, required"),
    ],
)
def test_half_a_setting_is_refused(
    monkeypatch: pytest.MonkeyPatch, words: dict[str, str], complaint: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=complaint):
        environment(monkeypatch, **words)


def test_each_of_the_two_goes_without_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    factor = environment(monkeypatch, PLATEAU_SECOND_FACTOR="required")
    provider = environment(monkeypatch, PLATEAU_SECOND_FACTOR="off", **ISSUER, **CLIENT)

    assert sso.sso_apps(factor) == ["allauth", "allauth.account", "allauth.mfa"]
    assert sso.sso_middleware(factor)[-1] == "people.sso.middleware.RequireSecondFactor"
    assert "allauth.mfa" not in sso.sso_apps(provider)
    assert provider["OIDC_PROVIDER"] == "login-example-org-realms-a"
    assert provider["OIDC_NAME"] == "login.example.org"
