"""Messages to workers when nobody takes them: pages go on, and the work waits in the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from celery import current_app

from analysis.runs.job_kind import RunKind
from analysis.runs.models import Run
from analysis.work import unit_messages
from series.models import Series


@pytest.fixture
def _nobody_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The broker's socket is not there; `task_always_eager` is put back by who has set it."""
    monkeypatch.setattr(unit_messages, "_silent_since", unit_messages._silent_since)
    broker_url = current_app.conf["broker_url"]
    socket_url = f"redis+socket://{quote(str(tmp_path / 'broker.sock'))}"
    current_app.conf.update(task_always_eager=False, broker_url=socket_url)
    yield
    current_app.conf.update(broker_url=broker_url)


@pytest.mark.usefixtures("_nobody_listens")
def test_without_a_broker_nobody_waits_and_nothing_is_lost(
    seven_series: list[Series], make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run()
    pauses: list[float] = []
    monkeypatch.setattr("kombu.utils.functional.sleep", pauses.append)

    unit_messages.send(RunKind(), [chunk.pk for chunk in run.units.all()])

    assert pauses == []
    assert unit_messages.queue_length() is None
    assert set(run.units.values_list("state", "queued_at")) == {("waiting", None)}


@pytest.mark.usefixtures("_nobody_listens")
def test_a_silent_broker_is_left_alone_for_some_seconds(
    seven_series: list[Series], make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else each page that looks at a run would wait for it, until no thread is left."""
    (chunk,) = make_run().units.all()
    unit_messages.send(RunKind(), [chunk.pk])

    current_app.conf.update(broker_url="memory://")  # it is back
    unit_messages.send(RunKind(), [chunk.pk])
    chunk.refresh_from_db()
    assert chunk.queued_at is None

    monkeypatch.setattr(unit_messages, "LEFT_ALONE", 0.0)
    unit_messages.send(RunKind(), [chunk.pk])
    chunk.refresh_from_db()
    assert chunk.queued_at is not None
