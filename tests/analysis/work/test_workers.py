"""Workers say that they live; a successor takes over what a dead one held."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Event, Thread

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.utils import timezone

from analysis.work import duties, services, workers
from analysis.work.models import LEASE, Job, Worker
from people.late_registry import LateRegistry
from tests.analysis.work.units import first_unit, take, units_of

pytestmark = pytest.mark.django_db


def test_a_worker_is_alive_while_it_reports() -> None:
    assert (workers.living_workers(), workers.last_beat()) == ([], None)

    workers.register_worker("w-1@here", version="0.1.0")

    (worker,) = workers.living_workers()
    later_time = timezone.now() + workers.SILENT_AFTER + timedelta(seconds=1)
    assert (worker.name, worker.pid, worker.version) == ("w-1@here", os.getpid(), "0.1.0")
    assert workers.living_workers(later_time) == []
    assert workers.last_beat() == worker.last_beat


def test_a_worker_that_ends_in_good_order_is_gone_at_once() -> None:
    workers.register_worker("w-1@here")

    workers.unregister("w-1@here")

    assert workers.living_workers() == []


def test_a_successor_frees_what_a_dead_process_held(make_job: Callable[..., Job]) -> None:
    job = make_job()
    workers.register_worker("w-1@here")
    take(first_unit(job), worker="w-1@here")
    ended_process = subprocess.Popen(["true"])
    ended_process.wait()
    Worker.objects.update(pid=ended_process.pid)

    assert workers.register_worker("w-1@here") == [job]
    assert first_unit(job).state == "waiting"
    assert services.units_to_send(job) == [first_unit(job).pk]


def test_a_namesake_that_lives_keeps_its_unit(make_job: Callable[..., Job]) -> None:
    job = make_job()
    workers.register_worker("w-1@here")
    take(first_unit(job), worker="w-1@here")
    Worker.objects.update(pid=os.getppid())

    assert workers.register_worker("w-1@here") == []
    assert first_unit(job).state == "taken"


def test_a_beat_renews_the_lease_of_the_unit_at_hand(make_job: Callable[..., Job]) -> None:
    job = make_job()
    claim = take(first_unit(job), worker="w-1@here")
    workers.register_worker("w-1@here")
    units_of(job).update(lease=timezone.now())
    pulse = workers.WorkerHeartbeat("w-1@here")
    pulse.claim = claim

    pulse.beat()

    lease = first_unit(job).lease
    assert lease is not None
    assert lease > timezone.now() + timedelta(seconds=60)
    assert Worker.objects.get().busy_with == "moody"


def test_a_missed_beat_is_no_news_and_half_a_minute_of_them_is_one(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a long write, such as a large import, a beat waits for the next."""
    pulse = workers.WorkerHeartbeat("w-1@here")
    locked_error = OperationalError("database is locked")

    pulse._note_missed_beat(locked_error)
    assert caplog.messages == []

    monkeypatch.setattr(workers, "SILENT_AFTER", timedelta(0))
    pulse._note_missed_beat(locked_error)
    assert caplog.messages == [
        "w-1@here reports again once the database takes it: database is locked"
    ]

    pulse._note_missed_beat(DatabaseError("no such column"))
    assert caplog.messages[1:] == ["w-1@here could not report; it tries again"]


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="about SQLite's one write lock")
def test_a_worker_waits_for_the_lock_longer_than_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it could not store it would compute again."""
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 10)

    workers._be_patient()

    assert connection.settings_dict["OPTIONS"]["timeout"] == LEASE.total_seconds() / 2 == 60


# --- work that nobody wants any more ----------------------------------------------------------
def test_work_is_overdue_once_the_same_series_was_unwanted_for_the_grace(
    make_job: Callable[..., Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = make_job()
    claim = take(first_unit(job), worker="w-1@here")
    assert claim is not None
    claim.begin("first")
    watch = workers.UnwantedWork()
    assert not watch.is_overdue(claim)
    services.stop(job)
    monkeypatch.setattr(workers, "GRACE", 1000.0)
    assert not watch.is_overdue(claim)
    monkeypatch.setattr(workers, "GRACE", 0.0)
    claim.begin("second")  # it reaches its checkpoint by itself
    since_before = watch._since

    assert watch.is_overdue(claim)
    assert watch._since != since_before


def test_a_process_whose_work_is_unwanted_lets_go_of_it_and_ends(
    make_job: Callable[..., Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a compiled loop cannot hear, the thread beside it does."""
    monkeypatch.setattr(workers, "WATCH_EVERY", 0.001)
    monkeypatch.setattr(workers, "GRACE", 0.0)
    monkeypatch.setattr(workers, "BEAT", 0.05)
    job = make_job()
    claim = take(first_unit(job), worker="w-1@here")
    ends: list[str] = []
    pulse = workers.WorkerHeartbeat("w-1@here", stop_process=lambda: ends.append("end"))
    pulse.claim = claim

    pulse._watch_until_next_beat()
    assert ends == []  # it is wanted

    services.stop(job)
    pulse._watch_until_next_beat()

    job.refresh_from_db()
    assert ends == ["end"]  # once
    assert (job.state, first_unit(job).state, job.finished is None) == ("stopped", "stopped", False)


