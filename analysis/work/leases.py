"""Holding a unit by a lease: whoever was too slow, and has lost it, changes nothing any more."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Generic, Literal, TypeVar, cast

from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from analysis.work.models import LEASE, PACE_SECONDS, Job, WorkUnit

log = logging.getLogger(__name__)
HOLD_EVERY: Final = LEASE.total_seconds() / 3  # seconds; two renewals may fail
RENEW_EVERY = 1.0  # seconds between two signs of life: progress on the page, lease

# unfinished: the unit waits again. lost: another worker has it. not-free: never taken here.
Outcome = Literal["done", "stopped", "unfinished", "lost", "not-free"]
Unit_co = TypeVar("Unit_co", bound=WorkUnit, covariant=True)
Written = TypeVar("Written")

_writer: ThreadPoolExecutor | None = None


class Unwanted(Exception):  # an event, not a fault
    """Signal: the unit is not wanted any more, or another worker holds it."""


@dataclass
class Claim(Generic[Unit_co]):
    """A unit that this process holds; the attempt's number tells this claim from a later one."""

    unit: Unit_co
    renewed: float = field(default_factory=time.monotonic)
    done: int = 0  # answers of this attempt
    current: str = ""  # public id of the series that is computed now
    current_since: datetime | None = None
    counted: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.counted.update(self.unit.pace)

    def count(self, count: int) -> None:
        """Note in the unit's pace that so many answers of this attempt are there."""
        if count > self.done:
            self.counted[str(int(time.time()) // PACE_SECONDS)] += count - self.done
            self.done = count

    def begin(self, current_id: str) -> None:
        """Note what is computed from now on: the public id of a series."""
        self.current, self.current_since = current_id, timezone.now()

    @property
    def current_fields(self) -> dict[str, Any]:
        """Columns of the unit that say what it is at, and since when."""
        return {
            "current": self.current,
            "current_since": self.current_since,
            "pace": dict(self.counted),
        }

    def update(self, **values: Any) -> bool:
        """Change the unit's row; False, and nothing changed, when the claim is lost."""
        claimed_unit = type(self.unit)._default_manager.filter(  # noqa: SLF001  # whichever model it is
            pk=self.unit.pk, state=WorkUnit.State.TAKEN, attempts=self.unit.attempts
        )
        return claimed_unit.update(**values) == 1

    def is_wanted(self) -> bool:
        """True if the job of the unit goes on, read afresh."""
        rows = type(self.unit)._default_manager  # noqa: SLF001  # whichever model it is
        return rows.filter(pk=self.unit.pk, job__state__in=Job.OPEN).exists()

    def extend(self) -> bool:
        """Hold it for another lease, and say what it is at."""
        return self.update(lease=timezone.now() + LEASE, **self.current_fields)

    def report(self, count: int, failed: int) -> bool:
        """Once a second: say how far it is. False when it was lost, or nobody wants it any more."""
        self.count(count)
        if time.monotonic() - self.renewed < RENEW_EVERY:
            return True
        self.renewed = time.monotonic()
        lease = timezone.now() + LEASE
        is_held = self.update(
            lease=lease, done_count=count, failed_count=failed, **self.current_fields
        )
        return is_held and self.is_wanted()

    def go_on(self, count: int = 0) -> None:
        """Say how far it is. Raises Unwanted where `report` is False."""
        if not self.report(count, 0):
            raise Unwanted

    def fail(self, text: str) -> Outcome:
        """Let go of it as done, and all of it as failed."""
        size = self.unit.size
        return self.end(done_count=size, failed_count=size, error=text)

    def end(self, *, is_complete: bool = True, **values: Any) -> Outcome:
        """Let go of it with these values: done, or else waiting again if its job is wanted."""
        end_time = timezone.now()
        if is_complete:
            self.count(values.get("done_count", self.done))
        self.current, self.current_since = "", None
        end_fields: dict[str, Any] = {"finished": end_time}
        if is_complete:
            outcome, state = "done", WorkUnit.State.DONE
        elif self.is_wanted():
            outcome, state, end_fields = "unfinished", WorkUnit.State.WAITING, {"queued_at": None}
        else:
            outcome, state = "stopped", WorkUnit.State.STOPPED
        is_held = self.update(
            **{"state": state, "lease": None, **self.current_fields, **end_fields, **values}
        )
        return cast("Outcome", outcome) if is_held else "lost"


# --- a process without a heartbeat ------------------------------------------------------------
@contextmanager
def renewed_lease(claim: Claim[Any]) -> Iterator[None]:
    """Renew the lease of a claim from a thread of its own while the block runs.

    For a command that works on a job by itself: one series may take longer than a lease.
    """
    end_event = threading.Event()
    thread = threading.Thread(target=_renew, args=(claim, end_event), name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        end_event.set()
        thread.join()


def _renew(claim: Claim[Any], end_event: threading.Event) -> None:
    while not end_event.wait(HOLD_EVERY):
        try:
            if not claim.extend():
                return  # lost; storing the answers will say so
        except DatabaseError:
            log.warning("%s is not held longer yet; tried again", claim.unit, exc_info=True)
        finally:
            connection.close()


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


def write_at_usual_priority(write_rows: Callable[[], Written]) -> Written:
    """Call `write_rows` at the usual priority in a worker, else in this thread, and return its
    result.
    """
    return write_rows() if _writer is None else _writer.submit(_call_isolated, write_rows).result()


def _call_isolated(write_rows: Callable[[], Written]) -> Written:
    """Call `write_rows` on a connection of the thread's own, which a database restart may have
    ended.
    """
    close_old_connections()
    try:
        return write_rows()
    finally:
        close_old_connections()
