"""What browsers are told, how sessions end, what a fault shows: docs/design/asvs.md names these."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.hashers import get_hasher, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from analysis.site import health
from people.models import Study, User
from tests.conftest import PASSWORD

NAMES = (
    *("DEBUG", "SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_SSL_REDIRECT"),
    *("SESSION_COOKIE_NAME", "SESSION_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY"),
    *("SESSION_COOKIE_SAMESITE", "CSRF_COOKIE_NAME", "CSRF_COOKIE_SECURE", "CSRF_COOKIE_SAMESITE"),
    "PASSWORD_HASHERS",
)
PROGRAM = f"""
import json
from django.conf import settings
print(json.dumps({{name: getattr(settings, name) for name in {NAMES}}}))
"""
YEAR = 365 * 24 * 3600


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Settings of an installation that says no more than it has to, and asks for debug mode."""
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PLATEAU_DATA": str(tmp_path_factory.mktemp("data")),
        "SECRET_KEY": "x" * 60,
        "ALLOWED_HOSTS": "plateau.example.org",
        "DEBUG": "1",
        "DJANGO_DEBUG": "1",
    }
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", PROGRAM]
    process = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    return dict(json.loads(process.stdout))


# --- what browsers are told -----------------------------------------------------------------------
PAGES = ("/", "/nothing/here/", "/health/", "/api/v1/study", "/s/startup-times/people/")


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_has_the_headers_that_protect_a_page(as_vic: Client, path: str) -> None:
    headers = as_vic.get(path).headers

    policy = headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "object-src 'none'", "base-uri 'none'"} <= set(policy)
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'self'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("path", PAGES[:2])
def test_text_says_its_charset(as_vic: Client, path: str) -> None:
    assert as_vic.get(path).headers["Content-Type"] == "text/html; charset=utf-8"


def test_browsers_are_told_to_stay_with_https_for_a_year(
    production: dict[str, Any], db: None, settings: Any
) -> None:
    assert production["SECURE_HSTS_SECONDS"] >= YEAR
    assert production["SECURE_HSTS_INCLUDE_SUBDOMAINS"]
    assert production["SECURE_SSL_REDIRECT"]
    settings.SECURE_HSTS_SECONDS = YEAR
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    header = Client().get("/help/", secure=True).headers["Strict-Transport-Security"]
    assert header.startswith(f"max-age={YEAR}; includeSubDomains")


def test_cookies_are_of_this_host_over_https_and_for_no_script(production: dict[str, Any]) -> None:
    assert production["SESSION_COOKIE_NAME"] == "__Host-sessionid"
    assert production["CSRF_COOKIE_NAME"] == "__Host-csrftoken"
    assert production["SESSION_COOKIE_SECURE"]
    assert production["CSRF_COOKIE_SECURE"]
    assert production["SESSION_COOKIE_HTTPONLY"]
    assert production["SESSION_COOKIE_SAMESITE"] == production["CSRF_COOKIE_SAMESITE"] == "Lax"


def test_no_other_site_may_read_an_answer(as_vic: Client, study: Study) -> None:
    for path in PAGES:
        answer = as_vic.get(path, headers={"Origin": "https://evil.example"})
        assert not any(name.startswith("Access-Control") for name in answer.headers)


def test_debug_mode_cannot_be_switched_on(production: dict[str, Any]) -> None:
    assert production["DEBUG"] is False


