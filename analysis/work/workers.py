"""Processes that take units: they report themselves every few seconds."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from billiard.process import current_process
from celery import signals
from django.db import DatabaseError, connection, connections
from django.utils import timezone

from analysis.work import duties, leases, services
from analysis.work.kinds import job_kind
from analysis.work.leases import Claim
from analysis.work.models import LEASE, Job, Worker, WorkUnit
from people.database import is_unavailable

log = logging.getLogger(__name__)
# Seconds between two beats of a process; three within a lease, however short it is set.
BEAT = min(5.0, LEASE.total_seconds() / 3)
SILENT_AFTER = timedelta(seconds=30)  # five missed beats and a pause of a busy machine
WATCH_EVERY = 1.0  # seconds between two looks whether a unit at work is still wanted
GRACE = 1.0  # seconds in which a series that nobody wants any more may end by itself
FORGOTTEN_AFTER = timedelta(days=7)
NICE = 10  # niceness of computing processes, so that pages come first
SWEEP_EVERY = 30.0  # seconds between two sweeps


def living_workers(moment: datetime | None = None) -> list[Worker]:
    """Processes that have reported lately, by name."""
    return list(Worker.objects.filter(last_beat__gt=(moment or timezone.now()) - SILENT_AFTER))


def last_beat() -> datetime | None:
    """Time at which any worker last reported; None if none ever has."""
    newest_worker = Worker.objects.order_by("-last_beat").first()
    return newest_worker.last_beat if newest_worker else None


def register_worker(name: str, *, version: str = "") -> list[Job]:
    """Note a process under the name of its place; the jobs of what its predecessor left behind.

    A place (the second process of worker w on this machine) has one process
    at a time. A predecessor whose process is gone will not end its unit, so
    nobody needs to wait for the lease.
    """
    moment = timezone.now()
    predecessor = Worker.objects.filter(name=name).first()
    Worker.objects.update_or_create(
        name=name,
        defaults={
            "pid": os.getpid(),
            "version": version,
            "busy_with": "",
            "started": moment,
            "last_beat": moment,
        },
    )
    Worker.objects.filter(last_beat__lt=moment - FORGOTTEN_AFTER).delete()
    if predecessor is None or predecessor.pid == os.getpid() or _lives(predecessor.pid):
        return []
    return services.free_worker_units(name)


def unregister(name: str) -> None:
    """A process that ends in an orderly way is gone at once."""
    Worker.objects.filter(name=name, pid=os.getpid()).delete()


def _lives(pid: int) -> bool:
    """True if the process exists, also one of another user."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


_no_fork: Final = threading.RLock()
"""Held while the heartbeat of the pool's parent has a connection: a process forked meanwhile would
inherit it, open, and SQLite would believe in the copy that locks are held which no copy has."""


@contextmanager
def _own_connection() -> Iterator[None]:
    """A connection of this thread for the block, in which this process forks no other."""
    with _no_fork:
        try:
            yield
        finally:
            connection.close()


def _close_before_fork() -> None:
    _no_fork.acquire()
    connections.close_all()


