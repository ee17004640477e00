"""Throttling: how often one address may ask for something within a while."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

log = logging.getLogger(__name__)
HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class Throttle:
    """Limit of `limit` events of an address in each window of `window` seconds.

    The address is `REMOTE_ADDR`, which `config.middleware.ClientAddress` takes from trusted
    proxies. Two events at the same instant may count once: this bounds work, it does not bill.
    """

    name: str
    limit: int
    window: int = 60

    def seconds_to_wait(self, request: HttpRequest) -> int:
        """0, or how long this address has to wait for its next event."""
        current_time = time.time()
        if cache.get(self._key(request, current_time), 0) < self.limit:
            return 0
        return int(self.window - current_time % self.window) + 1

    def count(self, request: HttpRequest) -> None:
        """One more event of this address; the one that reaches the limit is told to the log."""
        key = self._key(request, time.time())
        events = cache.get(key, 0) + 1
        cache.set(key, events, self.window)
        if events == self.limit:
            cache.set(self._hour(), self.reached() + 1, HOUR)
            log.warning("an address has reached the limit %s", self.name)

    def reached(self) -> int:
        """Count how often an address has reached the limit in this hour."""
        return int(cache.get(self._hour(), 0))

    def _hour(self) -> str:
        return f"throttle-reached-{self.name}-{int(time.time() // HOUR)}"

    def _key(self, request: HttpRequest, current_time: float) -> str:
        # Hashed: an IPv6 address with a zone holds characters that keys may not have.
        address_digest = sha256(str(request.META.get("REMOTE_ADDR")).encode()).hexdigest()[:16]
        return f"throttle-{self.name}-{address_digest}-{int(current_time // self.window)}"


# Of one address, across names; axes counts those of one name. As many as five people behind one
# address of an office mistype before each of them is locked out.
WRONG_PASSWORDS: Final = Throttle("sign-in", limit=5 * settings.AXES_FAILURE_LIMIT, window=300)
