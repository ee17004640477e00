"""Links between an account and the provider's identity of its owner: asked for, made, ended.

An account has one identity at most. To link an account that is there, its owner gives its password
once: at the sign-in page, within ten minutes, or under *Account*.
"""

from __future__ import annotations

import time
from typing import Final

from allauth.account.internal.flows.login import get_authentication_records
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from people import audit, mail_proof, sessions
from people.audit import Action
from people.models import User

WAITING: Final = "provider_identity"  # of the session: an identity that waits for the password
PATIENCE: Final = 600  # seconds


def user_links(user: User) -> QuerySet[SocialAccount]:
    """The identity at the provider of the settings, if `user` has one."""
    return SocialAccount.objects.filter(user=user, provider=settings.OIDC_PROVIDER)


@transaction.atomic
def link_identity(user: User, sub: str, *, address: str = "") -> None:
    """Link the identity `sub`, for which the provider has verified `address`.

    ValidationError where the account has another identity, or the identity another account.
    """
    User.objects.select_for_update().get(pk=user.pk)  # two at once: the second finds the first
    refuse_second_identity(user)
    if SocialAccount.objects.filter(provider=settings.OIDC_PROVIDER, uid=sub).exists():
        raise ValidationError(
            f"You are linked to another account here: who has that one unlinks it from "
            f"{settings.OIDC_NAME} first."
        )
    SocialAccount.objects.create(user=user, provider=settings.OIDC_PROVIDER, uid=sub)
    audit.record(Action.PROVIDER_LINKED, f"{user.username} to {settings.OIDC_NAME}", by=user)
    note_verified_address(user, address)


def refuse_second_identity(user: User) -> None:
    """ValidationError where `user` is linked already: another identity would take it over."""
    if user_links(user).exists():
        raise ValidationError(
            f"The account {user.username} is linked to another identity of {settings.OIDC_NAME}. "
            "Its owner signs in with the password and unlinks it under Account first."
        )


def note_verified_address(user: User, address: str) -> None:
    """Note that the provider has verified the mail address, if it is that of the account."""
    try:
        mail_proof.prove(user, address)
    except ValidationError:
        return  # another account has proven it: this one stays as it is


@transaction.atomic
def unlink(user: User, *, by: User | None = None, kept_key: str | None = None) -> bool:
    """End the link and all sessions but the one with the key `kept_key`; whether there was a link.

    by: None for a command.
    """
    if not user_links(user).delete()[0]:
        return False
    sessions.end(user, but=kept_key)
    audit.record(Action.PROVIDER_UNLINKED, f"{user.username} from {settings.OIDC_NAME}", by=by)
    return True


# --- an identity that waits for the password ------------------------------------------------------
def wait_for_password(request: HttpRequest, user: User, sub: str, address: str) -> None:
    """Keep the identity in the session until `user` has signed in with the password."""
    waiting_link = {"user": user.pk, "sub": sub, "address": address, "at": time.time()}
    request.session[WAITING] = waiting_link


def link_waiting_identity(request: HttpRequest, user: User) -> bool:
    """Link the identity that waits, now that `user` has signed in; whether it was linked.

    Nothing waits any more afterwards. ValidationError as `link` raises it.
    """
    waiting_link = request.session.pop(WAITING, None)
    methods = {record["method"] for record in get_authentication_records(request, user)}
    if not waiting_link or waiting_link["user"] != user.pk or "password" not in methods:
        return False
    if time.time() - waiting_link["at"] > PATIENCE:
        return False
    link_identity(user, waiting_link["sub"], address=waiting_link["address"])
    return True
