"""Mail address of an account: changed by its owner, proven by a link or by a provider.

Only a proven address leads to an account: anybody can write another person's address into theirs.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse

from people import audit, notices
from people.audit import Action
from people.mail_address import address_key
from people.models import User

SALT: Final = "people.mail_proof"
TAKEN: Final = "Another account here has proven this mail address."


def find_proven_account(address: str) -> User | None:
    """Return the account whose present mail address is `address`, and proven."""
    key = address_key(address)
    user = User.objects.filter(proven_email=key, simulated=False).first() if key else None
    return user if user and user.has_proven_email else None


@transaction.atomic
def change_address(user: User, address: str, *, site: str) -> bool:
    """Store another address, unproven; whether a link that proves it will be mailed."""
    if address != user.email:
        user.email = address
        user.save(update_fields=["email"])
        audit.record(Action.MAIL_CHANGED, user.username, by=user)
    if not address or user.has_proven_email or not notices.can_mail():
        return False
    notices.send_address_link(user, site=site)
    return True


def proof_path(user: User) -> str:
    """The address that proves the present mail address of `user`, once they are signed in."""
    token = signing.dumps([user.pk, user.email], salt=SALT)
    return reverse("account-mail-proof", kwargs={"mail_token": token})


def is_link_of(user: User, token: str) -> bool:
    """Return whether `token` was mailed to the present address of `user`, within a day."""
    try:
        signed_text = signing.loads(token, salt=SALT, max_age=settings.PASSWORD_RESET_TIMEOUT)
    except signing.BadSignature:
        return False
    return bool(user.email) and signed_text == [user.pk, user.email]


@transaction.atomic
def prove(user: User, address: str) -> bool:
    """Note that `address` was shown to be of who has the account; False for another address.

    ValidationError where another account has proven it, or it could be taken for another address.
    """
    key = address_key(address)
    if key != address_key(user.email):
        return False
    if not key:
        raise ValidationError(
            "This mail address cannot be proven: it has letters that can be taken for others."
        )
    if user.has_proven_email:
        return True
    other_accounts = User.objects.filter(proven_email=key).exclude(pk=user.pk)
    if any(account.has_proven_email for account in other_accounts):
        raise ValidationError(TAKEN)
    other_accounts.update(
        proven_email=""
    )  # left by an address that was changed past `change_address`
    user.proven_email = key
    try:
        with transaction.atomic():
            user.save(update_fields=["proven_email"])
    except IntegrityError as error:  # another account has proven it at this moment
        raise ValidationError(TAKEN) from error
    audit.record(Action.MAIL_PROVEN, user.username, by=user)
    return True
