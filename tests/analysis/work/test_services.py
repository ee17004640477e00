"""What happens to units of both kinds of job, whoever takes them and however often."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from analysis.work import leases, services, unit_messages
from analysis.work.job_sentence import sentence_of_work
from analysis.work.kinds import job_kind
from analysis.work.models import PACE_SECONDS, TRIES, Job
from analysis.work.progress import answers_by_minute, job_lines, job_progress
from evidence.bench.processes import wait_until
from tests.analysis.work.conftest import Moody
from tests.analysis.work.units import answers_of, first_unit, take, units_of, work

pytestmark = pytest.mark.django_db
MakeJob = Callable[..., Job]
LONG_AGO = timezone.now() - timedelta(days=1)


@pytest.fixture(autouse=True)
def _failures_are_expected(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.CRITICAL, logger="analysis"):
        yield


def due_pks(job: Job, *, lost: int = 0) -> list[int]:
    """What a sweep would queue now."""
    return services.recover(job_kind(job), lost_count=lost)


def worker_dies(job: Job) -> None:
    """Long ago, with every unit that is at work."""
    units_of(job).held().update(lease=LONG_AGO)


def state_of(job: Job) -> tuple[str, bool, list[str]]:
    """Its state, whether it has ended, and the states of its units."""
    job.refresh_from_db()
    return job.state, job.finished is not None, list(units_of(job).values_list("state", flat=True))


# --- taking -----------------------------------------------------------------------------------
def test_a_unit_is_computed_once_and_a_second_message_is_harmless(make_job: MakeJob) -> None:
    job = make_job()
    assert work(first_unit(job), worker="w-1@here") == "done"
    answers_before = answers_of(job), units_of(job).values().get()

    assert work(first_unit(job), worker="w-2@here") == "not-free"

    assert (answers_of(job), units_of(job).values().get()) == answers_before
    assert any(answers_before[0])
    assert state_of(job) == ("done", True, ["done"])


@pytest.mark.django_db(transaction=True)
def test_of_workers_that_wait_for_the_row_of_a_unit_none_holds_it_too(make_job: MakeJob) -> None:
    """On PostgreSQL an UPDATE whose subquery has the units again would let each of them."""
    unit = first_unit(make_job())
    second: list[object] = []

    def take_too() -> None:
        second.append(take(unit, worker="w-2@here"))
        connection.close()

    waiting_thread = threading.Thread(target=take_too)
    with transaction.atomic():
        first = take(unit)
        waiting_thread.start()
        waiting_thread.join(0.5)  # long enough to ask for the row
    waiting_thread.join(30)

    assert first is not None
    assert second == [None]
    assert first_unit(unit.job).attempts == 1


@pytest.mark.django_db(transaction=True)
def test_a_command_that_works_by_itself_keeps_its_lease(
    make_job: MakeJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One series may take longer than a lease."""
    monkeypatch.setattr(leases, "HOLD_EVERY", 0.01)
    unit = first_unit(make_job())
    claim = take(unit)
    assert claim is not None
    rows = type(unit)._default_manager.filter(pk=unit.pk)
    rows.update(lease=timezone.now())

    with leases.renewed_lease(claim):
        wait_until(lambda: rows.filter(lease__gt=timezone.now()).exists(), goal="the lease")

    assert "lease" not in [thread.name for thread in threading.enumerate()]


def test_a_unit_that_is_held_by_who_lives_is_left_to_them(make_job: MakeJob) -> None:
    job = make_job()
    assert take(first_unit(job), worker="w-1@here")

    assert work(first_unit(job), worker="w-2@here") == "not-free"
    assert due_pks(job) == []
    assert first_unit(job).worker == "w-1@here"
    assert state_of(job) == ("running", False, ["taken"])
    assert job.began is not None


def test_who_was_too_slow_and_lost_the_unit_changes_nothing(
    make_job: MakeJob, moody_method: type[Moody]
) -> None:
    job = make_job()
    slow_claim = take(first_unit(job), worker="w-1@here")
    assert slow_claim is not None
    worker_dies(job)
    assert work(first_unit(job), worker="w-2@here") == "done"
    answers_before = answers_of(job), units_of(job).values().get()
    moody_method.bad_mood = True  # put back by the fixture

    assert services.work_on(slow_claim) == "lost"

    assert (answers_of(job), units_of(job).values().get()) == answers_before
    assert (first_unit(job).worker, first_unit(job).attempts) == ("w-2@here", 2)


