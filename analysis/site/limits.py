"""Quotas and rate limits beside what is used of them, for who runs the installation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.conf import settings

from analysis.methods.views.playground import QUESTIONS
from people import tokens
from people.throttle import Throttle
from people.views.members import UNKNOWN_LINKS
from people.views.passwords import MAILS
from people.views.sign_in import WRONG_PASSWORDS

THROTTLES: Final[dict[str, Throttle]] = {
    "wrong passwords": WRONG_PASSWORDS,
    "unknown invitation links": UNKNOWN_LINKS,
    "mails for a forgotten password": MAILS,
    "questions of the playground": QUESTIONS,
}


@dataclass(frozen=True, slots=True)
class RateLimit:
    """Rate limit: at most `limit` in `seconds`; `reached_count` in this hour, None where nobody
    counts.
    """

    action: str
    subject: str
    limit: int
    seconds: int
    reached_count: int | None = None


def rate_limits() -> list[RateLimit]:
    """Every limit of the pages and of the API."""
    limit, seconds = settings.AXES_FAILURE_LIMIT, round(settings.AXES_COOLOFF_TIME.total_seconds())
    return [
        *(
            RateLimit(action, "an address", throttle.limit, throttle.window, throttle.reached())
            for action, throttle in THROTTLES.items()
        ),
        RateLimit("wrong passwords for one name", "an address", limit, seconds),
        RateLimit("requests of the API", "a token", tokens.REQUESTS_A_MINUTE, 60),
    ]
