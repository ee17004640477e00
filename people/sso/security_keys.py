"""Security keys and passkeys of a person (WebAuthn), beside one-time codes.

A key signs a number that the server drew for this session; django-allauth and fido2 draw it and
check the signature, the host and that it was made in a browser for this very page. Only public
keys are stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.core import context
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from fido2.webauthn import AuthenticationResponse, RegistrationResponse

from people import audit
from people.audit import Action
from people.models import User

MOST: Final = 10  # of a person: every sign-in names them all
# What fido2 raises over an answer that no browser makes: other JSON, or bytes that are no CBOR.
MALFORMED: Final = (TypeError, ValueError, KeyError, AttributeError, AssertionError, IndexError)
Kind = Authenticator.Type


@dataclass(frozen=True, slots=True)
class SecurityKey:
    """One key of a person; `slug` is of the id that the key gave itself."""

    slug: str
    name: str
    added: datetime
    used: datetime | None


def list_keys(user: User) -> tuple[SecurityKey, ...]:
    """List the keys of `user` in the order in which they were added."""
    return tuple(_key(row) for row in _rows(user))


def creation_options(user: User) -> dict[str, Any]:
    """Ask for a new key: what a browser sends to the key that is to be added; good for this
    session, once.
    """
    return auth.begin_registration(user, passwordless=False)


def request_options(user: User) -> dict[str, Any]:
    """Ask for a key of `user`: what a browser sends to it; good for this session, once."""
    return auth.begin_authentication(user)


def check_new_key(user: User, credential: Any) -> None:
    """ValidationError with a sentence where `credential` is no answer to `creation_options`."""
    try:
        response = RegistrationResponse.from_dict(credential)
        _refuse_foreign_origin(response.response.client_data.origin)
        auth.complete_registration(credential)
    except (ValidationError, *MALFORMED):
        raise ValidationError(
            "This is no answer of a key to this page. Load the page anew, and add the key again."
        ) from None
    if _slug(credential) in {key.slug for key in list_keys(user)}:
        raise ValidationError("This key is there already.")


@transaction.atomic
def add(user: User, name: str, credential: Any) -> None:
    """Keep a key that `check_new_key` let pass."""
    User.objects.select_for_update().get(pk=user.pk)
    auth.WebAuthn.add(user, name, credential)
    audit.record(Action.KEY_ADDED, f"{user.username}: {name}", by=user)


def accepts(user: User, credential: Any) -> bool:
    """Return whether a key of `user` answered to `request_options`; notes its use."""
    try:
        response = AuthenticationResponse.from_dict(credential)
        _refuse_foreign_origin(response.response.client_data.origin)
        auth.complete_authentication(user, credential).record_usage()
    except (ValidationError, *MALFORMED):
        return False
    return True


@transaction.atomic
def rename_security_key(user: User, key: SecurityKey, name: str) -> None:
    row = _row(user, key)
    row.data["name"] = name
    row.save(update_fields=["data"])
    audit.record(Action.KEY_RENAMED, f"{user.username}: {key.name} to {name}", by=user)


@transaction.atomic
def remove_security_key(user: User, key: SecurityKey) -> None:
    _row(user, key).delete()
    audit.record(Action.KEY_REMOVED, f"{user.username}: {key.name}", by=user)


def _refuse_foreign_origin(origin: str) -> None:
    """A page of a subdomain may ask a key for its parent domain: none but ours is heard."""
    is_own_host = urlsplit(origin).netloc == context.request.get_host()
    if not is_own_host and origin not in settings.CSRF_TRUSTED_ORIGINS:
        raise ValueError(origin)


def _rows(user: User) -> QuerySet[Authenticator]:
    return Authenticator.objects.filter(user=user, type=Kind.WEBAUTHN).order_by("pk")


def _row(user: User, key: SecurityKey) -> Authenticator:
    """Locked until the end of the transaction."""
    rows = _rows(user).select_for_update()
    return next(row for row in rows if _slug(row.data["credential"]) == key.slug)


def _key(row: Authenticator) -> SecurityKey:
    slug = _slug(row.data["credential"])
    return SecurityKey(slug, row.data["name"], row.created_at, row.last_used_at)


def _slug(credential: Any) -> str:
    return sha256(credential["id"].encode()).hexdigest()[:16]
