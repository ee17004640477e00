"""Settings of sign-in by a provider (OpenID Connect; off) and of a second factor (offered)."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.text import slugify

from config import environment, mail

OFF = {"OIDC_NAME": "", "OIDC_PROVIDER": "", "OIDC_ISSUER": "", "SECOND_FACTOR": "off"}


def sso_settings() -> dict[str, Any]:
    """Read both settings from the environment; ImproperlyConfigured says which part is missing.

    With both off, nothing of django-allauth is named, so that nothing of it is loaded.
    """
    issuer = mail.web_address("PLATEAU_OIDC_ISSUER")
    factor = environment.chosen_word("PLATEAU_SECOND_FACTOR", ("optional", "off", "required"))
    if not issuer and factor == "off":
        return OFF
    settings = {
        **OFF,
        "SECOND_FACTOR": factor,
        "ACCOUNT_ADAPTER": "people.sso.signing_in.SignInAdapter",
        "ACCOUNT_EMAIL_VERIFICATION": "none",
        "ACCOUNT_SIGNUP_FIELDS": ["username*"],
        "MFA_ADAPTER": "people.sso.secrets.EncryptedSecrets",
        "MFA_SUPPORTED_TYPES": ["totp", "recovery_codes", "webauthn"],
        "MFA_WEBAUTHN_USER_VERIFICATION": "discouraged",  # the password came first
        "MFA_TOTP_ISSUER": "Plateau",
        "MFA_TOTP_TOLERANCE": 0,  # a code is taken once a period, which more would let happen twice
    }
    return {**settings, **_provider(issuer)} if issuer else settings


def sso_apps(settings: dict[str, Any]) -> list[str]:
    """The applications of these settings, each of which brings its tables."""
    if settings == OFF:
        return []
    second_factor_apps = ["allauth.mfa"] if settings["SECOND_FACTOR"] != "off" else []
    social = ["allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
    return [
        "allauth",
        "allauth.account",
        *second_factor_apps,
        *(social if settings["OIDC_NAME"] else []),
    ]


def sso_middleware(settings: dict[str, Any]) -> list[str]:
    """List what comes after the middleware that knows who is signed in."""
    factor_middleware = ["people.sso.middleware.RequireSecondFactor"]
    required_middleware = factor_middleware if settings["SECOND_FACTOR"] == "required" else []
    return (
        []
        if settings == OFF
        else ["allauth.account.middleware.AccountMiddleware", *required_middleware]
    )


def _provider(issuer: str) -> dict[str, Any]:
    # What an issuer says is believed because the connection is its own
    split_url = urlsplit(issuer)
    if split_url.scheme != "https" and split_url.hostname not in {"localhost", "127.0.0.1", "::1"}:
        raise ImproperlyConfigured(
            "PLATEAU_OIDC_ISSUER: found http://, expected https:// (or a provider on localhost)"
        )
    client = {
        "client_id": _required_setting("PLATEAU_OIDC_CLIENT_ID"),
        "secret": _required_setting("PLATEAU_OIDC_CLIENT_SECRET"),
    }
    name = os.environ.get("PLATEAU_OIDC_NAME") or urlsplit(issuer).netloc
    # Of the issuer: identities of another one, in later settings, are never taken for these.
    provider = slugify(issuer.partition("://")[2].replace("/", "-").replace(".", "-"))
    app = {"provider_id": provider, "name": name, **client, "settings": {"server_url": issuer}}
    return {
        "OIDC_NAME": name,
        "OIDC_PROVIDER": provider,
        "OIDC_ISSUER": issuer,
        "SOCIALACCOUNT_ADAPTER": "people.sso.provider.ProviderAdapter",
        "SOCIALACCOUNT_PROVIDERS": {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}},
        "SOCIALACCOUNT_STORE_TOKENS": False,
    }


def _required_setting(name: str) -> str:
    if value := os.environ.get(name):
        return value
    raise ImproperlyConfigured(
        f"PLATEAU_OIDC_ISSUER is set, but {name} is not: your provider gives it to you when you "
        "register Plateau there."
    )