def test_a_job_ends_with_its_last_unit_and_not_before(make_job: MakeJob) -> None:
    job = make_job(alone=True)
    first, second, third = units_of(job)

    work(first)
    work(third)
    assert state_of(job) == ("running", False, ["done", "waiting", "done"])

    work(second)
    assert state_of(job) == ("done", True, ["done"] * 3)


# --- failing and trying again -----------------------------------------------------------------
def test_what_failed_is_tried_again_and_nothing_else(
    make_job: MakeJob, moody_method: type[Moody]
) -> None:
    job = make_job(alone=True)
    finished_unit, *other_units = units_of(job)
    work(finished_unit)
    moody_method.bad_mood = True
    for unit in other_units:
        work(unit)
    assert [unit.failed_count > 0 for unit in units_of(job)] == [False, True, True]
    assert first_unit(job).error == ""
    moody_method.bad_mood = False

    assert services.retry(job) == 2
    assert state_of(job) == ("queued", False, ["done", "waiting", "waiting"])
    services.work_through(job, worker="here", tell_progress=lambda *_: None)

    assert state_of(job) == ("done", True, ["done"] * 3)
    assert sum(unit.failed_count for unit in units_of(job)) == 0
    assert first_unit(job).finished == units_of(job).get(pk=finished_unit.pk).finished
    assert services.retry(job) == 0
    assert state_of(job)[0] == "done"


def test_running_again_leaves_alone_what_is_at_work(
    make_job: MakeJob, moody_method: type[Moody]
) -> None:
    """Else whoever is at it would lose it, and its attempts would be forgotten."""
    job = make_job(alone=True)
    moody_method.bad_mood = True
    failed_unit, busy_unit, _ = units_of(job)
    work(failed_unit)
    take(busy_unit, worker="w-1@here")
    units_of(job).filter(pk=busy_unit.pk).update(failed_count=1)

    assert services.retry(job) == 1

    assert state_of(job)[2] == ["waiting", "taken", "waiting"]


# --- stopping ---------------------------------------------------------------------------------
def test_a_stopped_job_gives_out_nothing_and_goes_on_with_the_rest(make_job: MakeJob) -> None:
    job = make_job(alone=True)
    first, *other_units = units_of(job)
    work(first)

    assert services.stop(job)
    assert not services.stop(job)

    assert [work(unit) for unit in other_units] == ["not-free"] * 2
    assert due_pks(job) == []
    assert state_of(job) == ("stopped", True, ["done", "stopped", "stopped"])
    assert services.retry(job) == 2
    services.work_through(job, worker="here", tell_progress=lambda *_: None)
    assert state_of(job) == ("done", True, ["done"] * 3)


def test_a_stop_ends_what_is_at_work(make_job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "RENEW_EVERY", 0.0)
    job = make_job()
    claim = take(first_unit(job), worker="here")
    assert claim is not None
    services.stop(job)
    assert state_of(job) == ("stopped", False, ["taken"])
    assert job_progress(job).state == "stopping"

    assert services.work_on(claim) == "stopped"
    services.enqueue_next(job)

    assert state_of(job) == ("stopped", True, ["stopped"])
    assert first_unit(job).done_count == 0


def test_a_stopped_unit_whose_worker_died_is_stopped(make_job: MakeJob) -> None:
    job = make_job()
    take(first_unit(job))
    services.stop(job)
    worker_dies(job)

    assert due_pks(job) == []
    assert state_of(job) == ("stopped", True, ["stopped"])


# --- workers that die, messages that are lost --------------------------------------------------
def test_what_a_dead_worker_held_comes_back(make_job: MakeJob) -> None:
    job = make_job()
    take(first_unit(job), worker="w-1@here")
    units_of(job).update(queued_at=LONG_AGO, done_count=1)
    worker_dies(job)

    assert due_pks(job) == [first_unit(job).pk]
    assert (first_unit(job).done_count, first_unit(job).queued_at) == (0, None)
    assert services.sweep(job) == 1
    assert state_of(job) == ("done", True, ["done"])


