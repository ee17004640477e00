"""Every view's first line: the study, if this person may be here.

What one may not see does not exist: 404, never 403, since a study's existence
is news too. What a member may see but not do is 403, with the reason.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from people.models import Role, Study, User


class SignedInRequest(HttpRequest):
    """A request behind `login_required`: its user is a User, for mypy too."""

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
