"""Errors of the API as problem details (RFC 9457): JSON that says what went wrong, and where."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, JsonResponse

from people import request_facts

PREFIX: Final = "/api/"  # of every address of the API, also of those that are not there
MOST_DETAIL: Final = 1_500  # characters
CONTENT_TYPE: Final = "application/problem+json"


def is_for_program(request: HttpRequest) -> bool:
    """Return whether a request goes to the API, whose errors are problem details and no pages."""
    return request.path_info.startswith(PREFIX)


def problem(
    status: int, detail: str, headers: Mapping[str, str] | None = None, **more: object
) -> JsonResponse:
    """Answer with a problem; `detail` is a sentence with what to do, `more` are further members.

    `sentence` repeats `detail` for clients of version 1.0; `reference` names the request in logs.
    """
    if len(detail) > MOST_DETAIL:  # it may repeat what was sent
        detail = f"{detail[:MOST_DETAIL]}…"
    document = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "sentence": detail,
        "reference": request_facts.current.get().id,
        **more,
    }
    return JsonResponse(document, status=status, content_type=CONTENT_TYPE, headers=headers)
