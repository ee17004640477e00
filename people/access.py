"""Every view's first line: the study, if this person may be here.

Whoever is signed out is led to the sign-in page before any view is asked, by the middleware of
the settings; a view that answers them says `login_not_required`.

What one may not see does not exist: 404, never 403, since a study's existence
is news too. What a member may see but not do is 403, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import unquote

from django.contrib.auth.decorators import login_not_required, login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404

from people.models import Role, Study, User

View = Callable[..., HttpResponseBase]


class SignedInRequest(HttpRequest):
    """A request of somebody who is signed in: its user is a User, for mypy too."""

    user: User


def study_for(request: HttpRequest, slug: str) -> Study:
    """The study named `slug`, for its members; 404 for everybody else."""
    return get_object_or_404(Study.objects.visible_to(request.user), slug=slug)


def owned_study_for(request: HttpRequest, slug: str) -> Study:
    """The study named `slug`, for its owners; 404 for strangers, 403 for other members."""
    study = study_for(request, slug)
    if study.role_of(request.user) != Role.OWNER:
        raise PermissionDenied(f"Only an owner of {study} may do this.")
    return study


def refuse_unless_staff(request: SignedInRequest) -> None:
    """403 for whoever does not run the installation."""
    if not request.user.is_staff:
        raise PermissionDenied("This page is for the staff of this installation.")


def for_the_same_person(view: View) -> View:
    """401 for somebody who is signed out, or signed in as another person than the page was for.

    The page keeps its answers and asks the person to sign in; a redirect would lose them, and
    another person's session would put its name on them.
    """

    @login_not_required
    @wraps(view)
    def checked(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if not user.is_authenticated:
            return _signed_out_answer("You were signed out.", "signed-out")
        meant_username = unquote(request.headers.get("X-Plateau-Person", "")) or user.username
        if meant_username != user.username:
            sentence = f"You are signed in as {user.username}; this page is {meant_username}'s."
            return _signed_out_answer(sentence, "other-person")
        return view(request, **kwargs)

    return checked


def for_the_same_person_or_sign_in(view: View) -> View:
    """Guard what a script sends as `for_the_same_person` does; lead a form without script to the
    sign-in page.
    """
    script_view, form_view = for_the_same_person(view), login_required(view)

    @login_not_required
    @wraps(view)
    def checked(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        return (script_view if sent_by_script(request) else form_view)(request, **kwargs)

    return checked


def sent_by_script(request: HttpRequest) -> bool:
    """Return whether a page's script sent this: it says for whom,
    static/js/shared/api-client.js.
    """
    return "X-Plateau-Person" in request.headers


def _signed_out_answer(sentence: str, reason: str) -> JsonResponse:
    return JsonResponse({"sentence": sentence, "reason": reason}, status=401)
