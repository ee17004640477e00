"""Context of the frame of every page: the study one is in, and the others."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest

from people import last_study, nav_badges, services

PLACES: Final = {
    "series": "data",
    "import": "data",
    "own": "runs",
    "training": "runs",
    "comparison": "compare",
    "reports": "compare",
    "archives": "people",
}
"""Words of addresses, and the entry of the navigation that they belong to, if it has another."""


def frame(request: HttpRequest) -> dict[str, Any]:
    """`nav`: the study of this address, all studies of the person, their role and taste."""
    user = getattr(request, "user", None)
    nav_entry = _place(request.path)
    if user is None or not user.is_authenticated:
        nav_fields: dict[str, Any] = {
            "study": None,
            "studies": [],
            "role": None,
            "place": nav_entry,
        }
        return {"nav": {**nav_fields, "may_play": settings.PLAYGROUND_PUBLIC}}
    slug = _slug(request, nav_entry)
    # One query gives the switch, the study, the role in it, and what its places say.
    user_memberships = user.memberships.select_related("study").order_by("study__name")
    memberships = list(
        nav_badges.with_badges(
            user_memberships, user, slug, page_place=nav_entry if _is_front(request.path) else ""
        )
    )
    current_membership = next(
        (membership for membership in memberships if membership.study.slug == slug), None
    )
    return {
        "nav": {
            "study": current_membership.study if current_membership else None,
            "studies": [membership.study for membership in memberships],
            "role": current_membership.role if current_membership else None,
            "signs": nav_badges.nav_badges_for(current_membership) if current_membership else {},
            "is_staff": user.is_staff,
            "may_create_study": services.may_create_study(user),
            "may_play": True,
            "place": nav_entry,
            "theme": user.theme,
            "density": user.density,
            "single_keys": user.single_keys,
        }
    }


def _slug(request: HttpRequest, nav_entry: str) -> str | None:
    """The study of the address; on pages of no study, the one that was looked at last."""
    match = request.resolver_match
    study_slug = match.kwargs.get("study") if match else None
    return study_slug or (last_study.slug_of(request) if nav_entry in last_study.KEPT_ON else None)


def _is_front(path: str) -> bool:
    """Return whether `path` is the page that an entry of the navigation leads to, and not one
    behind it.
    """
    return path.count("/") <= 4  # /s/<study>/<place>/


def _place(path: str) -> str:
    """Name the entry of the navigation to which an address belongs."""
    parts = path.strip("/").split("/")
    word = parts[2] if parts[0] == "s" and len(parts) > 2 else parts[0]
    return PLACES.get(word, word)
