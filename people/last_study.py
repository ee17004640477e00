"""The study that a person looked at last, whose navigation stays on pages of no study.

It is kept in a cookie, so that looking at a page writes nothing into the database. The cookie is
only a wish: the frame shows a study to its members alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE: Final = "study"
KEPT_ON: Final = frozenset({"methods", "help"})
"""First words of the addresses on which it stays."""


def slug_of(request: HttpRequest) -> str | None:
    return request.COOKIES.get(COOKIE)


class LastStudy:
    """Notes the study of each page that was shown to somebody who is signed in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        slug = request.resolver_match.kwargs.get("study") if request.resolver_match else None
        is_page = response.status_code == 200 and "html" in response.headers["Content-Type"]
        if slug and is_page and request.user.is_authenticated and slug_of(request) != slug:
            response.set_cookie(
                COOKIE,
                slug,
                max_age=settings.SESSION_COOKIE_AGE,
                secure=settings.HTTPS,
                httponly=True,
                samesite="Lax",
            )
        return response
