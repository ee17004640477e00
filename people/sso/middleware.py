"""Refusal of every page to people without a second factor, where one is required."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from people.models import User
from people.sso import second_factor

OPEN: Final = {"second-factor", "second-factor-app", "security-keys", "sign-out", "sign-in"}


class RequireSecondFactor:
    """Leads whoever is signed in without a second factor to the page that sets one up."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        user = request.user
        match = request.resolver_match
        if not isinstance(user, User) or (match and match.url_name in OPEN):
            return None
        return None if second_factor.is_on(user) else redirect("second-factor")
