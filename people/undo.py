"""Undo of a click: a success message whose button posts the inverse action, also without script.

A view that has changed something names the address and the fields of its inverse. Where the inverse
needs to know what was there before, this state travels with the message, signed for that address
and good for an hour: nobody can make it up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

SECONDS: Final = 3600  # for which a signed state can be put back
STATE: Final = "undo"  # field of the signed state
MOMENT: Final = "revoked_at"  # key of a state: time of the click


def success_with_undo(
    request: HttpRequest,
    sentence: str,
    address: str,
    fields: Mapping[str, str] | None = None,
    *,
    before: Mapping[str, Any] | None = None,
) -> None:
    """Say what was done, with a button that posts `fields` to `address`.

    before: state that the view of `address` reads with `undone_state`
    """
    posted = dict(fields or {})
    if before is not None:
        posted[STATE] = signing.dumps(before, salt=address.partition("?")[0], compress=True)
    action = json.dumps({"address": address, "fields": posted})
    messages.success(request, sentence, extra_tags=action)


def undo_action(message: Message) -> dict[str, Any]:
    """Address and fields of the inverse action; empty for a message without one."""
    action: dict[str, Any] = json.loads(message.extra_tags) if message.extra_tags else {}
    return action


def undone_moment(state: Mapping[str, Any]) -> datetime | None:
    """Time of the click that is undone; None in a state that an older version has signed."""
    text = state.get(MOMENT)
    return datetime.fromisoformat(text) if text else None


def undone_state(request: HttpRequest) -> dict[str, Any] | None:
    """State that an undone click changed; None where the request undoes nothing."""
    text = request.POST.get(STATE)
    if text is None:
        return None
    try:
        state: dict[str, Any] = signing.loads(text, salt=request.path, max_age=SECONDS)
    except signing.BadSignature as error:
        raise PermissionDenied(
            "This cannot be undone any more: the button works for an hour."
        ) from error
    return state
