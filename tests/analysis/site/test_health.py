"""What a monitor is told: parts, room on the disk, the oldest work that has not ended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from analysis.runs.models import Run
from analysis.runs.selection import SeriesSelection
from analysis.runs.services import start_run
from analysis.site import health
from analysis.site.models import WriteProbe
from analysis.work import services as jobs, workers
from people.models import Study
from series.models import Series
from tests.locks import write_lock_held

PARTS = {"database": "ok", "broker": "ok", "workers": "none"}


@pytest.fixture(autouse=True)
def _in_this_process(worker_here: None) -> None:
    """No broker is asked."""


@pytest.fixture
def run(study: Study, series: Series) -> Run:
    """Two chunks wait since an hour ago."""
    keys = ("fixed@1?iteration=3", "fixed@1?iteration=4")
    run = start_run(study, user=None, selection=SeriesSelection("nightly"), keys=keys, queued=False)
    Run.objects.update(created=timezone.now() - timedelta(hours=1))
    return run


@pytest.mark.django_db
def test_an_installation_without_work_is_well(client: Client) -> None:
    answer = client.get("/health/")

    document = answer.json()
    assert answer.status_code == 200
    assert document.pop("disk_free_bytes") > 0
    assert document == {"status": "ok", **PARTS, "oldest_open_unit_seconds": None}


@pytest.mark.django_db
def test_the_age_is_that_of_the_oldest_work_that_has_not_ended(client: Client, run: Run) -> None:
    workers.register_worker("w-1@here")

    queued_health = client.get("/health/").json()
    first = run.units.first()
    assert first is not None
    run.units.exclude(pk=first.pk).update(state="done")
    run.units.filter(pk=first.pk).update(state="taken")
    taken_health = client.get("/health/").json()
    jobs.stop(run)
    run.units.update(state="stopped")
    stopped_health = client.get("/health/").json()

    assert 3600 <= queued_health["oldest_open_unit_seconds"] < 3700
    assert 3600 <= taken_health["oldest_open_unit_seconds"] < 3700
    assert (queued_health["workers"], stopped_health["oldest_open_unit_seconds"]) == ("ok", None)


@pytest.mark.django_db
def test_it_writes_once_in_five_seconds_whoever_asks(client: Client) -> None:
    client.get("/health/")
    first = WriteProbe.objects.get()
    client.get("/health/")
    assert WriteProbe.objects.get().written == first.written

    WriteProbe.objects.update(written=first.written - health.PROBED_EVERY)
    client.get("/health/")
    assert WriteProbe.objects.get().written > first.written


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="about SQLite's one write lock")
def test_a_database_that_is_read_and_not_written_is_not_well(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "PROBE_WAITS", 0.05)
    with write_lock_held():
        answer = client.get("/health/")

    assert answer.status_code == 503
    assert (answer.json()["status"], answer.json()["database"]) == ("down", "takes no writes")
    assert client.get("/health/").status_code == 200


@pytest.mark.django_db
def test_without_a_database_the_other_parts_are_still_told(client: Client) -> None:
    def refuse(execute: Callable[..., object], *rest: object) -> object:
        raise OperationalError("server closed the connection unexpectedly")

    with connection.execute_wrapper(refuse):
        answer = client.get("/health/")

    document = answer.json()
    assert (answer.status_code, document["database"], document["broker"]) == (503, "down", "ok")
    assert (document["workers"], document["oldest_open_unit_seconds"]) == ("unknown", None)
