"""Holding work by a lease: whoever was too slow, and has lost it, changes nothing any more."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.utils import timezone

from analysis.models.leased import LEASE, Leased

RENEW_EVERY = 1.0  # seconds between two signs of life: progress on the page, lease

Held_co = TypeVar("Held_co", bound=Leased, covariant=True)


@dataclass
class Claim(Generic[Held_co]):
    """Work that this process holds. The number of the attempt tells this claim from a later one."""

    chunk: Held_co
    renewed: float = field(default_factory=time.monotonic)

    def update(self, **values: Any) -> bool:
        """Change the work's row; False, and nothing changed, when the claim is lost."""
        mine = type(self.chunk)._default_manager.filter(  # noqa: SLF001  # whichever model it is
            pk=self.chunk.pk, state=Leased.State.TAKEN, attempts=self.chunk.attempts
        )
        return mine.update(**values) == 1

    def extend(self) -> bool:
        """Hold it for another lease."""
        return self.update(lease=timezone.now() + LEASE)

    def report(self, done: int, failed: int) -> bool:
        """Once a second: say how far it is. False when it was lost, or nobody wants it any more."""
        if time.monotonic() - self.renewed < RENEW_EVERY:
            return True
        self.renewed = time.monotonic()
        held = self.update(lease=timezone.now() + LEASE, done_count=done, failed_count=failed)
        return held and self.chunk.is_wanted()
