"""Sessions of a person, ended everywhere at once."""

from __future__ import annotations

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone

from people.models import User


def end(user: User, *, but: str | None = None) -> int:
    """End all sessions of `user`, except the one with the key `but`; how many they were.

    Whose a session is stands in its signed data alone, so that all open ones are read.
    """
    session_keys = [
        session.session_key
        for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator()
        if session.get_decoded().get(SESSION_KEY) == str(user.pk) and session.session_key != but
    ]
    return Session.objects.filter(session_key__in=session_keys).delete()[0]
