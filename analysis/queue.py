"""Messages to workers: the number of a chunk or part. Losing all of them costs seconds."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

import redis
from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from analysis.models import Chunk, Exploration, Part, Run
from analysis.models.leased import Leased

log = logging.getLogger(__name__)
DETECT = "analysis.tasks.detect_chunk"  # by name: what works imports this module
EXPLORE = "analysis.tasks.explore_part"
MODELS: dict[str, type[Leased]] = {DETECT: Chunk, EXPLORE: Part}


def send_on_commit(ids: Iterable[int], task: str = DETECT) -> None:
    """Publish a message for each chunk or part, once its row is there for a worker to find."""
    transaction.on_commit(partial(send, list(ids), task))


def send(ids: Sequence[int], task: str = DETECT) -> None:
    """Publish a message for each chunk, or each part of an exploration.

    A broker that is down loses nothing: the work waits in the database, and
    the next sweep sends it.
    """
    if not ids:
        return
    message = current_app.tasks[task]
    # Before they are sent: in this process one is worked on at once, and looks for others.
    _note(ids, task, timezone.now())
    try:
        with current_app.producer_or_acquire() as producer:
            for each in ids:
                # No retry: the sweep is one, and a page shall not wait for a dead broker.
                message.apply_async((each,), producer=producer, retry=False)
    except OperationalError:
        log.warning("the broker does not answer; %s wait in the database", len(ids))
        _note(ids, task, None)


def _note(ids: Sequence[int], task: str, when: datetime | None) -> None:
    """When the messages were sent, in the rows that they are about; None: they were not."""
    rows = MODELS[task]._default_manager  # noqa: SLF001  # whichever model it is
    for start in range(0, len(ids), 500):
        rows.filter(pk__in=ids[start : start + 500]).update(queued_at=when)


def missing() -> int:
    """How many chunks and parts wait without a message in the broker; 0 where nobody can tell."""
    waiting = Chunk.objects.filter(state=Chunk.State.WAITING, run__state__in=Run.OPEN).count()
    waiting += Part.objects.filter(
        state=Part.State.WAITING,
        queued_at__isnull=False,
        exploration__state__in=Exploration.OPEN,
    ).count()
    if not waiting or current_app.conf.task_always_eager:
        return 0
    queued = length()
    return 0 if queued is None else max(0, waiting - queued)


def length() -> int | None:
    """Messages that no worker has fetched yet; None if the broker does not say.

    Those that a worker has fetched are not counted: it may have died with
    them, and the broker keeps them from the others for half an hour.
    """
    try:
        with current_app.connection_for_read() as link:
            channel: Any = link.default_channel
            return int(channel.client.llen(current_app.conf.task_default_queue))
    except (OperationalError, redis.RedisError, AttributeError):
        return None
