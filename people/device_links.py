"""Personal links: one sign-in on another device, for people without a password.

Nothing of a link is stored: its token is a MAC over the account's last sign-in, so that it works
once, and no more after any other sign-in. `docs/design/joining.md` says what each link may do.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes, force_str
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from people.models import User

MINUTES: Final = 30


class DeviceTokenGenerator(PasswordResetTokenGenerator):
    """Tokens of this use alone: one for a password signs nobody in, and the other way round."""

    key_salt = "people.device_links"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        """Join what ends a link when it changes; Django's own rounds the last sign-in to a
        second.
        """
        return f"{user.pk} {user.password} {user.last_login} {timestamp}"

    def is_good(self, user: User, token: str) -> bool:
        """Return whether the token is of this account as it is now, and not too old."""
        if not self.check_token(user, token):
            return False
        token_seconds = int(token.partition("-")[0], 36)
        return self._num_seconds(self._now()) - token_seconds <= 60 * MINUTES


_tokens = DeviceTokenGenerator()


def is_for(user: User) -> bool:
    """Return whether links are for this account: it has joined by a name, and has no password."""
    return user.is_active and user.last_login is not None and not user.has_usable_password()


def make_path(user: User) -> str:
    """The address that signs another device in."""
    uidb64 = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("device", kwargs={"uidb64": uidb64, "token": _tokens.make_token(user)})


def linked_account(uidb64: str, token: str) -> User | None:
    """The account that a link is for; None for a link that is wrong, used or too old."""
    try:
        user = User.objects.get(pk=int(force_str(urlsafe_base64_decode(uidb64))))
    except (ValueError, OverflowError, User.DoesNotExist):
        return None
    return user if is_for(user) and _tokens.is_good(user, token) else None


def use_links_up(user: User) -> bool:
    """Make every link of the account useless; False where another sign-in has just done so."""
    unchanged_user = User.objects.filter(pk=user.pk, last_login=user.last_login)
    return bool(unchanged_user.update(last_login=timezone.now()))


def remember(request: HttpRequest) -> None:
    """Keep the session of who has no password: a lapse would lock them out of their answers."""
    request.session.set_expiry(settings.DEVICE_DAYS * 24 * 3600)
