"""Tokens of programs: made, found by what a request carries, and revoked."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from people import audit, database
from people.models import Study, User
from people.models.invitation import digest_of_token
from people.models.token import SCOPES, ApiToken

PREFIX: Final = "plateau_"  # so that scanners of repositories find one that was left there
SECRET_BYTES: Final = 32
REQUESTS_A_MINUTE: Final = 600  # of one token
NOTED_EVERY: Final = timedelta(minutes=5)  # or every request would be a write


@transaction.atomic
def make_token(
    study: Study, *, by: User, name: str, scopes: Iterable[str], days: int | None
) -> tuple[ApiToken, str]:
    """A new token and its text, which nobody can be shown again. `days`: None for no end."""
    text = f"{PREFIX}{secrets.token_urlsafe(SECRET_BYTES)}"
    chosen_scopes = set(scopes)
    token = ApiToken.objects.create(
        study=study,
        by=by,
        name=name,
        scopes=" ".join(scope for scope in SCOPES if scope in chosen_scopes),
        digest=digest_of_token(text),
        expires=timezone.now() + timedelta(days=days) if days else None,
    )
    audit.record(audit.Action.TOKEN_MADE, str(token), study=study, by=by)
    return token, text


def usable_token(text: str) -> ApiToken | None:
    """The token that a request carries; None unless it is good and its maker still a member.

    When it was used is noted, to five minutes.
    """
    current_time = timezone.now()
    usable_tokens = ApiToken.objects.usable(current_time).select_related("study", "by")
    token = usable_tokens.filter(digest=digest_of_token(text)).first()
    if token is None or token.study.role_of(token.by) is None:
        return None
    if token.last_used is None or current_time - token.last_used > NOTED_EVERY:
        # Where the database is busy, the next request notes its use
        token_rows = ApiToken.objects.filter(pk=token.pk)
        database.write_unless_busy(lambda: token_rows.update(last_used=current_time))
    return token


def requests_key(token: ApiToken) -> str:
    """Key of the cache for the times of a token's requests, the newest first."""
    return f"api-requests-{token.public_id}"


def recent_request_count(token: ApiToken) -> int:
    """Count how many of REQUESTS_A_MINUTE were made in the last minute."""
    minute_ago = time.time() - 60
    return sum(request_time > minute_ago for request_time in cache.get(requests_key(token), []))


@transaction.atomic
def revoke_token(token: ApiToken) -> datetime | None:
    """Make the token useless and return the time; None, and nothing happens, where it was revoked
    already.
    """
    unrevoked, moment = ApiToken.objects.filter(pk=token.pk, revoked=None), timezone.now()
    if not unrevoked.update(revoked=moment):
        return None
    audit.record(audit.Action.TOKEN_REVOKED, str(token), study=token.study)
    return moment


@transaction.atomic
def reinstate_token(token: ApiToken, *, revoked_at: datetime) -> bool:
    """Let a token that was revoked at `revoked_at` be used again, as long as it would have without
    that; False, and nothing happens, where it was undone or revoked again since.
    """
    if not ApiToken.objects.filter(pk=token.pk, revoked=revoked_at).update(revoked=None):
        return False
    audit.record(audit.Action.TOKEN_MADE, f"{token}, again", study=token.study)
    return True