def test_a_process_that_nothing_replaces_goes_on(make_job: Callable[..., Job]) -> None:
    job = make_job()
    pulse = workers.WorkerHeartbeat("w@here")
    pulse.claim = take(first_unit(job), worker="w@here")
    services.stop(job)
    pulse._end.set()

    pulse._watch_until_next_beat()

    assert first_unit(job).state == "taken"


def test_children_end_with_their_process() -> None:
    code = (
        "import subprocess, sys; from analysis.work import workers;"
        "child = subprocess.Popen(['sleep', '60']); print(child.pid, flush=True);"
        "workers.end_this_process()"
    )
    setup = "import django; django.setup(); "
    process = subprocess.run(
        [sys.executable, "-c", setup + code],
        env=os.environ | {"PLATEAU_MODE": "development"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert process.returncode == -signal.SIGKILL
    assert workers._file_text(Path(f"/proc/{int(process.stdout)}/stat")).split()[2:3] in ([], ["Z"])


@pytest.mark.django_db(transaction=True)
def test_no_process_is_forked_while_the_heartbeat_has_a_connection() -> None:
    """A fork waits for the beat; between two beats the heartbeat has no connection."""
    begin_event, go_event, fork_event = Event(), Event(), Event()
    connections_between: list[object] = []

    def sweep() -> None:
        begin_event.set()
        assert go_event.wait(10)

    class OneBeat(workers.WorkerHeartbeat):
        def _watch_until_next_beat(self) -> None:
            connections_between.append(connection.connection)
            self.end()

    pulse = OneBeat("w@here", call_at_beat=sweep)
    pulse.start()
    assert begin_event.wait(10)

    def fork() -> None:
        workers._close_before_fork()
        fork_event.set()
        workers._no_fork.release()

    fork_thread = Thread(target=fork)
    fork_thread.start()
    assert not fork_event.wait(0.2)
    go_event.set()
    assert fork_event.wait(10)
    fork_thread.join()
    pulse.join()

    assert connections_between == [None]


def test_a_duty_that_fails_keeps_no_other_from_being_called(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[str] = []

    def fail(error: Exception) -> None:
        calls.append(str(error))
        raise error

    tasks = [partial(fail, ValueError("wrong")), partial(fail, OperationalError("locked"))]
    monkeypatch.setattr(duties, "_duties", LateRegistry([*tasks, lambda: calls.append("no")]))

    with pytest.raises(OperationalError, match="locked"):
        duties.do_all()

    assert calls == ["wrong", "locked"]
    assert [record.exc_text for record in caplog.records if "ValueError" in (record.exc_text or "")]
