"""The mail server and the webhook that settings name: none, unless they do."""

from __future__ import annotations

import os
from typing import Any, Final
from urllib.parse import SplitResult, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

PATIENCE: Final = 10  # seconds for a mail server or a webhook that hangs
PORTS: Final = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


def mail_settings() -> dict[str, Any]:
    """Django's settings of the server in `PLATEAU_MAIL_URL`; a backend that sends nothing else."""
    server_url = os.environ.get("PLATEAU_MAIL_URL", "")
    if not server_url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    sender = os.environ.get("PLATEAU_MAIL_FROM", "")
    if "@" not in sender:
        raise ImproperlyConfigured(
            f"PLATEAU_MAIL_FROM: found {sender!r}, expected the mail address of the sender"
        )
    url = _address("PLATEAU_MAIL_URL", server_url, tuple(PORTS))
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": url.hostname,
        "EMAIL_PORT": url.port or PORTS[url.scheme],
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
        "EMAIL_USE_TLS": url.scheme == "smtp+tls",
        "EMAIL_USE_SSL": url.scheme == "smtps",
        "EMAIL_TIMEOUT": PATIENCE,
        "DEFAULT_FROM_EMAIL": sender,
    }


def web_address(name: str, *, may_have_password: bool = False) -> str:
    """The setting `name`, an http or https address without its last slash; empty if not set."""
    address = os.environ.get(name, "")
    if not address:
        return ""
    url = _address(name, address, ("http", "https"))
    if "@" in url.netloc and not may_have_password:
        raise ImproperlyConfigured(f"{name}: found a user name, expected an address without")
    return address.rstrip("/")


def _address(name: str, text: str, schemes: tuple[str, ...]) -> SplitResult:
    # What was found is not repeated: it may hold a password.
    try:
        url = urlsplit(text)
        fits = url.scheme in schemes and url.hostname and url.port != 0
    except ValueError:
        fits = False
    if not fits:
        expected = " or ".join(f"{scheme}://host" for scheme in schemes)
        raise ImproperlyConfigured(f"{name}: found something else, expected {expected}")
    return url
