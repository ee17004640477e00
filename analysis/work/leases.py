"""Holding work by a lease: whoever was too slow, and has lost it, changes nothing any more."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.db import close_old_connections
from django.utils import timezone

from analysis.work.models import LEASE, Leased

RENEW_EVERY = 1.0  # seconds between two signs of life: progress on the page, lease

Held_co = TypeVar("Held_co", bound=Leased, covariant=True)
Written = TypeVar("Written")

_writer: ThreadPoolExecutor | None = None


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


# --- transactions of a process that computes --------------------------------------------------
def start_writer() -> None:
    """Start the thread of `write_at_usual_priority`, before this process lowers its priority.

    On Linux that is each thread's own, and one that is there already keeps the usual. A
    transaction with the low priority of computing would hold SQLite's one write lock for as long
    as others want the processor: 7 ms of work took seconds, in which every page waited.
    """
    global _writer  # noqa: PLW0603  # one a process, as the priority is
    _writer = ThreadPoolExecutor(1, thread_name_prefix="writer")
    _writer.submit(int).result()


def write_at_usual_priority(write: Callable[[], Written]) -> Written:
    """What `write` gives: at the usual priority in a worker, else in this thread."""
    return write() if _writer is None else _writer.submit(_alone, write).result()


def _alone(write: Callable[[], Written]) -> Written:
    """On a connection of the thread's own, which a restart of the database may have ended."""
    close_old_connections()
    try:
        return write()
    finally:
        close_old_connections()