# --- requests -------------------------------------------------------------------------------------
def test_a_form_without_its_token_changes_nothing(vic: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(vic)

    answer = browser.post(reverse("account"), {"first_name": "Forged", "zone": "UTC"})

    vic.refresh_from_db()
    assert answer.status_code == 403
    assert vic.first_name == ""


def test_a_form_sets_only_its_own_fields(as_vic: Client, vic: User) -> None:
    form = {"first_name": "Vic", "theme": "dark", "density": "compact", "zone": "UTC"}

    answer = as_vic.post(reverse("account"), form | {"is_staff": "on", "username": "root"})

    vic.refresh_from_db()
    assert answer.status_code == 302
    assert (vic.first_name, vic.is_staff, vic.username) == ("Vic", False, "vic")


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:x"])
def test_nobody_is_led_to_another_host_after_signing_in(
    elsewhere: str, client: Client, vic: User
) -> None:
    page = f"{reverse('sign-in')}?next={elsewhere}"

    answer = client.post(page, {"username": "vic", "password": PASSWORD, "next": elsewhere})

    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


def test_trace_is_refused(client: Client, db: None) -> None:
    assert [client.trace(path).status_code for path in ("/", "/help/")] == [405, 405]


@pytest.mark.parametrize("path", ["/static/", "/static/css/", "/media/", "/docs/"])
def test_no_folder_is_listed(path: str, client: Client, db: None) -> None:
    assert client.get(path).status_code in {302, 404}  # 302: to the sign-in page


# --- passwords and sessions -----------------------------------------------------------------------
@pytest.mark.parametrize("password", ["seven77", "password123", "iloveyou", "12345678901"])
def test_a_short_or_common_password_is_refused(password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password)


@pytest.mark.parametrize(
    "password", ["x" * 40 + "Ω ö\t" * 30, "only small letters here", "ŁÓDŹ–漢字 12"]
)
def test_a_password_may_be_long_and_of_any_letters(
    password: str, client: Client, vic: User
) -> None:
    validate_password(password)
    vic.set_password(password)
    vic.save()
    address = reverse("sign-in")

    for wrong_password in (password[:-1], password.swapcase()):
        assert (
            client.post(address, {"username": "vic", "password": wrong_password}).status_code == 200
        )
    assert client.post(address, {"username": "vic", "password": password}).status_code == 302


def test_fields_of_passwords_are_masked_and_known_to_password_managers(
    client: Client, db: None
) -> None:
    page = client.get(reverse("sign-in")).content.decode()

    assert 'type="password"' in page
    assert 'autocomplete="current-password"' in page


def test_passwords_are_kept_by_a_slow_function(production: dict[str, Any], settings: Any) -> None:
    settings.PASSWORD_HASHERS = production["PASSWORD_HASHERS"]
    hasher: Any = get_hasher()

    password = make_password(PASSWORD)

    assert password.startswith("pbkdf2_sha256$")
    assert int(password.split("$")[1]) == hasher.iterations >= 600_000


def test_a_sign_in_begins_another_session(client: Client, vic: User) -> None:
    client.get(reverse("sign-in"))
    session = client.session
    session["mine"] = True
    session.save()
    key_before = session.session_key

    client.post(reverse("sign-in"), {"username": "vic", "password": PASSWORD})

    assert key_before
    assert client.session.session_key not in {None, key_before}


def test_a_session_that_ended_opens_nothing(client: Client, vic: User, settings: Any) -> None:
    client.force_login(vic)
    session_key = client.cookies[settings.SESSION_COOKIE_NAME].value
    assert client.get(reverse("account")).status_code == 200

    client.post(reverse("sign-out"))
    client.cookies[settings.SESSION_COOKIE_NAME] = session_key

    assert client.get(reverse("account")).status_code == 302


# --- faults and refusals --------------------------------------------------------------------------
def test_a_fault_is_in_the_log_and_not_on_the_page(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise RuntimeError("inner-detail")

    monkeypatch.setattr(health, "health", fail)

    answer = Client(raise_request_exception=False).get("/health/")

    assert answer.status_code == 500
    assert "inner-detail" not in answer.content.decode()
    assert "inner-detail" in caplog.text


def test_a_refusal_is_in_the_log(
    as_vic: Client, study: Study, caplog: pytest.LogCaptureFixture
) -> None:
    as_vic.get(reverse("study-audit", args=[study.slug]))

    messages = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert messages == ["Forbidden (Permission denied): /s/startup-times/people/audit/"]
