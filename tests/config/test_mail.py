"""The mail server that settings name."""

from __future__ import annotations

import pytest

from config import mail


@pytest.mark.parametrize(
    ("url", "port", "tls", "ssl"),
    [
        ("smtp://mail.x.org", 25, False, False),
        ("smtp+tls://me:p%40ss@mail.x.org", 587, True, False),
        ("smtps://mail.x.org:4650", 4650, False, True),
    ],
)
def test_one_address_says_all(
    monkeypatch: pytest.MonkeyPatch, url: str, port: int, *, tls: bool, ssl: bool
) -> None:
    monkeypatch.setenv("PLATEAU_MAIL_URL", url)
    monkeypatch.setenv("PLATEAU_MAIL_FROM", "plateau@x.org")

    mail_settings = mail.mail_settings()

    assert (mail_settings["EMAIL_HOST"], mail_settings["EMAIL_PORT"]) == ("mail.x.org", port)
    assert (mail_settings["EMAIL_USE_TLS"], mail_settings["EMAIL_USE_SSL"]) == (tls, ssl)
    assert mail_settings["EMAIL_HOST_PASSWORD"] == ("p@ss" if "me" in url else "")
    assert mail_settings["EMAIL_TIMEOUT"] == mail.PATIENCE


def test_without_one_no_mail_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLATEAU_MAIL_URL", raising=False)

    assert mail.mail_settings() == {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}


def test_an_address_of_the_web_loses_its_last_slash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATEAU_URL", "https://plateau.x.org/")

    assert mail.web_address("PLATEAU_URL") == "https://plateau.x.org"