def test_what_kills_every_worker_is_given_up_and_can_be_tried_again(make_job: MakeJob) -> None:
    job = make_job(alone=True)
    deadly_unit, *other_units = units_of(job)
    for unit in other_units:
        work(unit)
    for _ in range(TRIES):
        assert take(deadly_unit, worker="w-1@here")
        worker_dies(job)
        due_pks(job)

    given_up = first_unit(job)
    assert state_of(job) == ("done", True, ["given-up", "done", "done"])
    assert given_up.error == "the worker died 5 times while computing this; last: w-1@here"
    assert given_up.failed_count == given_up.size
    assert job_lines([job])[0].failed == given_up.size

    assert services.retry(job) == 1
    services.work_through(job, worker="here", tell_progress=lambda *_: None)
    assert state_of(job) == ("done", True, ["done"] * 3)
    assert job_lines([job])[0].failed == 0


def test_two_sweeps_at_once_free_a_unit_once(make_job: MakeJob) -> None:
    job = make_job()
    take(first_unit(job), worker="w-1@here")
    worker_dies(job)
    shared_unit = first_unit(job)

    services.take_back_unit(first_unit(job))
    take(first_unit(job), worker="w-2@here")
    services.take_back_unit(shared_unit)

    assert (first_unit(job).state, first_unit(job).worker) == ("taken", "w-2@here")


def test_what_was_never_sent_is_queued(make_job: MakeJob) -> None:
    job = make_job()

    assert due_pks(job) == [first_unit(job).pk]


def test_as_many_old_messages_are_sent_again_as_are_missing(make_job: MakeJob) -> None:
    job = make_job(alone=True)
    old_unit, young_unit, older_unit = units_of(job)
    for unit, minutes in ((old_unit, 5), (young_unit, 0), (older_unit, 6)):
        queued_at = timezone.now() - timedelta(minutes=minutes)
        units_of(job).filter(pk=unit.pk).update(queued_at=queued_at)

    assert due_pks(job) == []
    assert due_pks(job, lost=1) == [older_unit.pk]
    assert due_pks(job, lost=3) == [older_unit.pk, old_unit.pk]


@pytest.mark.django_db(transaction=True)
def test_messages_alone_bring_a_job_to_its_end(make_job: MakeJob) -> None:
    job = make_job(alone=True)
    unit_messages.send(job_kind(job), [first_unit(job).pk])

    assert state_of(job) == ("done", True, ["done"] * 3)


# --- figures of progress ----------------------------------------------------------------------
def test_a_job_that_nobody_has_taken_has_no_speed(make_job: MakeJob) -> None:
    job = make_job()
    progress = job_progress(job)

    assert (progress.state, progress.done, progress.percent, progress.rate) == (
        "queued",
        0,
        0,
        None,
    )
    assert (progress.per_minute, job.seconds, progress.waiting, progress.is_going) == (
        None,
        None,
        1,
        True,
    )
    assert job_lines([]) == []


def test_speed_is_that_of_the_last_minute_and_says_what_is_left(make_job: MakeJob) -> None:
    job = make_job(alone=True)
    recent_unit, earlier_unit, _ = units_of(job)
    moment = timezone.now()
    work(earlier_unit)
    work(recent_unit)
    units_of(job).filter(pk=earlier_unit.pk).update(finished=moment - timedelta(hours=1))
    units_of(job).filter(state="waiting").update(expected_ms=180_000)
    type(job)._default_manager.update(began=moment - timedelta(hours=2))
    job.refresh_from_db()

    progress = job_progress(job)

    size = recent_unit.size
    assert (progress.total, progress.done, progress.percent) == (3 * size, 2 * size, 66)
    assert progress.rate == pytest.approx(size / 60, rel=0.1)
    assert progress.seconds_left is not None
    assert progress.seconds_left == (pytest.approx(60, rel=0.1), 180)


@pytest.mark.parametrize(
    ("minutes", "planned_seconds", "end"),
    [
        (0.1, 4.0, "takes about 4 s"),
        (9, 4.0, "No answer came in the last minute"),
        (9, 900.0, "15 min"),
    ],
)
def test_the_end_of_a_job_without_answers_is_that_of_its_plan_or_not_foreseen(
    make_job: MakeJob, minutes: float, planned_seconds: float, end: str
) -> None:
    job = make_job()
    take(first_unit(job))
    units_of(job).update(expected_ms=0)
    pk = units_of(job).order_by("-pk")[0].pk
    units_of(job).filter(pk=pk).update(state="waiting", expected_ms=1000 * planned_seconds)
    begin_time = timezone.now() - timedelta(minutes=minutes)
    type(job)._default_manager.update(began=begin_time, state="running")
    job.refresh_from_db()

    progress = job_progress(job)

    assert progress.rate == 0
    assert end in sentence_of_work(progress).answer.replace("\u00a0", " ")


