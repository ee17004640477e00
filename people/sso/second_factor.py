"""The second factor of a person: codes of an app (TOTP) or security keys, and recovery codes.

Codes are computed by django-allauth. A one-time code is taken once: the period of its last use is
kept with the secret, whose row is locked meanwhile.
"""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Final

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, validate_totp_code
from cryptography.fernet import InvalidToken
from django.db import transaction
from django.utils import timezone

from people import audit
from people.audit import Action
from people.models import User

log = logging.getLogger(__name__)
PERIOD: Final = 30  # seconds for which a code is good
Kind = Authenticator.Type
FACTORS: Final = (Kind.TOTP, Kind.WEBAUTHN)  # recovery codes alone ask nobody for anything


def is_on(user: User) -> bool:
    """Return whether `user` is asked for a code or a key."""
    return Authenticator.objects.filter(user=user, type__in=FACTORS).exists()


def has_app(user: User) -> bool:
    """Return whether an app of `user` makes codes."""
    return Authenticator.objects.filter(user=user, type=Kind.TOTP).exists()


def unused_code_count(user: User) -> int:
    """Count the unused recovery codes of `user`; 0 where they cannot be read any more."""
    recovery = Authenticator.objects.filter(user=user, type=Kind.RECOVERY_CODES).first()
    try:
        return len(RecoveryCodes(recovery).get_unused_codes()) if recovery else 0
    except InvalidToken:
        return 0


@transaction.atomic
def accepts(user: User, code: str) -> bool:
    """Use `code` up: whether it is the app's of this moment, or an unused recovery code."""
    authenticators_by_type = {
        authenticator.type: authenticator
        for authenticator in Authenticator.objects.select_for_update().filter(user=user)
    }
    try:
        totp, recovery = (
            authenticators_by_type.get(Kind.TOTP),
            authenticators_by_type.get(Kind.RECOVERY_CODES),
        )
        if totp and _accepts_app_code(totp, code):
            return True
        return bool(recovery and RecoveryCodes(recovery).validate_code(code))
    except InvalidToken:
        log.error("the second factor of %s cannot be read: SECRET_KEY has changed", user.pk)  # noqa: TRY400
        return False


def _accepts_app_code(totp: Authenticator, code: str) -> bool:
    current_time = timezone.now()
    if totp.last_used_at and _period(totp.last_used_at) == _period(current_time):
        return False
    if not validate_totp_code(get_adapter().decrypt(totp.data["secret"]), code):
        return False
    totp.record_usage()
    return True


def _period(moment: datetime) -> int:
    return int(moment.timestamp()) // PERIOD


@transaction.atomic
def set_up_codes(user: User, secret: str) -> list[str]:
    """Ask `user` for codes of an app from now on; recovery codes, as `first_codes` has them."""
    User.objects.select_for_update().get(pk=user.pk)
    Authenticator.objects.filter(user=user, type=Kind.TOTP).delete()
    # The code that proved it is used up, too.
    TOTP.activate(user, secret).instance.record_usage()
    audit.record(Action.SECOND_FACTOR_ON, user.username, by=user)
    return first_codes(user)


def first_codes(user: User) -> list[str]:
    """Recovery codes of who has set up their first factor, shown this once; later ones bring none.

    Those that another SECRET_KEY has made unreadable are left: `new_recovery_codes` replaces them.
    """
    if Authenticator.objects.filter(user=user, type=Kind.RECOVERY_CODES).exists():
        return []
    return RecoveryCodes.activate(user).get_unused_codes()


@transaction.atomic
def new_recovery_codes(user: User) -> list[str]:
    """Others in the place of all earlier ones."""
    User.objects.select_for_update().get(pk=user.pk)
    Authenticator.objects.filter(user=user, type=Kind.RECOVERY_CODES).delete()
    audit.record(Action.RECOVERY_CODES_MADE, user.username, by=user)
    return RecoveryCodes.activate(user).get_unused_codes()


@transaction.atomic
def remove_app(user: User) -> None:
    """Ask for no code of an app any more."""
    if Authenticator.objects.filter(user=user, type=Kind.TOTP).delete()[0]:
        audit.record(Action.APP_REMOVED, user.username, by=user)
    end_without_factor(user)


def end_without_factor(user: User) -> None:
    """Recovery codes stand in the place of a factor, and end with the last one."""
    if not is_on(user):
        remove_second_factor(user, by=user)


@transaction.atomic
def remove_second_factor(user: User, *, by: User | None = None) -> bool:
    """End all of it: app, keys and recovery codes; whether there was any. `by`: None, a command."""
    if not Authenticator.objects.filter(user=user).delete()[0]:
        return False
    audit.record(Action.SECOND_FACTOR_OFF, user.username, by=by)
    return True
