"""How often somebody who is not signed in may ask the playground to compute."""

from __future__ import annotations

import time
from hashlib import sha256
from typing import Final

from axes.helpers import get_client_ip_address
from django.core.cache import cache
from django.http import HttpRequest

A_MINUTE: Final = 60  # questions: a slider that is moved asks about once a second
WINDOW: Final = 60  # seconds


def seconds_to_wait(request: HttpRequest) -> int:
    """0, or how long a stranger has to wait; who is signed in never waits.

    Counted for each address as sign-in counts it, in windows of a minute. Two requests at the
    same instant may count once: this bounds work, it does not bill.
    """
    if request.user.is_authenticated:
        return 0
    now = time.time()
    key = f"playground-{_who(request)}-{int(now // WINDOW)}"
    asked = cache.get_or_set(key, 0, WINDOW) or 0
    if asked >= A_MINUTE:
        return int(WINDOW - now % WINDOW) + 1
    cache.set(key, asked + 1, WINDOW)
    return 0


def _who(request: HttpRequest) -> str:
    return sha256(str(get_client_ip_address(request)).encode()).hexdigest()[:16]
