"""Messages to workers when nobody takes them: pages go on, and the work waits in the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from celery import current_app

from analysis import queue
from analysis.models import Run
from series.models import Series


@pytest.fixture
def _nobody_listens(tmp_path: Path) -> Iterator[None]:
    """The broker's socket is not there; `task_always_eager` is put back by who has set it."""
    before = current_app.conf["broker_url"]
    nowhere = f"redis+socket://{quote(str(tmp_path / 'broker.sock'))}"
    current_app.conf.update(task_always_eager=False, broker_url=nowhere)
    yield
    current_app.conf.update(broker_url=before)


@pytest.mark.usefixtures("_nobody_listens")
def test_without_a_broker_nobody_waits_and_nothing_is_lost(
    seven: list[Series], make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run()
    pauses: list[float] = []
    monkeypatch.setattr("kombu.utils.functional.sleep", pauses.append)

    queue.send([chunk.pk for chunk in run.chunks.all()])

    assert pauses == []
    assert queue.length() is None
    assert set(run.chunks.values_list("state", "queued_at")) == {("waiting", None)}