class WorkerHeartbeat(threading.Thread):
    """Beats for one process, and keeps the unit that it holds while a long series is computed."""

    def __init__(
        self,
        name: str,
        *,
        call_at_beat: Callable[[], None] | None = None,
        stop_process: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(name=f"pulse of {name}", daemon=True)
        self.worker, self.call_at_beat, self.stop_process = name, call_at_beat, stop_process
        self.claim: Claim[WorkUnit] | None = None
        self.watch = UnwantedWork()
        self._end = threading.Event()
        self._report_time = time.monotonic()

    def run(self) -> None:
        while not self._end.is_set():
            try:
                with _own_connection():
                    self.beat()
                    self._report_time = time.monotonic()
                    if self.call_at_beat:
                        self.call_at_beat()
                self._watch_until_next_beat()
            except DatabaseError as error:
                self._note_missed_beat(error)
                self._end.wait(BEAT)
            finally:
                connection.close()

    def _watch_until_next_beat(self) -> None:
        """Wait, and end this process where nobody wants what it cannot be asked to stop."""
        deadline = time.monotonic() + BEAT
        while (seconds_left := deadline - time.monotonic()) > 0 and not self._end.wait(
            min(seconds_left, WATCH_EVERY)
        ):
            claim = self.claim
            if (
                claim
                and self.stop_process
                and self.watch.is_overdue(claim)
                and services.abandon(claim)
            ):
                log.warning("%s ends: nobody wants %s any more", self.worker, claim.unit)
                services.enqueue_next(claim.unit.job)
                self.stop_process()

    def _note_missed_beat(self, error: DatabaseError) -> None:
        """One beat is nothing: beside a long write the next comes through. Many deserve a line."""
        if not is_unavailable(error):
            log.warning("%s could not report; it tries again", self.worker, exc_info=error)
        elif time.monotonic() - self._report_time > SILENT_AFTER.total_seconds():
            log.warning("%s reports again once the database takes it: %s", self.worker, error)
            self._report_time = time.monotonic()

    def beat(self) -> None:
        claim = self.claim
        busy_method = claim.unit.method_key.partition("@")[0] if claim else ""
        Worker.objects.filter(name=self.worker).update(
            last_beat=timezone.now(), busy_with=busy_method
        )
        if claim:
            claim.extend()

    def end(self) -> None:
        self._end.set()


class UnwantedWork:
    """Clock of a unit whose current series is no longer wanted: stopped, or left out."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._what: tuple[int, object] | None = None

    def is_overdue(self, claim: Claim[WorkUnit]) -> bool:
        """True if the current series has been unwanted for longer than the grace."""
        series_key = (id(claim), claim.current_since)
        if job_kind(claim.unit).wants_current(claim):
            self._since = None
        elif self._since is None or series_key != self._what:
            self._since, self._what = time.monotonic(), series_key
        return self._since is not None and time.monotonic() - self._since >= GRACE


class WorkerPlace:
    """Place of this process in its worker: `w-2@host` is the second process of `w@host`."""

    def __init__(self) -> None:
        self.node = ""
        self.name = "here"
        self.pulse: WorkerHeartbeat | None = None
        self.swept: float | None = None

    @contextmanager
    def hold_lease(self, claim: Claim[WorkUnit]) -> Iterator[None]:
        """Keep the claim's lease while the block runs, however long one series takes."""
        if self.pulse is None:
            yield
            return
        self.pulse.claim = claim
        try:
            yield
        finally:
            self.pulse.claim = None

    def begin(
        self,
        name: str,
        *,
        call_at_beat: Callable[[], None] | None = None,
        stop_process: Callable[[], None] | None = None,
    ) -> None:
        """Report under this name from now on, and queue what a dead predecessor held.

        stop_process: ends this process; None where no other would take its place.
        """
        self.name = name
        _be_patient()
        try:
            for job in register_worker(name, version=_version()):
                services.enqueue_next(job)
        except DatabaseError:
            log.warning("%s could not register; what it left comes back with its lease", name)
        finally:
            connection.close()
        self.pulse = WorkerHeartbeat(name, call_at_beat=call_at_beat, stop_process=stop_process)
        self.pulse.start()

    def sweep_now_and_then(self) -> None:
        current_seconds = time.monotonic()
        if self.swept is None or current_seconds - self.swept >= SWEEP_EVERY:
            self.swept = current_seconds
            services.sweep()
            duties.do_all()


here = WorkerPlace()


def _be_patient() -> None:
    """Wait for a lock longer than a page: what it cannot store it would compute again."""
    options, lock_seconds = connection.settings_dict["OPTIONS"], LEASE.total_seconds() / 2
    if connection.vendor == "sqlite":
        options["timeout"] = lock_seconds
    else:
        options["options"] += f" -c lock_timeout={round(1000 * lock_seconds)}"


@signals.celeryd_after_setup.connect
def remember_node(sender: str, **_: object) -> None:
    here.node = sender
    # A process of the pool that is replaced later must not inherit a connection: SQLite's close in
    # a copy takes away the log and the locks of those that use the database.
    os.register_at_fork(
        before=_close_before_fork, after_in_parent=_no_fork.release, after_in_child=_no_fork.release
    )


@signals.worker_process_init.connect
def begin_process(**_: object) -> None:
    """A process of the pool has begun."""
    leases.start_writer()
    os.nice(NICE)
    process_number = getattr(current_process(), "index", 0) + 1
    node, _separator, host = here.node.partition("@")
    here.begin(f"{node}-{process_number}@{host}", stop_process=end_this_process)


def end_this_process() -> None:
    """End at once, with every child process: a compiled loop hears no request to stop.

    The pool starts another process in its place, and the broker gives the message to it.
    """
    for pid in child_processes(os.getpid()):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def child_processes(pid: int) -> list[int]:
    """Descendants of a process, where the system lists them (Linux)."""
    child_pids = [
        int(pid_text)
        for file in Path(f"/proc/{pid}/task").glob("*/children")
        for pid_text in _file_text(file).split()
    ]
    return child_pids + [
        descendant for child in child_pids for descendant in child_processes(child)
    ]


def _file_text(file: Path) -> str:
    """Text of a file of /proc; empty where its process has just ended."""
    try:
        return file.read_text(encoding="ascii")
    except OSError:
        return ""


@signals.worker_process_shutdown.connect
def end_process(**_: object) -> None:
    if here.pulse:
        here.pulse.end()
        unregister(here.name)


@signals.worker_ready.connect
def begin_worker(sender: Any, **_: object) -> None:
    """The worker's own process sweeps; where it has no pool of processes, it also reports."""
    if type(sender.pool).__module__ == "celery.concurrency.prefork":
        WorkerHeartbeat(here.node, call_at_beat=here.sweep_now_and_then).start()
    else:
        here.begin(here.node, call_at_beat=here.sweep_now_and_then)


def _version() -> str:
    try:
        return version("plateau")
    except PackageNotFoundError:  # a checkout that was not installed as a package
        return ""
