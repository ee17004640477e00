"""The end of a sign-in that django-allauth leads through its steps: noted, and with our words."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from people import audit
from people.models import User

METHOD_WORDS = {"socialaccount": "by the provider", "mfa": "with a code", "key": "with a key"}


class SignInAdapter(DefaultAccountAdapter):
    """django-allauth signs in, and writes nothing on pages of ours."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": "Too many wrong codes: try again in five minutes.",
    }

    def login(self, request: HttpRequest, user: User) -> None:
        """The backend that finds a person again in every request; axes' finds none."""
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")

    def post_login(self, request: HttpRequest, user: User, **rest: Any) -> HttpResponse:
        """After the last step."""
        methods = (step["method"] for step in get_authentication_records(request, user))
        audit.record(
            audit.Action.SIGNED_IN,
            ", ".join(METHOD_WORDS[method] for method in methods if method in METHOD_WORDS),
            by=user,
        )
        if settings.OIDC_NAME:
            from people.sso import provider_links  # noqa: PLC0415  # its tables are not there without it

            try:
                if provider_links.link_waiting_identity(request, user):
                    messages.success(request, f"Your account is linked to {settings.OIDC_NAME}.")
            except ValidationError as error:
                messages.error(request, error.messages[0])
        answer: HttpResponse = super().post_login(request, user, **rest)
        return answer

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        audit.record(audit.Action.SIGN_IN_REFUSED, "the account is closed", by=user)
        messages.error(request, "This account is closed.")
        return redirect(settings.LOGIN_URL)

    def add_message(self, *args: object, **kwargs: object) -> None:
        """Leave out the messages of django-allauth: pages of ours say what there is to say."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Address of the client as every throttle counts: `config.middleware.ClientAddress` has
        put it there.
        """
        return str(request.META.get("REMOTE_ADDR", ""))
