"""Sign-in by a proxy that has asked who somebody is, and says so in a header. Off by default.

Loaded only where `PLATEAU_REMOTE_USER_HEADER` names the header. The proxy must set or remove it in
every request: whoever reaches the web server past it can be anybody.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.backends import RemoteUserBackend
from django.contrib.auth.middleware import RemoteUserMiddleware
from django.http import HttpRequest

from people import audit
from people.models import User


class KnownPeopleBackend(RemoteUserBackend):
    """Accounts are made by invitation: a name that nobody has makes none."""

    create_unknown_user = False


class RemoteUserSignIn(RemoteUserMiddleware):
    """Signs in whom the header names, and out again once it names nobody.

    Whoever signed in with a password is left alone as long as no header comes; a name that nobody
    has, or whose account is disabled, is led to the sign-in page.
    """

    @property
    def header(self) -> str:  # type: ignore[override]  # Django's is a constant
        """Header as WSGI calls it."""
        return f"HTTP_{settings.REMOTE_USER_HEADER.upper().replace('-', '_')}"

    def process_request(self, request: HttpRequest) -> None:
        if not self._may_sign_in(request):
            request.META.pop(self.header, None)
        previous_pk = request.user.pk
        super().process_request(request)
        user = request.user
        if isinstance(user, User) and user.pk != previous_pk:
            audit.record(audit.Action.SIGNED_IN, "named by the proxy", by=user)

    def _may_sign_in(self, request: HttpRequest) -> bool:
        """Looked up before: names that nobody has would count as wrong passwords of the proxy."""
        name = request.META.get(self.header, "")
        if request.user.is_authenticated and request.user.get_username() == name:
            return True
        return User.objects.filter(username=name, is_active=True).exists()
