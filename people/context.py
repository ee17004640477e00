"""What the frame of every page needs: the study one is in, and the others."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from people.models import Study


def frame(request: HttpRequest) -> dict[str, Any]:
    """`nav`: the study of this address, all studies of the person, and their role."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"nav": {"study": None, "studies": [], "role": None, "place": ""}}
    match = request.resolver_match
    slug = match.kwargs.get("study") if match else None
    studies = list(Study.objects.visible_to(user))
    study = next((each for each in studies if each.slug == slug), None)
    return {
        "nav": {
            "study": study,
            "studies": studies,
            "role": study.role_of(user) if study else None,
            "place": match.url_name if match else "",
        }
    }
