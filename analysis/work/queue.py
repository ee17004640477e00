"""Messages to workers: the number of a chunk or part. Losing all of them costs seconds."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

import redis
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu import Connection, pools
from kombu.exceptions import LimitExceeded, OperationalError

from analysis.runs.models import Chunk, Run
from analysis.tuning.models import Exploration, Part
from analysis.work.models import Leased

log = logging.getLogger(__name__)
DETECT = "analysis.work.tasks.detect_chunk"  # by name: what works imports this module
EXPLORE = "analysis.work.tasks.explore_part"
MODELS: dict[str, type[Leased]] = {DETECT: Chunk, EXPLORE: Part}
# Seconds in which a process does not ask a broker again that has just not answered: pages that
# look at a run every second would else take all threads of the web server, each waiting in vain.
LEFT_ALONE = 5.0
_silent_since = -LEFT_ALONE


def send_on_commit(ids: Iterable[int], task: str = DETECT) -> None:
    """Publish a message for each chunk or part, once its row is there for a worker to find."""
    transaction.on_commit(partial(send, list(ids), task))


def send(ids: Sequence[int], task: str = DETECT) -> None:
    """Publish a message for each chunk, or each part of an exploration.

    A broker that is down, or hangs, loses nothing: the work waits in the
    database, and a later sweep sends it.
    """
    if not ids:
        return
    # Before they are sent: in this process one is worked on at once, and looks for others.
    _note(ids, task, timezone.now())
    if not _published(ids, task):
        log.warning("the broker does not answer; %s wait in the database", len(ids))
        _note(ids, task, None)


def _published(ids: Sequence[int], task: str) -> bool:
    """Whether the broker took all messages; some may have arrived even where it did not."""
    global _silent_since  # noqa: PLW0603  # what this process knows of its broker
    if _is_left_alone():
        return False
    message = current_app.tasks[task]
    try:
        with pools.producers[_link()].acquire(
            block=True, timeout=settings.BROKER_PATIENCE
        ) as producer:
            for each in ids:
                # No retry: the sweep is one, and a page shall not wait for a dead broker.
                message.apply_async((each,), producer=producer, retry=False)
    except (OperationalError, LimitExceeded):
        _silent_since = time.monotonic()
        return False
    return True


def _is_left_alone() -> bool:
    recently = time.monotonic() - _silent_since < LEFT_ALONE
    return recently and not current_app.conf.task_always_eager


def _link() -> Connection:
    """To the broker, for commands that it answers at once; workers wait for work on their own."""
    bounded = {"socket_timeout": settings.BROKER_PATIENCE}
    return current_app.connection_for_write(transport_options=bounded)


def _note(ids: Sequence[int], task: str, when: datetime | None) -> None:
    """When the messages were sent, in the rows that they are about; None: they were not."""
    rows = MODELS[task]._default_manager  # noqa: SLF001  # whichever model it is
    for start in range(0, len(ids), 500):
        rows.filter(pk__in=ids[start : start + 500]).update(queued_at=when)


def count_unsent() -> int:
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
        with _link() as link:
            channel: Any = link.default_channel
            return int(channel.client.llen(current_app.conf.task_default_queue))
    except (OperationalError, redis.RedisError, AttributeError):
        return None