def test_what_a_unit_at_work_did_long_ago_is_no_speed_of_now(make_job: MakeJob) -> None:
    """A page that stood for ten minutes at 0.5 a second had counted it."""
    job = make_job()
    claim = take(first_unit(job))
    assert claim is not None
    claim.count(1)
    long_ago = timezone.now() - timedelta(minutes=10)
    claim.counted = Counter({str(int(long_ago.timestamp()) // PACE_SECONDS): 2})
    claim.begin("million")
    claim.current_since = long_ago
    assert claim.extend()
    units_of(job).update(done_count=2, expected_ms=120_000)
    type(job)._default_manager.update(began=long_ago)
    job.refresh_from_db()

    progress = job_progress(job)

    assert (progress.rate, progress.per_minute) == (0.0, 0)
    assert progress.held[0].current == "million"
    assert answers_by_minute(job, minutes=12) == [0, 2, *[0] * 10] or answers_by_minute(
        job, minutes=12
    ) == [0, 0, 2, *[0] * 9]
    assert progress.left.overrun == pytest.approx(5, rel=0.1)


def test_every_answer_is_counted_once_whichever_attempt_gave_it(make_job: MakeJob) -> None:
    job = make_job()
    first = take(first_unit(job))
    assert first is not None
    first.count(1)
    assert services.abandon(first)  # what it computed is not stored
    assert not services.abandon(first)

    work(first_unit(job))

    unit = first_unit(job)
    assert sum(unit.pace.values()) == unit.size == unit.done_count
    assert (unit.current, unit.current_since) == ("", None)


# --- turns ------------------------------------------------------------------------------------
def job_pks_in_order() -> list[int]:
    """Jobs of the units that one worker would take now, one after the other."""
    job_pks = []
    while claim := services.take_next(worker="w-1@here"):
        job_pks.append(claim.unit.job.pk)
        assert services.work_on(claim) == "done"
    return job_pks


def queue_all_units(*jobs: Job) -> None:
    """As if every unit had a message on its way."""
    for job in jobs:
        units_of(job).update(queued_at=timezone.now())


def test_jobs_get_a_unit_each_in_turn(make_job: MakeJob) -> None:
    """A run of one method waited nine minutes behind a run of all of them."""
    first = make_job(alone=True)
    second = make_job(alone=True)
    queue_all_units(first, second)

    assert job_pks_in_order() == [first.pk, second.pk] * 3


def test_a_job_with_units_at_work_waits_for_one_without(make_job: MakeJob) -> None:
    first, second = make_job(alone=True), make_job(alone=True)
    queue_all_units(first, second)
    assert take(first_unit(second), worker="w-2@here")

    assert job_pks_in_order()[:3] == [first.pk] * 3


def test_short_units_come_first(make_job: MakeJob) -> None:
    job = make_job(alone=True)
    long_pk, middle_pk, short_pk = (unit.pk for unit in units_of(job))
    for pk, expected in ((long_pk, 900.0), (middle_pk, 20.0), (short_pk, 1.0)):
        units_of(job).filter(pk=pk).update(expected_ms=expected)

    assert services.units_to_send(job) == [short_pk, middle_pk, long_pk]
    queue_all_units(job)
    claims = [services.take_next(worker="w-1@here") for _ in range(3)]
    assert [claim.unit.pk for claim in claims if claim] == [short_pk, middle_pk, long_pk]
    assert services.take_next(worker="w-1@here") is None


def test_the_place_in_the_queue_is_that_of_jobs_nobody_has_begun(make_job: MakeJob) -> None:
    first, second, third = (make_job(alone=True) for _ in range(3))
    assert [line.queue_place for line in job_lines([first, second, third])] == [1, 2, 3]

    take(first_unit(first))
    for job in (first, second, third):
        job.refresh_from_db()

    assert [line.queue_place for line in job_lines([first, second, third])] == [None, 1, 2]
    assert job_progress(third).queue_place == 2


def test_a_worker_that_is_silent_is_named(make_job: MakeJob) -> None:
    job = make_job()
    take(first_unit(job), worker="w-1@here")
    assert job_progress(job).silent == ()

    worker_dies(job)

    assert job_progress(job).silent == ("w-1@here",)
